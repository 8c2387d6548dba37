"""Later proofs of tasks."""

from __future__ import annotations

import sqlite3

import pytest
from catalogue_samples import clock, draft, proof, run_info, task

from pipeline.domain.verdict import EvidenceItem, Proof, Verdict
from pipeline.errors import RunFault
from storage import schema
from storage.records import Verification
from storage.store import Store

ID = task(draft(0)).id


def later(outcome: str = "accepted", reason: str = "") -> Verification:
    return Verification(task=ID, at="2026-04-01T00:00:00+00:00", proof=proof(outcome, reason), clock="+1d")


@pytest.fixture
async def settled(store):
    await store.add_drafts("first", [draft(0), draft(1)])
    await store.settle("first", [task(draft(0)), task(draft(1))])
    return store


async def test_a_task_that_fell_is_retired_with_the_reason(settled):
    await settled.add_verification(later("rejected", "step-not-found"))
    assert [t.retired for t in await settled.tasks(retired=True)] == ["step-not-found"]
    assert ID not in {t.id for t in await settled.tasks()}
    assert len(await settled.tasks(retired=None)) == 2
    assert (await settled.task(ID)).retired == "step-not-found"


async def test_a_task_that_holds_again_stands(settled):
    await settled.add_verification(later("rejected", "goal-not-reached"))
    await settled.add_verification(later())
    assert len(await settled.tasks()) == 2
    assert [v.proof.outcome for v in await settled.verifications(ID)] == ["rejected", "accepted"]


async def test_what_could_not_be_decided_changes_nothing(settled):
    await settled.add_verification(later("rejected", "goal-not-reached"))
    await settled.add_verification(later("unscored", "environment-broke"))
    assert [t.id for t in await settled.tasks(retired=True)] == [ID]


async def test_verifications_come_back_equal_and_the_first_proof_stays(settled):
    await settled.add_verification(later("rejected", "step-not-found"))
    assert await settled.verifications(ID) == [later("rejected", "step-not-found")]
    assert (await settled.task(ID)).proof == proof()


async def test_pictures_of_a_verification_are_in_use(settled):
    before = await settled.picture_addresses()
    item = EvidenceItem(kind="picture", text="step 2", ref="sha256/ab/" + "f" * 62 + ".jpg")
    fell = Verdict(gate="oracle", finding="fail", reason="step-not-found", evidence=(item,))
    found = later().model_copy(update={"proof": Proof(outcome="rejected", verdicts=(fell,))})
    await settled.add_verification(found)
    assert await settled.picture_addresses() - before == {item.ref}


async def test_a_task_that_is_gone_is_not_verified(store):
    with pytest.raises(RunFault, match="no longer in the catalogue"):
        await store.add_verification(later())


async def test_tasks_of_the_first_revision_stand(tmp_path, monkeypatch):
    place = tmp_path / "c.db"
    async with await Store.open(str(place), clock=clock) as store:
        await store.create_run(run_info())
        await store.add_drafts("first", [draft(0)])
        await store.settle("first", [task(draft(0))])
    with sqlite3.connect(place) as raw:
        raw.executescript(
            "ALTER TABLE tasks DROP COLUMN retired; DROP TABLE verifications;"
            "UPDATE alembic_version SET version_num = '0001'"
        )
    raw.close()
    async with await Store.open(str(place), clock=clock) as store:
        assert [t.retired for t in await store.tasks()] == [""]
        await store.add_verification(later("rejected", "step-not-found"))
        assert not await store.tasks()
    assert schema.backup_path(place, "0001").exists()
