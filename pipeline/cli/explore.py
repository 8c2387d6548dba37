"""``tasksieve explore``: look at an application once and keep what was seen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import App, Catalogue, ConfigFile, Debug, Json, settings

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from pipeline.domain.exploration import Exploration
    from pipeline.domain.progress import Sink


def explore(
    app: App,
    actions: Annotated[int | None, typer.Option(metavar="N", help="Budget in actions.")] = None,
    seconds: Annotated[float | None, typer.Option(metavar="S", help="Time cap in seconds, 0 for none.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start over, whatever is stored.")] = False,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Explore an application and learn what its features do."""
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.format_exploration import exploration_blocks, exploration_json
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress

    loaded = settings(config, catalogue=catalogue, explore_actions=actions, explore_seconds=seconds)
    again = f"Run 'tasksieve explore {app}' again to go on where it stopped."
    with progress(loaded, app=app) as sink:
        ended = run_to_end(
            lambda stop: _explored(loaded, app, sink, stop, fresh), say=note, drains=True, how_to_go_on=again
        )
    if as_json:
        emit(exploration_json(ended.value))
    else:
        show(exploration_blocks(ended.value))
    if ended.interrupted:
        note(f"Interrupted. {again}")
    return 130 if ended.interrupted else 0


async def _explored(config: RunConfig, app: str, sink: Sink, stop: asyncio.Event, fresh: bool) -> Exploration:
    from pipeline.stages.explore import explore_app
    from pipeline.stages.prepare import prepare_app

    prepared = await prepare_app(app, config, sink)
    return await explore_app(
        config, prepared, sink, stop, fresh, actions=config.explore_actions, seconds=config.explore_seconds
    )
