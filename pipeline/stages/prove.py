"""Prove the queued drafts of a run, side by side; each proof is recorded whole as soon as it is found."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from pipeline.checks.context import Scene
from pipeline.checks.contract import Proven, broken, prove
from pipeline.domain.draft import Draft
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.verdict import RunCost
from pipeline.errors import EnvironmentFault, SessionFault
from pipeline.live.pool import Pool
from storage.records import DraftRecord
from storage.store import Store


async def prove_queued(
    run: str, store: Store, pool: Pool, scene: Scene, sink: Sink, over: Callable[[], bool], attempts: int
) -> None:
    """Prove every queued draft without a proof; once ``over``, what has begun is finished and the rest left.

    Raises:
        RunFault: a proof could not be recorded.
    """
    queued = [r for r in await store.drafts(run, "queued") if r.proof is None]
    waiting = asyncio.Queue[DraftRecord]()
    for record in queued:
        waiting.put_nowait(record)
    done = [0]

    async def work() -> None:
        while not waiting.empty() and not over():
            record = waiting.get_nowait()
            began = time.monotonic()
            proven = await _prove(record.draft, scene, pool, attempts)
            cost = RunCost(seconds={"prove": time.monotonic() - began})
            await store.record_proof(
                run, record.draft.id, proven.proof, proven.trajectory, cost=cost, draft=proven.draft
            )
            done[0] += 1
            _report(sink, proven, done[0], len(queued))

    await _all([asyncio.create_task(work()) for _ in range(pool.size)])


async def _prove(draft: Draft, scene: Scene, pool: Pool, attempts: int) -> Proven:
    """A broken environment is tried again on a new bench; then the draft stays unscored."""
    why, signed_out = "", 0
    for _ in range(attempts):
        try:
            async with pool.bench() as bench:
                proven = await prove(draft, scene, bench)
        except EnvironmentFault as fault:
            why = str(fault)
            signed_out += isinstance(fault, SessionFault)
            continue
        if proven.proof.outcome != "unscored":
            return _with_sign_outs(proven, signed_out)
        why = proven.proof.reason
    return _with_sign_outs(broken(draft, why), signed_out)


def _with_sign_outs(proven: Proven, more: int) -> Proven:
    """Sessions that ended under earlier attempts are counted as well."""
    return replace(proven, proof=proven.proof.model_copy(update={"sign_outs": proven.proof.sign_outs + more}))


async def _all(tasks: Sequence[asyncio.Task[None]]) -> None:
    """Wait for all; the first error cancels the others and goes on up."""
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _report(sink: Sink, proven: Proven, done: int, total: int) -> None:
    said = f"{proven.proof.outcome}: {proven.draft.instruction}"[:110]
    reason = f" ({proven.proof.reason})" if proven.proof.reason else ""
    sink(Progress(phase="prove", message=said + reason, done=done, total=total), draft=proven.draft.id)
