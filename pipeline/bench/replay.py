"""What the product's care costs: oracles replayed by the product and by Playwright alone, by turns.

Resets, of the application and of the browser's state, are excluded on both sides: both begin by opening the start place
in a warm session.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from pipeline.bench.ground import Ground, ground
from pipeline.config import RunConfig
from pipeline.domain.action import Open
from pipeline.domain.draft import Task
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import Value
from pipeline.environments.plain import PlainPlayer
from pipeline.errors import BrowserFault, RunFault
from pipeline.live.locations import absolute, with_origin
from pipeline.live.workbench import needed_at_the_end


class ReplayFigures(Value):
    """Times in seconds over all counted replays; a task that Playwright alone cannot replay is left out of both."""

    ratio: float
    """Product by Playwright alone."""
    product_s: float
    plain_s: float
    tasks: int
    rounds: int
    left_out: int


@dataclass
class _Times:
    product: dict[str, list[float]] = field(default_factory=dict)
    plain: dict[str, list[float]] = field(default_factory=dict)
    left_out: set[str] = field(default_factory=set)


async def bench_replay(config: RunConfig, app: str, tasks: int, rounds: int, sink: Sink) -> ReplayFigures:
    """Both replay every task once a round, in changing order; one round before the first warms both up.

    Raises:
        UserError: the catalogue holds no tasks of the application.
        RunFault: no task could be replayed by both.
    """
    times = _Times()
    async with ground(config, app, tasks, sink) as at:
        user = at.tasks[0].draft.user
        async with at.pool.plain(at.bench, user) as player:
            for number in range(rounds + 1):
                for place, task in enumerate(at.tasks):
                    told = Progress(phase="bench", message=task.draft.instruction, done=number, total=rounds + 1)
                    sink(told)
                    if task.id not in times.left_out:
                        await _both(at, player, task, times, first=(number + place) % 2 == 0, counted=number > 0)
    counted = [t.id for t in at.tasks if t.id not in times.left_out]
    if not counted:
        raise RunFault("No task could be replayed by Playwright alone, so there is nothing to compare with.")
    product = sum(sum(times.product[id]) for id in counted)
    plain = sum(sum(times.plain[id]) for id in counted)
    return ReplayFigures(
        ratio=round(product / plain, 3),
        product_s=round(product, 3),
        plain_s=round(plain, 3),
        tasks=len(counted),
        rounds=rounds,
        left_out=len(times.left_out),
    )


async def _both(at: Ground, player: PlainPlayer, task: Task, times: _Times, *, first: bool, counted: bool) -> None:
    took: dict[str, float] = {}
    for product in (True, False) if first else (False, True):
        await at.bench.fresh(task.draft.user, task.draft.start_location)
        began = time.monotonic()
        try:
            await (_by_product(at, task) if product else _by_playwright(at, player, task))
        except BrowserFault:
            times.left_out.add(task.id)
            return
        took["product" if product else "plain"] = time.monotonic() - began
    if counted:
        times.product.setdefault(task.id, []).append(took["product"])
        times.plain.setdefault(task.id, []).append(took["plain"])


async def _by_product(at: Ground, task: Task) -> None:
    actions = (Open(location=task.draft.start_location), *task.draft.oracle)
    await at.bench.perform(actions, watched=False, end=needed_at_the_end(task.draft.evaluator))


async def _by_playwright(at: Ground, player: PlainPlayer, task: Task) -> None:
    base_url = at.bench.base_url
    actions = [with_origin(a, base_url) for a in task.draft.oracle]
    await player.replay(absolute(task.draft.start_location, base_url), actions)
