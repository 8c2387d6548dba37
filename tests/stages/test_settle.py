"""Settling: in the order of drafts, up to the count or the first that is not proven."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import finished_run as sample
import pytest

from pipeline.config import GenerateRequest
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import RunCost
from pipeline.stages.settle import settle_chunk
from storage.store import Store

PREPARED: Any = SimpleNamespace(
    profile=SimpleNamespace(name="trac", version="1", licence="BSD"), template=SimpleNamespace(template_hash="hash")
)


async def settled(folder: Path, outcomes: Sequence[str], count: int) -> tuple[tuple[int, int], list[str]]:
    """What settling returns, and the status of each draft that is left; an outcome may be missing."""
    made = [sample.draft(n) for n in range(len(outcomes))]
    request = GenerateRequest(app="trac", run="one", count=count, seed=7, workers=1, explore_actions=9)
    async with await Store.open(str(folder / "c.db"), clock=lambda: datetime(2026, 3, 2, tzinfo=UTC)) as store:
        await store.create_run(sample.run_info("one"))
        await store.add_drafts("one", made)
        for draft, outcome in zip(made, outcomes, strict=True):
            if outcome:
                proof = sample.proof(outcome, "" if outcome == "accepted" else "no-effect")
                kept = Trajectory() if outcome == "accepted" else None
                await store.record_proof("one", draft.id, proof, kept, cost=RunCost())
        returned = await settle_chunk(request, store, PREPARED)
        return returned, [r.status for r in await store.drafts("one")]


async def test_what_comes_after_a_gap_waits(tmp_path: Path) -> None:
    found = await settled(tmp_path, ["accepted", "rejected", "", "accepted"], count=4)
    assert found == ((1, 0), ["accepted", "rejected", "queued", "queued"])


@pytest.mark.parametrize("last", ["accepted", "rejected", ""])
async def test_what_lies_beyond_the_count_goes_whether_it_was_proven_or_not(tmp_path: Path, last: str) -> None:
    found = await settled(tmp_path, ["accepted", "unscored", "accepted", "", last], count=2)
    assert found == ((2, 2), ["accepted", "unscored", "accepted"])
