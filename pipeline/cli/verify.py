"""``tasksieve verify``: prove tasks of the catalogue again, and retire those that no longer hold."""

from __future__ import annotations

import asyncio
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, existing_catalogue, settings
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.cli.blocks import Block
    from pipeline.config import RunConfig
    from pipeline.domain.progress import Sink
    from pipeline.stages.verify import Moved, Verified, Which

_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MOVE = re.compile(r"([+-]?\d{1,5})([mhdw])")


def verify(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Only these tasks, by id or a beginning of it.")
    ] = None,
    app: Annotated[str | None, typer.Option(metavar="APP", help="Only tasks of this application.")] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Only tasks of this run.")] = None,
    clock: Annotated[str, typer.Option(metavar="MOVE", help="Move the app's clock: +1d, -12h, +2w.")] = "",
    workers: Annotated[int | None, typer.Option(metavar="W", help="App instances side by side.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Prove tasks again on fresh instances and retire those that no longer hold.

    The whole contract is executed; stored verdicts are not read. A task that holds again is taken back.
    """
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress

    loaded = settings(config, catalogue=catalogue, workers=workers)
    moved, which = _moved(clock), _which(app, run, ids or [])
    with progress(loaded, app=app or "") as sink:
        ended = run_to_end(lambda stop: _verified(loaded, which, moved, sink, stop), say=note, drains=True)
    found = ended.value
    left = found.tasks - found.passed - found.failed - found.unscored
    if left:
        note(f"Interrupted; {left} of {found.tasks} tasks were not verified.")
    if as_json:
        emit(found)
    else:
        show(_blocks(found))
    return 130 if left else 0 if found.passed == found.tasks else 1


def _which(app: str | None, run: str | None, ids: list[str]) -> Which:
    from pipeline.stages.verify import Which

    if ids and (app or run):
        raise UserError("Name either tasks by their ids, or an application or run by --app and --run.")
    return Which(app, run, tuple(ids))


def _moved(asked: str) -> Moved:
    from pipeline.stages.verify import Moved

    if not asked:
        return Moved()
    said = _MOVE.fullmatch(asked.strip())
    if said is None:
        raise UserError(
            f"--clock {asked!r} is no time to move by; give a number and m, h, d or w, such as +1d or -12h."
        )
    return Moved(asked, timedelta(**{_UNITS[said[2]]: int(said[1])}))


async def _verified(config: RunConfig, which: Which, moved: Moved, sink: Sink, stop: asyncio.Event) -> Verified:
    from pipeline.stages.verify import verify_tasks

    async with await existing_catalogue(config) as store:
        return await verify_tasks(config, store, which, moved, sink, stop)


def _blocks(found: Verified) -> list[Block]:
    from pipeline.cli.blocks import Grid, Lines

    said = f"{found.passed} of {found.tasks} tasks hold, {found.failed} no longer do, {found.unscored} are undecided"
    reasons = tuple(f"{reason}: {count}" for reason, count in found.by_reason.items())
    rows = tuple((f.id, f.gate, f.reason, f.instruction, f.explanation) for f in found.fallen)
    blocks: list[Block] = [Lines(said, reasons)]
    return [*blocks, Grid("Retired", ("ID", "GATE", "REASON", "INSTRUCTION", "EXPLANATION"), rows)] if rows else blocks
