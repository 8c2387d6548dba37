"""Drafts, proofs, settling."""

from __future__ import annotations

import sqlite3

import pytest
from catalogue_samples import PICTURE, draft, proof, run_info, task, trajectory

from pipeline.domain.verdict import RunCost
from pipeline.errors import RunFault, UserError

COST = RunCost(seconds={"reset": 1.5, "browser": 2.0})


async def proved(store, *drafts, outcome="accepted", reason=""):
    await store.add_drafts("first", drafts)
    for d in drafts:
        await store.record_proof("first", d.id, proof(outcome, reason), trajectory(), cost=COST)


def rows(store, table):
    with sqlite3.connect(store.path) as raw:
        return raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


async def test_drafts_come_back_equal_and_by_index(store):
    await store.add_drafts("first", [draft(2), draft(0), draft(1)])
    records = await store.drafts("first")
    assert [r.draft for r in records] == [draft(0), draft(1), draft(2)]
    assert {r.status for r in records} == {"queued"}
    assert records[0].fingerprint == draft(0).goal.fingerprint


async def test_adding_drafts_again_changes_nothing(store):
    await proved(store, draft(0))
    await store.add_drafts("first", [draft(0, value="other"), draft(1), draft(1)])
    records = await store.drafts("first")
    assert [r.draft for r in records] == [draft(0), draft(1)]
    assert records[0].proof is not None


async def test_two_runs_may_hold_drafts_of_one_id(store):
    await store.create_run(run_info("second"))
    await store.add_drafts("first", [draft(0)])
    await store.add_drafts("second", [draft(0, value="other")])
    assert (await store.draft("d00000")).run == "second"
    assert (await store.draft("d00000", run="first")).draft == draft(0)


async def test_a_proved_draft_is_queued_with_its_proof_until_it_is_settled(store):
    await proved(store, draft(0))
    (record,) = await store.drafts("first", "queued")
    assert record.proof == proof()
    assert record.attempts == 1


async def test_a_proof_keeps_verdicts_mutants_evidence_and_the_trajectory(store):
    await proved(store, draft(0))
    assert [rows(store, t) for t in ("verdicts", "mutants", "evidence", "steps")] == [2, 2, 2, 3]
    assert await store.trajectory("d00000") == trajectory()


async def test_a_new_proof_replaces_the_one_before(store):
    await proved(store, draft(0))
    await store.record_proof("first", "d00000", proof("unscored", "app-died"), None, cost=COST)
    (record,) = await store.drafts("first")
    assert record.proof == proof("unscored", "app-died")
    assert await store.trajectory("d00000") is None
    assert [rows(store, t) for t in ("verdicts", "mutants", "evidence", "steps")] == [2, 2, 2, 0]


async def test_an_unscored_draft_can_be_proved_again(store):
    await proved(store, draft(0), outcome="unscored", reason="app-died")
    await store.settle("first", [], [], ["d00000"], [])
    assert [r.status for r in await store.drafts("first")] == ["unscored"]
    await store.record_proof("first", "d00000", proof(), trajectory(), cost=COST)
    (record,) = await store.drafts("first", "queued")
    assert (record.proof, record.attempts) == (proof(), 2)


async def test_a_settled_draft_is_not_proved_anew(store):
    await proved(store, draft(0), outcome="rejected", reason="ambiguous")
    await store.settle("first", [], ["d00000"], [], [])
    await store.record_proof("first", "d00000", proof(), None, cost=COST)
    (record,) = await store.drafts("first", "rejected")
    assert record.proof.reason == "ambiguous"


async def test_settling_twice_leaves_the_same_rows(store):
    await proved(store, draft(0), draft(1), draft(2), draft(3))
    for _ in range(2):
        await store.settle("first", [task(draft(0))], ["d00001"], ["d00002"], ["d00003"])
        statuses = {r.draft.id: r.status for r in await store.drafts("first")}
        assert statuses == {"d00000": "accepted", "d00001": "rejected", "d00002": "unscored"}
        assert await store.tasks(full=True) == [task(draft(0))]
        assert [rows(store, t) for t in ("tasks", "task_parts", "proofs", "verdicts", "steps")] == [1, 1, 3, 6, 9]


async def test_discarded_drafts_leave_no_row_but_their_cost(store):
    await proved(store, draft(0))
    await store.settle("first", [], [], [], ["d00000"])
    tables = ("drafts", "proofs", "verdicts", "mutants", "evidence", "trajectories", "steps")
    assert [rows(store, t) for t in tables] == [0] * 7
    assert await store.run_costs("first") == COST


