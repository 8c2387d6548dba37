"""``tasksieve doctor``: what is missing on this machine, and how to get it."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.cli.options import ConfigFile, Debug, Json, settings


def doctor(
    browser: Annotated[bool, typer.Option("--browser", help="Only try to start the browser.")] = False,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
) -> int:
    """Say what is missing on this machine and how to get it."""
    from pipeline.cli.blocks import Block, Grid, Lines
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.interrupt import run_to_end
    from pipeline.report.machine import examine

    loaded = settings(config)
    found = run_to_end(lambda _: examine(loaded, browser), say=note).value
    if as_json:
        emit(found)
        return 0 if found.ok else 1
    rows = tuple((f.state, f.name, f.detail) for f in found.findings)
    blocks: list[Block] = [Grid("", ("STATE", "WHAT", "DETAIL"), rows)]
    if remedies := tuple(f"{f.name}: {f.remedy}" for f in found.findings if f.remedy):
        blocks.append(Lines("What to do", remedies))
    show(blocks)
    return 0 if found.ok else 1
