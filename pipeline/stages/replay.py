"""Replay a task's oracle on a fresh instance and evaluate it; stored verdicts are not read."""

from __future__ import annotations

from pipeline.apps.processes import Owner
from pipeline.config import RunConfig
from pipeline.domain.environment import ServerFault
from pipeline.domain.evaluator import Evaluation, evaluate
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import Value
from pipeline.live.pool import Pool
from pipeline.stages.opening import open_store, work_directory
from pipeline.stages.prepare import prepare_app


class Replayed(Value):
    """What the evaluator says after the oracle of which task."""

    id: str
    evaluation: Evaluation
    runs: int = 1
    """How often the oracle was done; the last counts."""
    server_faults: tuple[ServerFault, ...] = ()
    """What the server answered with an error of its own, in all runs."""


async def replay_task(config: RunConfig, task_id: str, sink: Sink, headed: bool) -> Replayed:
    """Reset, do the oracle, evaluate; a unique beginning of the id is enough.

    Where it fails and the server broke meanwhile, it is done once more.

    Raises:
        UserError: there is no such task.
        EnvironmentFault: the application or the browser broke.
    """
    store = await open_store(config, create=False, reading=True)
    try:
        task = await store.task(task_id)
        run = await store.run((await store.draft(task.id)).run)
    finally:
        await store.close()
    draft = task.draft
    prepared = await prepare_app(str(run.settings.get("app", draft.app)), config, sink)
    owner = Owner.here(config.home)
    sink(Progress(phase="verify", message=draft.instruction, total=1))
    async with Pool(prepared, 1, work_directory(config, owner), owner, headed=headed) as pool, pool.bench() as bench:
        record = await bench.run(draft.oracle, draft.user, draft.start_location, draft.evaluator)
        runs, faults = 1, record.server_faults
        if faults and evaluate(draft.evaluator, record.facts).outcome != "passed":
            record = await bench.run(draft.oracle, draft.user, draft.start_location, draft.evaluator)
            runs, faults = 2, tuple(dict.fromkeys((*faults, *record.server_faults)))
    sink(Progress(phase="verify", message="replayed", done=1, total=1))
    return Replayed(id=task.id, evaluation=evaluate(draft.evaluator, record.facts), runs=runs, server_faults=faults)
