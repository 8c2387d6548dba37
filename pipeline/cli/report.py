"""``tasksieve report``: figures of one run."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, settings


def report(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.")],
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Report the figures of one run."""
    from pipeline.cli.console import emit, show
    from pipeline.cli.format_report import next_lines, report_blocks
    from pipeline.cli.reading import read
    from pipeline.report.run_report import run_report

    figures = read(settings(config, catalogue=catalogue), lambda store: run_report(store, run))
    if as_json:
        emit(figures)
    else:
        show([*report_blocks(figures), *next_lines(figures)])
    return 0
