"""Draft the next chunk: deterministic in what the catalogue holds, so that a resumed run drafts the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from pipeline.config import GenerateRequest, RunConfig
from pipeline.domain.draft import Draft
from pipeline.domain.known_app import KnownApp
from pipeline.drafters.drafting import Past, Slot, Wanted, drafts, slot_of
from pipeline.stages.scenes import today_of
from storage.records import DraftRecord
from storage.store import Store

REJECTED_COUNTS = 0.5
"""What a rejected draft counts of its slot's share."""
TIRED_AFTER = 2
"""Rejections without one acceptance after which a feature is left alone."""


async def draft_chunk(
    config: RunConfig, request: GenerateRequest, store: Store, app: KnownApp, clock: str | None
) -> int:
    """Add up to a chunk of drafts to the run and return how many; 0 when nothing new can be drafted."""
    records = await store.drafts(request.run)
    waiting = [r for r in records if r.status == "queued"]
    if waiting:
        return len(waiting)  # a kill fell between drafting and settling: these come first
    past = Past(
        goals=frozenset(r.fingerprint for r in records) | frozenset(await store.goal_fingerprints(app.exploration.app)),
        ends=frozenset(r.draft.end for r in records),
        used=Counter(p.feature for r in records for p in r.draft.goal.parts),
        tired=tired_features(records),
        made=towards_the_mix(records),
        index=max((r.draft.index for r in records), default=-1) + 1,
    )
    wanted = Wanted(request.operations, request.features)
    missing = request.count - sum(r.status == "accepted" for r in records)
    size = chunk_size(missing, config.chunk)
    made: Sequence[Draft] = list(islice(drafts(app, wanted, request.seed, today_of(clock), past), size))
    await store.add_drafts(request.run, made)
    return len(made)


def chunk_size(missing: int, most: int) -> int:
    """Drafts for so many missing tasks: a quarter more, since some fall, and two at least for those."""
    return min(most, missing + max(2, missing // 4))


def towards_the_mix(records: Sequence[DraftRecord]) -> dict[Slot, float]:
    """Drafts by slot; one that was not accepted counts in part, so that others come for it without an end."""
    made: dict[Slot, float] = {}
    for record in records:
        slot = slot_of(record.draft.goal)
        made[slot] = made.get(slot, 0.0) + (1.0 if record.status == "accepted" else REJECTED_COUNTS)
    return made


def tired_features(records: Sequence[DraftRecord]) -> frozenset[str]:
    """Features of which no draft was accepted and that alone can be blamed for several rejected ones."""
    good = {p.feature for r in records if r.status == "accepted" for p in r.draft.goal.parts}
    suspects = [{p.feature for p in r.draft.goal.parts} - good for r in records if r.status == "rejected"]
    bad = Counter(feature for few in suspects if len(few) == 1 for feature in few)
    return frozenset(f for f, n in bad.items() if n >= TIRED_AFTER)
