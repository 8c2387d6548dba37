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
    run: str | None
    resume: str
    operations: str
    features: str
    fresh: bool
    count: int | None
    seed: int | None
    explore_actions: int | None
    explore_seconds: float | None

    @property
    def fixed(self) -> dict[str, object]:
        """What a run keeps from its beginning and the user gave all the same."""
        lists = {"operations": comma_list(self.operations), "features": comma_list(self.features)}
        numbers = {"explore_actions": self.explore_actions, "explore_seconds": self.explore_seconds, "seed": self.seed}
        return {k: v for k, v in {**numbers, **lists}.items() if v not in (None, ())}


async def make_request(config: RunConfig, asked: Asked) -> GenerateRequest:
    """The request of a new run, or of the named one with what it was begun with.

    Raises:
        UserError: no application is named, the run's name is taken, or the flags contradict the run that goes on.
    """
    from pipeline.apps.profile_file import load_profile
    from pipeline.config import request

    sitting = {"workers": config.workers, "max_seconds": config.max_seconds, "fresh": asked.fresh}
    if asked.resume:
        return request(**sitting, **_going_on(asked, await _known_run(config, asked), config))
    if not asked.app:
        raise UserError("Name an application of `tasksieve apps`, or a run to go on with by --resume.")
    load_profile(asked.app)  # a mistake in it is told before anything is made
    await _refuse_taken(config, asked.run or "")
    return request(
        **sitting,
        app=asked.app,
        run=f"{Path(asked.app).stem}-{now():%Y%m%d-%H%M%S}" if asked.run is None else asked.run,
        count=config.count,
        seed=config.seed,
        operations=comma_list(asked.operations),
        features=comma_list(asked.features),
        explore_actions=config.explore_actions,
        explore_seconds=config.explore_seconds,
    )


def _going_on(asked: Asked, known: RunInfo, config: RunConfig) -> dict[str, object]:
    """A resumed run keeps all that decides its tasks; its count may be changed."""
    begun = {
        "explore_actions": config.explore_actions,
        "explore_seconds": config.explore_seconds,
        "operations": (),
        "features": (),
        **known.settings,
        "app": known.settings.get("app", known.app),
        "seed": known.seed,
    }
    if asked.run and asked.run != known.name:
        raise UserError(f"--run {asked.run!r} and --resume {known.name!r} name two runs; give one of them.")
    if asked.app and asked.app not in (known.app, begun["app"]):
        raise UserError(f"Run {known.name!r} is about {known.app!r}, not {asked.app!r}; leave the application out.")
    for key, value in asked.fixed.items():
        if value != (tuple(begun[key]) if isinstance(value, tuple) else begun[key]):
            flag = "--" + key.replace("_", "-")
            raise UserError(
                f"Run {known.name!r} was begun with {flag} {begun[key]!r}; leave {flag} out to go on with it."
            )
    kept = {k: begun[k] for k in ("app", "seed", "operations", "features", "explore_actions", "explore_seconds")}
    return {**kept, "run": known.name, "count": asked.count or known.count, "resume": True}


def as_begun(config: RunConfig, wanted: GenerateRequest) -> RunConfig:
    """Settings that say what the request says, so that a resumed run explores and drafts as it began."""
    told = {key: getattr(wanted, key) for key in ("count", "seed", "workers", "explore_actions", "explore_seconds")}
    return config.model_copy(update=told)


async def _known_run(config: RunConfig, asked: Asked) -> RunInfo:
    """The run to go on with; a count that it has already would be met at once."""
    async with await existing_catalogue(config) as store:
        known = await store.run(asked.resume)
        accepted = len(await store.drafts(known.name, "accepted"))
    if asked.count is not None and asked.count <= accepted:
        raise UserError(f"Run {known.name!r} has {accepted} accepted tasks already; give a --count above that.")
    return known


async def _refuse_taken(config: RunConfig, name: str) -> None:
    if name and await is_known(config, name):
        raise UserError(f"A run named {name!r} exists; go on with it by --resume {name}, or choose another name.")


async def is_known(config: RunConfig, name: str) -> bool:
    """Whether the catalogue, where there is one, has a run of this name."""
    from storage.address import catalogue_path

    path = catalogue_path(config.catalogue)
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return False
    async with await existing_catalogue(config) as store:
        return any(run.name == name for run in await store.runs())
