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

    Once the count is reached the rest goes, proven or not: a run that was interrupted late leaves none waiting.

    Returns:
        How many tasks the run has now, and how many drafts lay beyond the count.
    """
    accepted_before = len(await store.drafts(request.run, "accepted"))
    missing = request.count - accepted_before
    queued = await store.drafts(request.run, "queued")
    accepted: list[Task] = []
    turned_down: dict[str, list[str]] = {"rejected": [], "unscored": []}
    for record in takewhile(lambda r: r.proof is not None and len(accepted) < missing, queued):
        assert record.proof is not None  # taken while there is one
        if record.proof.outcome == "accepted":
            accepted.append(task_of(record.draft, record.proof, prepared, request))
        else:
            turned_down[record.proof.outcome].append(record.draft.id)
    decided = len(accepted) + sum(map(len, turned_down.values()))
    discarded = [r.draft.id for r in queued[decided:]] if len(accepted) >= missing else []
    refused = await store.settle(request.run, accepted, **turned_down, discarded=discarded)
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
