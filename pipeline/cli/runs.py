"""``tasksieve runs``: what was run, and removing what no run needs any more."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, now, settings

if TYPE_CHECKING:
    from storage.records import RunInfo
    from storage.store import Store

group = typer.Typer(help="List runs; remove unused pictures.", invoke_without_command=True, rich_markup_mode=None)


@group.callback()
def runs(
    ctx: typer.Context,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """List runs, or remove pictures that nothing refers to."""
    if ctx.invoked_subcommand:
        return 0
    from pipeline.cli.blocks import Grid
    from pipeline.cli.console import emit, show
    from pipeline.cli.reading import read

    found = read(settings(config, catalogue=catalogue), _as_they_stand)
    if as_json:
        emit({"runs": [r.model_dump(mode="json") for r in found]})
        return 0
    rows = tuple((r.name, r.app, r.created, r.phase, r.stopped_by, str(r.count), str(r.seed)) for r in found)
    columns = ("RUN", "APP", "CREATED", "PHASE", "STOPPED BY", "COUNT", "SEED")
    show([Grid("", columns, rows, frozenset({"COUNT", "SEED"}))])
    return 0


async def _as_they_stand(store: Store) -> list[RunInfo]:
    """All runs; one whose process is gone was interrupted, whatever it could still write."""
    from pipeline.apps.processes import lease_holds

    at_work = {lease.run for lease in await store.leases() if lease_holds(lease.owner)}
    gone = {"phase": "interrupted", "stopped_by": "interrupted"}
    known = await store.runs()
    return [r.model_copy(update=gone if r.phase == "running" and r.name not in at_work else {}) for r in known]


@group.command("prune")
def prune(as_json: Json = False, debug: Debug = False, config: ConfigFile = None, catalogue: Catalogue = None) -> int:
    """Remove pictures that no task or draft refers to, in this catalogue or another that shares them."""
    from pipeline.cli.console import emit, note
    from pipeline.cli.reading import read
    from storage.pictures import PictureStore

    loaded = settings(config, catalogue=catalogue)

    async def ask(store: Store) -> tuple[set[str], bool]:
        return await store.picture_addresses(), bool(await store.leases())

    pictures = PictureStore(loaded.picture_folder)
    others = [loaded.model_copy(update={"catalogue": str(path)}) for path in pictures.catalogues()]
    found = [read(each, ask) for each in (loaded, *others)]
    keep = {address for addresses, _ in found for address in addresses}
    # The rows of a run that is at work may not be written yet when its pictures already are.
    made_before = (now() - timedelta(hours=1)).timestamp() if any(busy for _, busy in found) else None
    done = pictures.prune(keep, made_before=made_before)
    if as_json:
        emit(done)
    else:
        note(f"{done.removed} pictures removed ({done.freed_bytes / 1e6:.1f} MB), {done.kept} kept.")
    return 0
