"""``tasksieve generate``: the main job, from an application to accepted tasks in the catalogue."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.asking import Asked, as_begun, is_known, make_request
from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, names_something, settings
from pipeline.errors import TasksieveError, UserError

if TYPE_CHECKING:
    from pipeline.cli.interrupt import Finished
    from pipeline.config import GenerateRequest, RunConfig
    from pipeline.report.run_report import RunReport
    from storage.records import RunInfo


def generate(
    app: Annotated[str, typer.Argument(metavar="APP", help="App profile; may be left out with --resume.")] = "",
    count: Annotated[int | None, typer.Option(metavar="N", help="Accepted tasks wanted (30).")] = None,
    seed: Annotated[int | None, typer.Option(metavar="S", help="Decides values, order and wording (7).")] = None,
    run: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the new run.")] = None,
    resume: Annotated[str, typer.Option(metavar="RUN", help="Go on with this run.")] = "",
    workers: Annotated[int | None, typer.Option(metavar="W", help="App instances side by side (2).")] = None,
    operations: Annotated[
        str | None, typer.Option(metavar="A,B", help="Only these operations.", callback=names_something)
    ] = None,
    features: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Only these features, by id or noun.", callback=names_something)
    ] = None,
    explore_actions: Annotated[
        int | None, typer.Option(metavar="N", help="Budget of exploration, in actions (1500).")
    ] = None,
    explore_seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time cap of exploration, 0 for none.")
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Time cap of the run, 0 for none.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Explore again, whatever is stored.")] = False,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Generate tasks for an application and prove each one on it."""
    flags = {"count": count, "seed": seed, "workers": workers, "catalogue": catalogue, "max_seconds": max_seconds}
    loaded = settings(config, **flags, explore_actions=explore_actions, explore_seconds=explore_seconds)
    lists = (operations or "", features or "")
    asked = Asked(app, run, resume, *lists, fresh, count, seed, explore_actions, explore_seconds)
    return _generate(loaded, asked, as_json, _given_again(catalogue, config))


def _generate(config: RunConfig, asked: Asked, as_json: bool, given: str) -> int:
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.format_report import next_lines, report_blocks
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reading import read
    from pipeline.report.run_report import run_report

    wanted = run_to_end(lambda _: make_request(config, asked), say=note).value
    again = f"Go on with: tasksieve generate --resume {wanted.run}{given}"
    ended = _run(as_begun(config, wanted), wanted, again)
    interrupted = ended.interrupted and ended.value.stopped_by == "interrupted"
    report = read(config, lambda store: run_report(store, wanted.run))
    if interrupted:
        note(f"Interrupted; what was finished is kept. {again}")
    elif report.accepted < wanted.count:
        note(_told_short(config, wanted, report))
    if as_json:
        emit(report)
    else:
        show([*report_blocks(report), *next_lines(report)])
    return 130 if interrupted else 0 if report.accepted >= wanted.count else 1


def _told_short(config: RunConfig, wanted: GenerateRequest, report: RunReport) -> str:
    """Why there are fewer than wanted, and what may help."""
    from pipeline.cli.reading import read
    from pipeline.report.run_report import saw_everything

    more = ""
    if report.stopped_by == "exhausted":
        everything = read(config, lambda store: saw_everything(store, wanted.run))
        explored = "; all that could be reached was explored, see review list for what was rejected"
        more = explored if everything else "; a larger --explore-actions may find more to do"
    short = f"{report.accepted} of {wanted.count} tasks were accepted"
    return f"{short}; the run was stopped by {report.stopped_by!r}{more}."


def _given_again(catalogue: str | None, config: Path | None) -> str:
    """The flags that say where things are, for the command that goes on."""
    given = (("--catalogue", catalogue), ("--config", config))
    return "".join(f" {flag} {shlex.quote(str(value))}" for flag, value in given if value)


def _run(config: RunConfig, wanted: GenerateRequest, again: str) -> Finished[RunInfo]:
    from pipeline.cli.console import note
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress
    from pipeline.graph.run import generate as run_graph

    try:
        with progress(config, run=wanted.run, app=wanted.app) as sink:
            return run_to_end(
                lambda stop: run_graph(config, wanted, sink, stop), say=note, drains=True, how_to_go_on=again
            )
    except UserError:
        raise
    except TasksieveError:
        if _is_begun(config, wanted.run):
            note(f"What was finished is kept. {again}")
        raise


def _is_begun(config: RunConfig, run: str) -> bool:
    """Whether there is anything to go on with; where the catalogue cannot tell, there may be."""
    from pipeline.cli.console import note
    from pipeline.cli.interrupt import run_to_end

    try:
        return run_to_end(lambda _: is_known(config, run), say=note).value
    except TasksieveError:
        return True
