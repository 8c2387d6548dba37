"""What every measurement on a live application begins with: tasks of the catalogue, a workbench, what is known."""

from __future__ import annotations

import statistics
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from pipeline.apps.processes import Owner
from pipeline.checks.context import Scene
from pipeline.config import RunConfig
from pipeline.domain.draft import Task
from pipeline.domain.progress import Sink
from pipeline.errors import UserError
from pipeline.live.pool import Pool
from pipeline.live.workbench import Workbench
from pipeline.stages.opening import open_store, work_directory
from pipeline.stages.prepare import prepare_app
from pipeline.stages.scenes import known_app, scene


@dataclass(frozen=True)
class Ground:
    """One instance with one environment, and the tasks that are measured on it."""

    tasks: tuple[Task, ...]
    pool: Pool
    bench: Workbench
    scene: Scene


@asynccontextmanager
async def ground(config: RunConfig, app: str, count: int, sink: Sink) -> AsyncIterator[Ground]:
    """Up to ``count`` tasks of the application's latest run, spread over it, and a bench to run them on.

    Raises:
        UserError: the catalogue holds no tasks of the application.
    """
    store = await open_store(config)
    try:
        tasks = await store.tasks(app=app)
        if not tasks:
            raise UserError(f"The catalogue holds no tasks of {app!r}; run `tasksieve generate {app}` first.")
        run = await store.run((await store.draft(tasks[-1].draft.id)).run)
        known = await store.exploration(str(run.settings.get("exploration", "")))
        own = await store.tasks(app=app, run=run.name)
    finally:
        await store.close()
    if known is None:
        raise UserError(f"What run {run.name!r} explored is no longer in the catalogue.")
    prepared = await prepare_app(str(run.settings.get("app", app)), config, sink)
    owner = Owner.here(config.home)
    around = scene(prepared, known_app(prepared, known), {}, config.oracle_runs)
    async with Pool(prepared, 1, work_directory(config, owner), owner) as pool, pool.bench() as bench:
        yield Ground(tuple(_spread(own, count)), pool, bench, around)


def _spread(tasks: Sequence[Task], count: int) -> list[Task]:
    """Evenly spaced ones, the first among them."""
    if len(tasks) <= count:
        return list(tasks)
    return [tasks[i * len(tasks) // count] for i in range(count)]


def median_ms(seconds: Sequence[float]) -> float:
    """Median in milliseconds, one decimal; 0 of nothing."""
    return round(1000 * statistics.median(seconds), 1) if seconds else 0.0
