"""Figures of a run."""

from __future__ import annotations

import finished_run as sample
import pytest

from pipeline.domain.verdict import MUTANT_KINDS, MutantResult
from pipeline.errors import UserError
from pipeline.report.run_report import Records, build_report, run_report
from storage.records import DraftRecord
from storage.store import Store

KEYS = (
    "run app stopped_by drafts accepted rejected unscored accepted_per_hour exact_replay mutants coverage "
    "operations shapes state_changing equal_goals near_duplicates off_origin_requests off_origin_blocked sign_outs "
    "wall_s tokens usd"
).split()


@pytest.fixture
async def report(tmp_path):
    async with await Store.open(str(tmp_path / "c.db"), clock=sample.clock) as store:
        await sample.fill(store)
        yield await run_report(store, "first")


def of_tasks(*tasks, known=None, **more):
    info = sample.run_info(**more)
    return build_report(Records(run=info, drafts=[], tasks=tasks, exploration=None, known_goals=known or {}))


def test_the_keys_are_those_that_are_promised(report):
    assert list(report.model_dump()) == KEYS


def test_drafts_are_counted_by_what_became_of_them(report):
    assert (report.drafts, report.accepted, report.unscored) == (6, 3, 1)
    assert report.rejected == {"already-true": 2}


def test_the_rate_is_by_the_time_of_proving(report):
    assert report.accepted_per_hour == 300.0


def test_exact_replays_are_summed_over_accepted_tasks(report):
    assert (report.exact_replay.passed, report.exact_replay.runs) == (9, 9)


def test_every_kind_of_mutant_is_listed_even_when_none_was_built(report):
    assert tuple(report.mutants.by_kind) == MUTANT_KINDS
    assert report.mutants.by_kind["page_dump"].built == 0


def test_equivalent_and_inapplicable_mutants_are_not_killed(report):
    assert (report.mutants.built, report.mutants.killed, report.mutants.survived) == (9, 6, 0)
    assert report.mutants.by_kind["done_twice"].model_dump() == {
        "built": 3,
        "killed": 0,
        "equivalent": 3,
        "inapplicable": 0,
    }


def test_a_mutant_that_survived_is_built_and_shown():
    report = of_tasks(sample.task(sample.draft(0), mutants=(MutantResult(kind="no_op", result="survived"),)))
    assert (report.mutants.survived, report.mutants.by_kind["no_op"].built) == (1, 1)


def test_coverage_counts_states_once_and_features_that_became_tasks(report):
    assert report.coverage.model_dump() == {
        "states": 2,
        "transitions": 1,
        "routes": 2,
        "forms": 4,
        "features": 2,
        "features_tasked": 3,
    }


def test_a_composite_counts_under_its_first_operation(report):
    assert report.operations == {"create": 2, "read": 1}
    assert report.shapes == {"composite": 1, "query": 1, "single": 1}
    assert report.state_changing == 2


def test_two_tasks_of_one_goal_are_one_equal_goal():
    report = of_tasks(sample.task(sample.draft(0, value="x")), sample.task(sample.draft(1, value="x")))
    assert report.equal_goals == 1


def test_a_goal_that_another_run_has_is_an_equal_goal():
    only = sample.task(sample.draft(0))
    assert of_tasks(only, known={only.draft.goal.fingerprint: only.id}).equal_goals == 0
    assert of_tasks(only, known={only.draft.goal.fingerprint: "other"}).equal_goals == 1


def test_almost_the_same_wording_is_a_near_duplicate_within_one_operation_only():
    long = "Please report a new ticket about the broken projector in the big meeting room on the third floor"
    first, second = sample.draft(0, instruction=f"{long}."), sample.draft(1, instruction=f"{long}!")
    other = sample.draft(2, "edit", instruction=f"{long}?")
    assert of_tasks(*map(sample.task, (first, second, other))).near_duplicates == 1


def test_other_values_are_no_near_duplicate(report):
    assert report.near_duplicates == 0


def test_traffic_is_that_of_the_sittings_or_of_the_proofs_whichever_saw_more():
    info = sample.run_info(stats={"blocked": 4})
    seen = sample.proof(off_origin_requests=1, off_origin_blocked=2, sign_outs=1)
    record = DraftRecord(run="first", draft=sample.draft(0), status="accepted", proof=seen, fingerprint="f")
    report = build_report(Records(run=info, drafts=[record], tasks=[], exploration=None, known_goals={}))
    assert (report.off_origin_requests, report.off_origin_blocked, report.sign_outs) == (1, 4, 1)


def test_a_run_without_any_task_has_a_report():
    report = of_tasks(prove_s=0.0)
    assert (report.accepted, report.accepted_per_hour, report.mutants.built) == (0, 0.0, 0)


async def test_an_unknown_run_is_the_users_mistake(tmp_path):
    async with await Store.open(str(tmp_path / "c.db"), clock=sample.clock) as store:
        with pytest.raises(UserError, match="nobody"):
            await run_report(store, "nobody")
