"""Whole runs on the desk: proven tasks of several kinds, and the same ones whatever happens on the way."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from desk_app import Conduct
from running import Ran

from pipeline.domain.progress import Progress
from pipeline.domain.verdict import GATES
from pipeline.errors import UserError
from pipeline.stages.opening import open_store
from storage.pictures import PictureStore
from storage.records import RunInfo
from storage.rundir import RunDirectory


def test_the_count_is_reached_with_tasks_of_several_operations(whole: Ran) -> None:
    assert (whole.info.stopped_by, len(whole.tasks), whole.info.phase) == ("count", 6, "done")
    assert len({o for t in whole.tasks for o in t.draft.goal.operations}) >= 4
    assert sum(t.draft.evaluator.changes_state for t in whole.tasks) >= 2
    assert len({t.draft.goal.fingerprint for t in whole.tasks}) == 6


def test_every_task_passed_every_gate_and_no_mutant_lives(whole: Ran) -> None:
    for task in whole.tasks:
        proof = task.proof
        assert {v.gate for v in proof.verdicts} == set(GATES)
        assert {v.finding for v in proof.verdicts} <= {"pass", "not-applicable"}
        killed = {m.kind for m in proof.mutants if m.result == "killed"}
        assert {m.result for m in proof.mutants} <= {"killed", "equivalent", "inapplicable"}
        assert {"no_op", "one_short"} <= killed or len(task.draft.oracle) < 2
        if task.draft.evaluator.changes_state:
            assert {"wrong_value", "wrong_entity", "one_more"} <= killed
        assert (proof.oracle_passes, proof.sign_outs, proof.off_origin_requests) == (proof.oracle_runs, 0, 0)


def test_a_task_keeps_its_trajectory_with_pictures(whole: Ran) -> None:
    kept = PictureStore(RunDirectory(whole.config.runs, "one").pictures)
    for task in whole.tasks:
        shown = [s.picture_after for s in task.trajectory.steps if s.picture_after]
        assert len(task.trajectory.steps) == len(task.draft.oracle)
        assert shown and all(kept.path(address).is_file() for address in shown)


def test_instructions_speak_of_things_and_not_of_controls(whole: Ran) -> None:
    for task in whole.tasks:
        words = task.draft.instruction
        assert words[0].isupper() and words[-1] in ".?"
        assert not any(mechanic in words.lower() for mechanic in ("click", "button", "/items", "field_", "http"))


def test_what_was_not_accepted_keeps_its_reason_and_evidence(whole: Ran) -> None:
    for record in whole.with_status("rejected"):
        assert record.proof is not None and record.proof.reason
        failed = [v for v in record.proof.verdicts if v.finding == "fail"]
        assert len(failed) == 1 and failed[0].explanation


async def test_a_rejected_draft_keeps_its_reason_and_evidence(run_desk, conduct: Conduct) -> None:
    """The desk refuses every new club with an error page, so that no draft of one can be proven."""
    conduct.order("status 500 POST /clubs/new")
    ran = await run_desk(count=1, features=("club",), operations=("create",), settings={"max_drafts_factor": 1})
    assert (ran.tasks, ran.info.stopped_by, ran.with_status("unscored")) == ((), "exhausted", [])
    singles = [r.proof for r in ran.with_status("rejected") if r.draft.goal.shape == "single" and r.proof]
    assert singles and {p.reason for p in singles} == {"goal-not-reached"}
    gate = next(v for v in singles[0].verdicts if v.finding == "fail")
    assert gate.gate == "oracle" and {e.kind for e in gate.evidence} >= {"condition", "step"}


async def test_a_stopped_run_goes_on_to_the_same_tasks(run_desk, whole: Ran, tmp_path: Path) -> None:
    """Byte by byte, though it was stopped in the midst of a chunk."""
    stop = asyncio.Event()

    def stop_after_two_proofs(event: Progress, /, **fields: Any) -> None:
        if event.phase == "prove" and event.done >= 2 and not fields.get("settled"):
            stop.set()

    halted = await run_desk(stop_after_two_proofs, stop)
    assert halted.info.stopped_by == "interrupted" and len(halted.tasks) < 6
    done = await run_desk(resume=True)
    assert done.export(tmp_path / "resumed") == whole.export(tmp_path / "whole")
    assert done.labels == whole.labels


async def test_an_application_that_breaks_on_the_way_costs_no_task(run_desk, conduct: Conduct) -> None:
    """Drafts under which it broke are tried again: none is rejected for it and none is lost."""
    conduct.order("once die POST /*/new")
    conduct.order("once status 503 POST /*")
    ran = await run_desk(count=1, operations=("create",), settings={"chunk": 1})
    assert conduct.waiting == 0
    assert (len(ran.tasks), ran.with_status("rejected"), ran.with_status("unscored")) == (1, [], [])


async def test_an_existing_run_is_not_begun_again(run_desk, explored_config, tmp_path: Path) -> None:
    async with await open_store(explored_config(tmp_path / "run")) as store:
        await store.create_run(RunInfo(name="one", app="desk", count=3))
        with pytest.raises(UserError, match="one"):
            await run_desk(count=1)
        assert (await store.run("one")).count == 3
        assert await store.leases() == []


async def test_a_run_that_does_not_exist_cannot_go_on(run_desk) -> None:
    with pytest.raises(UserError, match="nowhere"):
        await run_desk(run="nowhere", resume=True)


async def test_a_run_that_has_all_its_tasks_proves_nothing_more(run_desk) -> None:
    phases: set[str] = set()

    def note(event: Progress, /, **fields: Any) -> None:
        phases.add(event.phase)

    few = {"count": 1, "operations": ("navigate",), "settings": {"chunk": 1}}
    first = await run_desk(**few)
    again = await run_desk(note, resume=True, **few)
    assert (again.info.stopped_by, again.labels) == ("count", first.labels)
    assert "done" in phases and "prove" not in phases


async def test_a_feature_that_the_application_does_not_have_is_a_mistake(run_desk) -> None:
    with pytest.raises(UserError, match=r"called 'nope'; its features are about: .*item"):
        await run_desk(count=1, features=("nope",))
