"""``tasksieve show``: one task with everything that proves it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, settings

if TYPE_CHECKING:
    from pipeline.domain.draft import Task
    from storage.records import Verification
    from storage.store import Store

TaskId = Annotated[str, typer.Argument(metavar="ID", help="Id of a task, or an unambiguous beginning of it.")]


def show(
    id: TaskId,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Show a task and everything that proves it."""
    from pipeline.cli.console import emit
    from pipeline.cli.console import show as print_blocks
    from pipeline.cli.format_task import task_blocks, task_json
    from pipeline.cli.reading import read

    loaded = settings(config, catalogue=catalogue)

    async def ask(store: Store) -> tuple[Task, list[Verification]]:
        task = await store.task(id)
        return task, await store.verifications(task.id)

    found = read(loaded, ask)
    if as_json:
        emit(task_json(*found, loaded.picture_folder))
    else:
        print_blocks(task_blocks(*found, loaded.picture_folder))
    return 0
