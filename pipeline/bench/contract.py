"""Where the time of one accepted task goes: the contract executed again, by gate and by kind of work."""

from __future__ import annotations

import time
from collections import Counter

from pipeline.bench.ground import Ground, ground
from pipeline.checks.context import Seen
from pipeline.checks.contract import LIVE, STATIC
from pipeline.config import RunConfig
from pipeline.domain.draft import Task
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import Value


class ContractFigures(Value):
    """Seconds per task on one worker, save where another unit is given."""

    tasks: int
    passed: int
    seconds: float
    runs: float
    """Live runs per task."""
    seconds_per_run: float
    by_gate: dict[str, float]
    by_work: dict[str, float]
    """Resetting, beginning, acting, observing, reading state; the rest is evaluation and bookkeeping."""


async def bench_contract(config: RunConfig, app: str, tasks: int, sink: Sink) -> ContractFigures:
    """Prove tasks once more, one after another.

    Raises:
        UserError: the catalogue holds no tasks of the application.
    """
    gates: Counter[str] = Counter()
    runs = passed = 0
    async with ground(config, app, tasks, sink) as at:
        await at.bench.fresh(at.tasks[0].draft.user, at.tasks[0].draft.start_location)  # starts the browser
        at.bench.spent.seconds.clear()
        for number, task in enumerate(at.tasks):
            sink(Progress(phase="bench", message=task.draft.instruction, done=number, total=len(at.tasks)))
            seen = Seen(task.draft)
            passed += await _timed(at, task, seen, gates)
            runs += seen.runs
        work = dict(at.bench.spent.seconds)
    count, total = len(at.tasks), sum(gates.values())
    return ContractFigures(
        tasks=count,
        passed=passed,
        seconds=round(total / count, 3),
        runs=round(runs / count, 2),
        seconds_per_run=round(total / runs, 3) if runs else 0.0,
        by_gate={gate: round(s / count, 3) for gate, s in gates.items()},
        by_work={what: round(s / count, 3) for what, s in sorted(work.items())},
    )


async def _timed(at: Ground, task: Task, seen: Seen, gates: Counter[str]) -> bool:
    """Every gate in the contract's order, the first failure ends it."""
    for gate, static in STATIC:
        began = time.monotonic()
        verdict = static(task.draft, at.scene)
        gates[gate] += time.monotonic() - began  # type: ignore[assignment]  # a Counter adds up seconds as well
        if verdict.finding != "pass":
            return False
    for gate, live in LIVE:
        began = time.monotonic()
        verdict = await live(seen, at.scene, at.bench)
        gates[gate] += time.monotonic() - began  # type: ignore[assignment]  # likewise
        if verdict.finding in ("fail", "unscored"):
            return False
    return True
