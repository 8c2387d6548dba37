"""``tasksieve bench``: measuring the product itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.blocks import Lines
from pipeline.cli.options import DEFAULT_APP, Catalogue, ConfigFile, Debug, Json, now, settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from pipeline.bench.crash import CrashFigures
    from pipeline.config import RunConfig
    from pipeline.domain.progress import Sink
    from pipeline.domain.values import Value

Of = Annotated[str, typer.Option("--app", metavar="APP", help="Application whose tasks are used.")]
Tasks = Annotated[int, typer.Option("--tasks", min=1, metavar="N", help="Tasks of its latest run.")]
Rounds = Annotated[int, typer.Option("--rounds", min=1, metavar="N", help="How often each is measured.")]
PROGRAM = (sys.executable, "-c", "from pipeline.cli.main import main; main()")
"""This very program, wherever it is installed."""

group = typer.Typer(help="Measure the product itself.", rich_markup_mode=None)


@group.callback()
def bench() -> None:
    """Measure the product itself."""


@group.command("crash")
def crash(
    kills: Annotated[int, typer.Option(min=1, metavar="N", help="How often the run is killed.")] = 20,
    app: Annotated[str, typer.Option(metavar="APP", help="App profile.")] = DEFAULT_APP,
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


@group.command("replay")
def replay(
    app: Of = DEFAULT_APP,
    tasks: Tasks = 12,
    rounds: Rounds = 3,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Replay oracles with the product and with Playwright alone, by turns.

    Both use the same locators, in warm sessions of one browser; resets are excluded on both sides.
    """
    from pipeline.bench.replay import bench_replay

    loaded = settings(config, catalogue=catalogue)
    return _measured(loaded, app, lambda sink: bench_replay(loaded, app, tasks, rounds, sink), as_json)


@group.command("reset")
def reset(
    app: Of = DEFAULT_APP,
    rounds: Rounds = 10,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Reset an application after its tasks, and restart it as often."""
    from pipeline.bench.reset import bench_reset

    loaded = settings(config, catalogue=catalogue)
    return _measured(loaded, app, lambda sink: bench_reset(loaded, app, rounds, sink), as_json)


@group.command("observe")
def observe(
    app: Of = DEFAULT_APP,
    tasks: Tasks = 12,
    rounds: Rounds = 5,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Look at the places where tasks end, beside Playwright's own snapshot."""
    from pipeline.bench.observe import bench_observe

    loaded = settings(config, catalogue=catalogue)
    return _measured(loaded, app, lambda sink: bench_observe(loaded, app, tasks, rounds, sink), as_json)


@group.command("contract")
def contract(
    app: Of = DEFAULT_APP,
    tasks: Tasks = 12,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Show where the time of one accepted task goes."""
    from pipeline.bench.contract import bench_contract

    loaded = settings(config, catalogue=catalogue)
    return _measured(loaded, app, lambda sink: bench_contract(loaded, app, tasks, sink), as_json)


def _measured(config: RunConfig, app: str, work: Callable[[Sink], Awaitable[Value]], as_json: bool) -> int:
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress

    async def measure() -> Value:
        return await work(sink)

    with progress(config, app=app) as sink:
        found = run_to_end(lambda _: measure(), say=note).value
    if as_json:
        emit(found)
    else:
        show([Lines(f"Measured on {app}", tuple(_figure_lines(found.model_dump())))])
    return 0


def _figure_lines(figures: dict[str, object]) -> list[str]:
    lines: list[str] = []
    for name, value in figures.items():
        if isinstance(value, dict):
            lines += [f"{name.replace('_', ' ')}, {part}: {number}" for part, number in value.items()]
        else:
            lines.append(f"{name.replace('_', ' ')}: {value}")
    return lines
