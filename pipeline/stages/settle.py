"""Settle a chunk: accept in the order of drafts until the count is reached; what lies beyond is as if never drafted."""

from __future__ import annotations

from itertools import takewhile

from pipeline.config import GenerateRequest
from pipeline.domain.draft import Draft, Task
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import Proof
from pipeline.live.pool import PreparedApp
from pipeline.stages.versions import tool_version
from storage.store import Store


async def settle_chunk(request: GenerateRequest, store: Store, prepared: PreparedApp) -> tuple[int, int]:
    """Decide the chunk's drafts up to the first that is not proven yet, in one transaction.

    Returns:
        How many tasks the run has now, and how many drafts lay beyond the count.
    """
    accepted_before = len(await store.drafts(request.run, "accepted"))
    queued = await store.drafts(request.run, "queued")
    proven = list(takewhile(lambda r: r.proof is not None, queued))
    accepted: list[Task] = []
    rejected: list[str] = []
    unscored: list[str] = []
    discarded: list[str] = []
    for record in proven:
        assert record.proof is not None  # taken while there is one
        if accepted_before + len(accepted) >= request.count:
            discarded.append(record.draft.id)
        elif record.proof.outcome == "accepted":
            accepted.append(task_of(record.draft, record.proof, prepared, request))
        elif record.proof.outcome == "rejected":
            rejected.append(record.draft.id)
        else:
            unscored.append(record.draft.id)
    refused = await store.settle(request.run, accepted, rejected, unscored, discarded)
    return accepted_before + len(accepted) - len(refused), len(discarded)


def task_of(draft: Draft, proof: Proof, prepared: PreparedApp, request: GenerateRequest) -> Task:
    """The accepted task; its trajectory is the one that the proof recorded."""
    profile = prepared.profile
    provenance = {
        "app": profile.name,
        "app_version": profile.version,
        "app_licence": profile.licence,
        "template_hash": prepared.template.template_hash,
        "tool_version": tool_version(),
        "seed": request.seed,
    }
    return Task(id=draft.id, draft=draft, proof=proof, trajectory=Trajectory(), provenance=provenance)
