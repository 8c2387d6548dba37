"""``tasksieve export``: accepted tasks as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, settings
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.domain.draft import Task
    from storage.store import Store

group = typer.Typer(help="Write accepted tasks as files.", rich_markup_mode=None)


@group.callback()
def export() -> None:
    """Write accepted tasks as files."""


@group.command("jsonl")
def jsonl(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="New or empty directory, or an earlier export.")],
    app: Annotated[str | None, typer.Option(metavar="APP", help="Only of this application.")] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Only of this run.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Write canonical JSON Lines and their schema.

    The same tasks give the same bytes; a directory that holds anything else is refused.
    """
    from pipeline.apps.kept_secrets import kept_secrets
    from pipeline.cli.console import emit, note
    from pipeline.cli.reading import read
    from pipeline.exports.jsonl import export_jsonl

    loaded = settings(config, catalogue=catalogue)

    async def ask(store: Store) -> list[Task]:
        if run:
            await store.run(run)  # an unknown name is a mistake, not an empty export
        return await store.tasks(app=app, run=run)

    found = read(loaded, ask)
    if not found:
        raise UserError(
            "No task of the catalogue fits, so nothing was exported; `tasksieve tasks` lists what there is."
        )
    done = export_jsonl(found, directory, kept_secrets(loaded.home))
    if as_json:
        emit(done)
    else:
        note(f"{done.tasks} tasks written to {done.directory}.")
    if done.withheld:
        note(f"Left out, since a password or session token stands in them: {', '.join(done.withheld)}.")
    return 1 if done.withheld else 0
