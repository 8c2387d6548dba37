"""What a reset costs, held against a restart of the application with a fresh copy of its data."""

from __future__ import annotations

import time

from pipeline.bench.ground import ground, median_ms
from pipeline.config import RunConfig
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import Value


class ResetFigures(Value):
    """Medians in milliseconds, each after a task that changed something; the proof of the state is included."""

    ratio: float
    """Reset by restart."""
    reset_ms: float
    restart_ms: float
    rounds: int
    restarts: int
    """Resets that had to restart the application, since it caches what had changed."""


async def bench_reset(config: RunConfig, app: str, rounds: int, sink: Sink) -> ResetFigures:
    """After each oracle one reset, and as often a restart.

    Raises:
        UserError: the catalogue holds no tasks of the application.
    """
    resets: list[float] = []
    restarts: list[float] = []
    async with ground(config, app, rounds, sink) as at:
        bench, instance = at.bench, at.bench.instance
        before = instance.restarts
        for number in range(rounds):
            task = at.tasks[number % len(at.tasks)]
            sink(Progress(phase="bench", message=task.draft.instruction, done=number, total=rounds))
            for taken, act in ((resets, instance.reset), (restarts, instance.restart)):
                await bench.arrive(task.draft.user, task.draft.start_location)
                await bench.perform(task.draft.oracle, watched=False)
                began = time.monotonic()
                await act()
                taken.append(time.monotonic() - began)
        forced = instance.restarts - before - rounds
    reset, restart = median_ms(resets), median_ms(restarts)
    return ResetFigures(
        ratio=round(reset / restart, 3) if restart else 0.0,
        reset_ms=reset,
        restart_ms=restart,
        rounds=rounds,
        restarts=forced,
    )
