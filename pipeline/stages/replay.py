"""Replay a task's oracle on a fresh instance and evaluate it; stored verdicts are not read."""

from __future__ import annotations

from pipeline.apps.processes import Owner
from pipeline.config import RunConfig
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


async def replay_task(config: RunConfig, task_id: str, sink: Sink, headed: bool) -> Replayed:
    """Reset, do the oracle, evaluate; a unique beginning of the id is enough.

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
    sink(Progress(phase="verify", message="replayed", done=1, total=1))
    return Replayed(id=task.id, evaluation=evaluate(draft.evaluator, record.facts))
