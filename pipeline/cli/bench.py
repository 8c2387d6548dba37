"""``tasksieve bench``: measuring the product itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.blocks import Lines
from pipeline.cli.options import ConfigFile, Debug, Json, now, settings

if TYPE_CHECKING:
    from pipeline.bench.crash import CrashFigures

PROGRAM = (sys.executable, "-c", "from pipeline.cli.main import main; main()")
"""This very program, wherever it is installed."""

group = typer.Typer(help="Measure the product itself.", rich_markup_mode=None)


@group.callback()
def bench() -> None:
    """Measure the product itself."""


@group.command("crash")
def crash(
    kills: Annotated[int, typer.Option(min=1, metavar="N", help="How often the run is killed.")] = 20,
    app: Annotated[str, typer.Option(metavar="APP", help="App profile.")] = "trac",
    count: Annotated[int, typer.Option(min=1, metavar="N", help="Accepted tasks of each run.")] = 10,
    explore_actions: Annotated[int, typer.Option(min=1, metavar="N", help="Budget of exploration, in actions.")] = 200,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Decides the moments, and what is drafted.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
) -> int:
    """Measure what a kill costs.

    A run is killed again and again, resumed, and its export compared with that of an undisturbed run.
    """
    from pipeline.bench.crash import Plan, bench_crash
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress

    loaded = settings(config, count=count, seed=seed, explore_actions=explore_actions)
    profile = str(Path(app).resolve()) if app.endswith(".toml") else app
    plan = Plan(profile, kills, loaded.count, loaded.seed, loaded.explore_actions, PROGRAM)
    folder = (loaded.runs / f"bench-crash-{now():%Y%m%d-%H%M%S}").resolve()
    with progress(loaded, app=app) as sink:
        found = run_to_end(lambda _: bench_crash(loaded, plan, folder, sink), say=note).value
    note(f"Everything the runs left is in {folder}.")
    if as_json:
        emit(found)
    else:
        show([_figures(found)])
    return 0 if found.sound else 1


def _figures(found: CrashFigures) -> Lines:
    return Lines(
        f"{found.kills} kills of a run that took {found.wall_s:.0f} s and accepted {found.accepted}",
        (
            f"equal exports after resuming: {found.equal}",
            f"tasks lost: {found.lost}",
            f"drafts mislabelled: {found.mislabelled}",
            f"processes left over: {found.leftover_processes}",
        ),
    )
