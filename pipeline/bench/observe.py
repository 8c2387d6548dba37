"""What an observation costs on the places where tasks end, held against Playwright's own accessibility snapshot."""

from __future__ import annotations

import time

from pipeline.bench.ground import ground, median_ms
from pipeline.config import RunConfig
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import Value
from pipeline.live.locations import absolute


class ObserveFigures(Value):
    """Medians in milliseconds over all places and rounds."""

    ratio: float
    """Observation by snapshot."""
    observe_ms: float
    snapshot_ms: float
    elements: int
    """In all observations of one round."""
    places: int
    rounds: int


async def bench_observe(config: RunConfig, app: str, places: int, rounds: int, sink: Sink) -> ObserveFigures:
    """Look at every place several times by turns in both ways.

    Raises:
        UserError: the catalogue holds no tasks of the application.
    """
    looked: list[float] = []
    snapped: list[float] = []
    elements = 0
    async with ground(config, app, places, sink) as at, at.pool.plain(at.bench, at.tasks[0].draft.user) as player:
        for number, task in enumerate(at.tasks):
            sink(Progress(phase="bench", message=task.draft.instruction, done=number, total=len(at.tasks)))
            last = task.trajectory.steps[-1].after.location
            seen = await at.bench.fresh(task.draft.user, last)
            elements += len(seen.elements)
            await player.replay(absolute(last, at.bench.base_url), ())
            for _ in range(rounds):
                began = time.monotonic()
                await at.bench.look()
                between = time.monotonic()
                await player.snapshot()
                looked.append(between - began)
                snapped.append(time.monotonic() - between)
    observe, snapshot = median_ms(looked), median_ms(snapped)
    return ObserveFigures(
        ratio=round(observe / snapshot, 3) if snapshot else 0.0,
        observe_ms=observe,
        snapshot_ms=snapshot,
        elements=elements,
        places=len(at.tasks),
        rounds=rounds,
    )
