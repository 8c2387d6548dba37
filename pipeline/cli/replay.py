"""``tasksieve replay``: do a task's oracle again on the live application."""

from __future__ import annotations

from typing import Annotated

import typer

from pipeline.cli.options import Catalogue, ConfigFile, Debug, Json, settings
from pipeline.cli.show import TaskId


def replay(
    id: TaskId,
    headed: Annotated[bool, typer.Option("--headed", help="Show the browser while it works.")] = False,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
    catalogue: Catalogue = None,
) -> int:
    """Replay a task's oracle after a reset and evaluate it."""
    from pipeline.cli.blocks import Grid
    from pipeline.cli.console import emit, note, show
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress
    from pipeline.domain.environment import told
    from pipeline.stages.replay import replay_task

    loaded = settings(config, catalogue=catalogue)
    with progress(loaded) as sink:
        replayed = run_to_end(lambda _: replay_task(loaded, id, sink, headed), say=note).value
    result, again = replayed.evaluation, " It did not pass, and was done once more." if replayed.runs > 1 else ""
    if replayed.server_faults:
        note(told(replayed.server_faults) + again)
    if as_json:
        around = replayed.model_dump(mode="json", include={"runs", "server_faults"})
        emit({"id": replayed.id, **result.model_dump(mode="json"), "fraction": result.fraction, **around})
    else:
        rows = tuple((str(f.condition + 1), f.truth, f.expected, f.found) for f in result.findings)
        show([Grid(f"Replay: {result.outcome}", ("CONDITION", "TRUTH", "EXPECTED", "FOUND"), rows)])
    return 0 if result.outcome == "passed" else 1
