"""From the flags of ``generate`` to a checked request: a new run, or one that goes on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.cli.options import comma_list, existing_catalogue, now
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.config import GenerateRequest, RunConfig
    from storage.records import RunInfo


@dataclass(frozen=True)
class Asked:
    """What the user gave, unchecked; empty or None means not given."""

    app: str
    run: str
    resume: str
    operations: str
    features: str
    fresh: bool
    count: int | None
    seed: int | None


async def make_request(config: RunConfig, asked: Asked) -> GenerateRequest:
    """The request of a new run, or of the named one with what it was begun with.

    Raises:
        UserError: no application is named, the run's name is taken, or the flags contradict the run that goes on.
    """
    from pipeline.apps.profile_file import load_profile
    from pipeline.config import request

    settings = {
        "workers": config.workers,
        "explore_actions": config.explore_actions,
        "explore_seconds": config.explore_seconds,
        "max_seconds": config.max_seconds,
    }
    if asked.resume:
        return request(**settings, **_going_on(asked, await _known_run(config, asked.resume), config))
    if not asked.app:
        raise UserError("Name an application, such as 'tasksieve generate trac', or a run to go on with by --resume.")
    load_profile(asked.app)  # a mistake in it is told before anything is made
    await _refuse_taken(config, asked.run)
    return request(
        **settings,
        app=asked.app,
        run=asked.run or f"{Path(asked.app).stem}-{now():%Y%m%d-%H%M%S}",
        count=config.count,
        seed=config.seed,
        operations=comma_list(asked.operations),
        features=comma_list(asked.features),
        fresh=asked.fresh,
    )


def _going_on(asked: Asked, known: RunInfo, config: RunConfig) -> dict[str, object]:
    """A resumed run keeps its seed, operations and features; its count may be changed."""
    begun_with = str(known.settings.get("app", known.app))
    if asked.run and asked.run != known.name:
        raise UserError(f"--run {asked.run!r} and --resume {known.name!r} name two runs; give one of them.")
    if asked.app and asked.app not in (known.app, begun_with):
        raise UserError(f"Run {known.name!r} is about {known.app!r}, not {asked.app!r}; leave the application out.")
    if asked.seed is not None and asked.seed != known.seed:
        raise UserError(
            f"Run {known.name!r} has seed {known.seed}, not {asked.seed}; start a new run for another seed."
        )
    if asked.operations or asked.features:
        raise UserError(f"Run {known.name!r} keeps its own operations and features; leave the flags out.")
    return {
        "app": begun_with,
        "run": known.name,
        "count": asked.count or known.count or config.count,
        "seed": known.seed,
        "operations": tuple(known.settings.get("operations", ())),
        "features": tuple(known.settings.get("features", ())),
        "resume": True,
        "fresh": asked.fresh,
    }


async def _known_run(config: RunConfig, name: str) -> RunInfo:
    async with await existing_catalogue(config) as store:
        return await store.run(name)


async def _refuse_taken(config: RunConfig, name: str) -> None:
    if not name:
        return
    from storage.address import catalogue_path

    if not catalogue_path(config.catalogue).exists():
        return
    async with await existing_catalogue(config) as store:
        taken = any(run.name == name for run in await store.runs())
    if taken:
        raise UserError(f"A run named {name!r} exists; go on with it by --resume {name}, or choose another name.")
