"""Prove the queued drafts of a run, side by side; each proof is recorded whole as soon as it is found."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from pipeline.checks.context import Scene
from pipeline.checks.contract import Proven, broken, prove
from pipeline.domain.draft import Draft
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.verdict import RunCost
from pipeline.errors import EnvironmentFault, SessionFault
from pipeline.live.pool import Pool
from storage.records import DraftRecord
from storage.store import Store


@dataclass
class Tally:
    """How far a run is: what its drafts came to, and how many tasks are wanted."""

    wanted: int
    outcomes: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, records: Sequence[DraftRecord], wanted: int) -> Self:
        """As the catalogue has it."""
        return cls(wanted, Counter(r.proof.outcome for r in records if r.proof))


async def prove_queued(
    run: str, store: Store, pool: Pool, scene: Scene, sink: Sink, over: Callable[[], bool], attempts: int, wanted: int
) -> None:
    """Prove every queued draft without a proof; once ``over``, what has begun is finished and the rest left.

    ``wanted`` is how many tasks the run is to have; it is needed for progress only.

    Raises:
        RunFault: a proof could not be recorded.
        EnvironmentFault: application or browser are gone; drafts that this happened to are left for another sitting.
    """
    records = await store.drafts(run)
    tally = Tally.of(records, wanted)
    queued = [r for r in records if r.status == "queued" and r.proof is None]
    waiting = asyncio.Queue[DraftRecord]()
    for record in queued:
        waiting.put_nowait(record)

    async def work() -> None:
        while not waiting.empty() and not over():
            record = waiting.get_nowait()
            began = time.monotonic()
            proven = await prove_on(pool, record.draft, scene, attempts)
            if proven.proof.outcome == "unscored":
                await pool.prove_alive()
            cost = RunCost(seconds={"prove": time.monotonic() - began})
            await store.record_proof(
                run, record.draft.id, proven.proof, proven.trajectory, cost=cost, draft=proven.draft
            )
            tally.outcomes[proven.proof.outcome] += 1
            _report(sink, proven, tally)

    await side_by_side(work, pool.size)


async def prove_on(pool: Pool, draft: Draft, scene: Scene, attempts: int) -> Proven:
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
        why = next(f"{v.reason}: {v.explanation}" for v in proven.proof.verdicts if v.finding == "unscored")
    return _with_sign_outs(broken(draft, why), signed_out)


def _with_sign_outs(proven: Proven, more: int) -> Proven:
    """Sessions that ended under earlier attempts are counted as well."""
    return replace(proven, proof=proven.proof.model_copy(update={"sign_outs": proven.proof.sign_outs + more}))


async def side_by_side(work: Callable[[], Coroutine[Any, Any, None]], workers: int) -> None:
    """Run as many of the same work; the first error cancels the others and goes on up."""
    tasks = [asyncio.create_task(work()) for _ in range(workers)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _report(sink: Sink, proven: Proven, tally: Tally) -> None:
    done = min(tally.outcomes["accepted"], tally.wanted)
    counts = {outcome: n for outcome, n in tally.outcomes.items() if outcome != "accepted"}
    reason = f" ({proven.proof.reason})" if proven.proof.reason else ""
    outcome = "proven" if proven.proof.outcome == "accepted" else proven.proof.outcome
    said = f"{outcome}{reason}: {proven.draft.instruction}"  # accepted is what is settled, up to the count
    id = proven.draft.id
    sink(Progress(phase="prove", message=said, done=done, total=tally.wanted, counts=counts), draft=id)
