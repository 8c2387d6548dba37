"""``tasksieve bench``: measuring the product itself."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.cli.options import ConfigFile, Debug, Json, settings

group = typer.Typer(help="Measure the product itself.", rich_markup_mode=None)


@group.callback()
def bench() -> None:
    """Measure the product itself."""


@group.command("crash")
def crash(
    kills: Annotated[int, typer.Option(min=1, help="How often the run is killed.")] = 20,
    app: Annotated[str, typer.Option(help="App profile.")] = "trac",
    count: Annotated[int | None, typer.Option(help="Accepted tasks wanted.")] = None,
    seed: Annotated[int | None, typer.Option(help="Decides when it is killed and what is drafted.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
) -> int:
    """Kill a run again and again, resume it, and compare its export with that of an undisturbed run."""
    from pipeline.bench.crash import bench_crash
    from pipeline.cli.console import emit, note
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress

    loaded = settings(config, count=count, seed=seed)
    with progress(loaded, app=app) as sink:
        found = run_to_end(lambda _: bench_crash(loaded, app, kills, sink), say=note).value
    if as_json:
        emit(found)
    else:
        note(
            f"{found.equal} of {found.kills} runs equal after kill and resume; {found.lost} tasks lost, "
            f"{found.mislabelled} mislabelled, {found.leftover_processes} processes left."
        )
    return 0 if found.sound else 1
