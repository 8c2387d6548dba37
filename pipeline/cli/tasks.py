"""``tasksieve tasks``: the accepted tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, settings

if TYPE_CHECKING:
    from pipeline.domain.draft import Task
    from storage.store import Store


def tasks(
    app: Annotated[str | None, typer.Option(metavar="APP", help="Only of this application.")] = None,
    run: Annotated[str | None, typer.Option(metavar="RUN", help="Only of this run.")] = None,
    operation: Annotated[str | None, typer.Option(metavar="NAME", help="Only with this operation.")] = None,
    feature: Annotated[str | None, typer.Option(metavar="ID", help="Only with this feature.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="At most so many.")] = None,
    retired: Annotated[bool, typer.Option("--retired", help="Those that no longer hold, instead.")] = False,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """List accepted tasks that hold."""
    from pipeline.cli.blocks import Grid
    from pipeline.cli.console import emit, show
    from pipeline.cli.reading import known, known_operation, read

    known_operation(operation)

    async def ask(store: Store) -> list[Task]:
        await known(store, app=app, run=run)
        return await store.tasks(app=app, run=run, operation=operation, feature=feature, limit=limit, retired=retired)

    found = read(settings(config, catalogue=catalogue), ask)
    if as_json:
        kept = [
            {
                "id": t.id,
                "revision": t.revision,
                "app": t.draft.app,
                "shape": t.draft.goal.shape,
                "operations": list(t.draft.goal.operations),
                "instruction": t.draft.instruction,
                **({"retired": t.retired} if retired else {}),
            }
            for t in found
        ]
        emit({"tasks": kept})
        return 0
    rows = tuple((t.id, t.draft.app, "+".join(t.draft.goal.operations), t.draft.instruction) for t in found)
    show([Grid("", ("ID", "APP", "OPERATION", "INSTRUCTION"), rows)])
    return 0
