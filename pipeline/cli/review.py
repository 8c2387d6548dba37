"""``tasksieve review``: rejected drafts, with what ended them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, settings
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.domain.step import Trajectory
    from storage.records import Decision, DraftRecord
    from storage.store import Store

group = typer.Typer(help="Look at rejected drafts.", rich_markup_mode=None)


@group.command("list")
def list_rejected(
    app: Annotated[str | None, typer.Option(metavar="APP", help="Only of this application.")] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Only of this run.")] = None,
    reason: Annotated[str | None, typer.Option(metavar="CODE", help="Only with this reason code.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most so many.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """List rejected drafts with the reason of each."""
    from pipeline.cli.blocks import Grid
    from pipeline.cli.console import emit, show
    from pipeline.cli.reading import known, read

    async def ask(store: Store) -> list[DraftRecord]:
        await known(store, app=app, run=run)
        found = await store.rejected(app=app, run=run, reason=reason, limit=limit)
        if reason and not found:
            others = {_summary(r)["reason"] for r in await store.rejected(app=app, run=run)}
            there = f"the reasons there are: {', '.join(sorted(others))}" if others else "nothing was rejected at all"
            raise UserError(f"Nothing was rejected as {reason!r}; {there}.")
        return found

    found = read(settings(config, catalogue=catalogue), ask)
    if as_json:
        emit({"rejected": [_summary(r) for r in found]})
        return 0
    rows = tuple(tuple(_summary(r)[key] for key in ("id", "run", "reason", "instruction")) for r in found)
    show([Grid("", ("ID", "RUN", "REASON", "INSTRUCTION"), rows)])
    return 0


@group.command("show")
def show_rejected(
    id: Annotated[str, typer.Argument(metavar="ID", help="Id of a draft, or an unambiguous beginning of it.")],
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="Run of the draft; the latest that has such an id if left out.")
    ] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Show a rejected draft, which gate ended it, and the evidence."""
    from pipeline.cli.console import emit, show
    from pipeline.cli.format_task import rejected_blocks, rejected_json
    from pipeline.cli.reading import read

    loaded = settings(config, catalogue=catalogue)

    async def ask(store: Store) -> tuple[DraftRecord, Trajectory | None, list[Decision]]:
        record = await store.draft(id, run=run)
        steps = await store.trajectory(record.draft.id, run=record.run)
        return record, steps, await store.decisions(record.draft.id, run=record.run)

    found = read(loaded, ask)
    if as_json:
        emit(rejected_json(*found, loaded.picture_folder))
    else:
        show(rejected_blocks(*found, loaded.picture_folder))
    return 0


def _summary(record: DraftRecord) -> dict[str, str]:
    proof = record.proof
    ended = next((v for v in proof.verdicts if v.finding == "fail"), None) if proof else None
    return {
        "id": record.draft.id,
        "run": record.run,
        "app": record.draft.app,
        "gate": ended.gate if ended else "",
        "reason": proof.reason if proof else "",
        "explanation": ended.explanation if ended else "",
        "instruction": record.draft.instruction,
    }