async def test_rejected_drafts_keep_evidence_trajectory_and_pictures(store):
    await proved(store, draft(0), outcome="rejected", reason="already-true")
    await store.settle("first", [], ["d00000"], [], [])
    (record,) = await store.rejected(app="trac", reason="already-true")
    assert record.proof == proof("rejected", "already-true")
    assert await store.trajectory("d00000") == trajectory()
    assert await store.picture_addresses() == {PICTURE, "sha256/cd/" + "e" * 62 + ".jpg"}
    assert await store.rejected(reason="other") == []
    assert await store.rejected(run="second") == []


async def test_a_repaired_draft_is_kept_as_it_was_accepted(store):
    await proved(store, draft(0))
    repaired = draft(0).model_copy(update={"instruction": "Create a ticket, once."})
    shorter = trajectory(2)
    await store.settle("first", [task(repaired, shorter)], [], [], [])
    assert await store.task(task(repaired).id) == task(repaired, shorter)
    assert (await store.draft("d00000")).draft == repaired


async def test_a_draft_whose_goal_was_accepted_meanwhile_is_rejected_as_not_novel(store):
    await store.create_run(run_info("second"))
    await proved(store, draft(0))
    await store.settle("first", [task(draft(0))], [], [], [])
    await store.add_drafts("second", [draft(1, value="Summary 0"), draft(2)])
    for _ in range(2):  # the same settlement again changes nothing
        assert await store.settle("second", [task(draft(2)), task(draft(1, value="Summary 0"))]) == ["d00001"]
    late, other = await store.drafts("second")
    assert (late.status, other.status) == ("rejected", "accepted")
    assert late.proof is not None and (late.proof.outcome, late.proof.reason) == ("rejected", "equal-goal")
    assert (await store.goal_fingerprints("trac"))[draft(0).goal.fingerprint] == task(draft(0)).id


async def test_proving_or_settling_an_unknown_draft_is_a_fault_of_the_run(store):
    with pytest.raises(RunFault, match="d00009"):
        await store.record_proof("first", "d00009", proof(), None, cost=COST)
    with pytest.raises(RunFault, match="d00009"):
        await store.settle("first", [], ["d00009"], [], [])


async def test_costs_add_up_over_proofs(store):
    await proved(store, draft(0), draft(1))
    assert await store.run_costs("first") == RunCost(seconds={"browser": 4.0, "reset": 3.0})


async def test_tasks_are_found_by_operation_feature_app_and_run(store):
    await proved(store, draft(0), draft(1, feature_id="edit-ticket"))
    await store.settle("first", [task(draft(0)), task(draft(1, feature_id="edit-ticket"))], [], [], [])
    assert [t.draft.index for t in await store.tasks(feature="edit-ticket")] == [1]
    assert [t.draft.index for t in await store.tasks(operation="create", limit=1)] == [0]
    assert await store.tasks(operation="delete") == []
    assert len(await store.tasks(app="trac", run="first")) == 2
    assert await store.tasks(app="other") == []


async def test_tasks_are_listed_without_observations_unless_asked(store):
    await proved(store, draft(0))
    await store.settle("first", [task(draft(0))], [], [], [])
    (outlined,) = await store.tasks()
    assert [s.after.location for s in outlined.trajectory.steps] == ["app:/step/1", "app:/step/2", "app:/step/3"]
    assert all(not s.after.elements and not s.before.text for s in outlined.trajectory.steps)
    assert [s.action for s in outlined.trajectory.steps] == [s.action for s in trajectory().steps]


async def test_a_unique_beginning_of_an_id_is_enough(store):
    await proved(store, draft(0), draft(1), draft(20))
    await store.settle("first", [task(draft(0))], [], [], [])
    assert (await store.task(task(draft(0)).id[:8])).draft == draft(0)
    assert (await store.draft("d0002")).draft == draft(20)
    with pytest.raises(UserError, match=r"not unique.*d00000, d00001"):
        await store.draft("d0000")
    with pytest.raises(UserError, match="no task 'nothing'"):
        await store.task("nothing")
    with pytest.raises(UserError, match="no draft ''"):
        await store.draft("")


async def test_decisions_are_appended_and_cannot_be_changed(store):
    await store.add_drafts("first", [draft(0)])
    await store.add_decision("d00000", "uphold", "ann", "too vague")
    await store.add_decision("d00000", "overturn", "bob", "it is not")
    assert [(d.decision, d.reviewer) for d in await store.decisions("d00000")] == [
        ("uphold", "ann"),
        ("overturn", "bob"),
    ]
    with sqlite3.connect(store.path) as raw:
        for statement in ("UPDATE decisions SET reason = ''", "DELETE FROM decisions"):
            with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
                raw.execute(statement)
