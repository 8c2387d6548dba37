"""The acceptance contract as a whole: its order, its outcomes, and what it counts."""

from __future__ import annotations

from typing import Any

import pytest
from proving import QueuedBench, draft, elsewhere, nothing, reached, scene, seen, unreadable
from small_app import sample_goals

from pipeline.checks.contract import LIVE, STATIC, Proven, broken, prove
from pipeline.checks.other_ways import another_way
from pipeline.domain.draft import Draft
from pipeline.domain.verdict import GATES
from pipeline.errors import EnvironmentFault, SessionFault

EDIT = draft("edit")


async def _proven(
    of: Draft, *queue: Any, after: Any = None, oracle: Any = None, **more: Any
) -> tuple[Proven, QueuedBench]:
    bench = QueuedBench(*queue, after=after, oracle=oracle)
    return await prove(of, scene(**more), bench), bench  # type: ignore[arg-type]


async def _accepted(of: Draft) -> tuple[Proven, QueuedBench]:
    """Nothing at the start, three good oracles, the other way where there is one, and then every mutant dies."""
    ways = [reached(of)] if another_way(seen(of), scene()) else []
    return await _proven(of, nothing(of), *[reached(of)] * 2, *ways, after=elsewhere(of), oracle=reached(of))


def test_every_gate_stands_in_the_contract() -> None:
    """Once, save the oracle's, which has a second part after all others."""
    assert sorted([g for g, _ in STATIC] + [g for g, _ in LIVE[:-1]]) == sorted(GATES)
    assert LIVE[-1][0] == "oracle"


async def test_an_oracle_that_fails_after_the_mutants_is_refused() -> None:
    ways = [reached(EDIT)] if another_way(seen(EDIT), scene()) else []
    proven, _ = await _proven(EDIT, nothing(EDIT), *[reached(EDIT)] * 2, *ways, after=elsewhere(EDIT))
    assert (proven.proof.outcome, proven.proof.reason) == ("rejected", "goal-not-reached")
    assert (proven.proof.oracle_runs, proven.proof.oracle_passes) == (3, 2)


@pytest.mark.parametrize("operation", [o for o in sorted(sample_goals()) if o != "delete"])
async def test_a_draft_whose_every_gate_holds_is_accepted(operation: str) -> None:
    proven, _ = await _accepted(draft(operation))
    assert (proven.proof.outcome, proven.proof.reason) == ("accepted", "")
    assert [v.gate for v in proven.proof.verdicts] == list(GATES)


async def test_an_accepted_proof_counts_what_ran() -> None:
    proven, bench = await _accepted(EDIT)
    proof = proven.proof
    assert (proof.oracle_runs, proof.oracle_passes) == (3, 3)
    assert proof.runs == len(bench.history) + len(bench.disturbed)
    assert {m.kind for m in proof.mutants if m.result == "killed"} >= {"no_op", "one_short", "wrong_value", "one_more"}
    assert len(proven.trajectory.steps) == len(EDIT.oracle)


@pytest.mark.parametrize(
    ("of", "more", "reason"),
    [
        (draft("delete"), {"disposable": False}, "not-disposable"),
        (draft("edit", consequence="none"), {}, "unclassed"),
        (draft("edit", instruction=""), {}, "empty-instruction"),
        (draft("edit", instruction="Change the title of the book “River Songs”."), {}, "value-not-stated"),
        (EDIT, {"accepted": {EDIT.goal.fingerprint: "t1"}}, "equal-goal"),
    ],
)
async def test_what_a_static_gate_refuses_never_runs(of: Draft, more: dict[str, Any], reason: str) -> None:
    proven, bench = await _proven(of, **more)
    assert (proven.proof.outcome, proven.proof.reason) == ("rejected", reason)
    assert bench.history == bench.disturbed == [] and proven.proof.runs == 0


async def test_safety_is_decided_before_anything_that_could_run() -> None:
    order = [g for g, _ in STATIC] + [g for g, _ in LIVE]
    assert order.index("safe") < order.index("false-at-start")


@pytest.mark.parametrize(
    ("queue", "reason", "runs"),
    [
        ([reached(EDIT)], "already-true", 1),
        ([nothing(EDIT), nothing(EDIT)], "goal-not-reached", 2),
        ([nothing(EDIT), *[reached(EDIT, broken=1)] * 2], "step-not-found", 3),
    ],
)
async def test_the_first_gate_that_falls_ends_the_draft(queue: list[Any], reason: str, runs: int) -> None:
    proven, bench = await _proven(EDIT, *queue)
    assert (proven.proof.outcome, proven.proof.reason, len(bench.history)) == ("rejected", reason, runs)


async def test_a_mutant_that_cannot_be_killed_rejects() -> None:
    proven, _ = await _proven(EDIT, nothing(EDIT), *[reached(EDIT)] * 2, after=reached(EDIT))
    assert (proven.proof.outcome, proven.proof.reason) == ("rejected", "mutant-missing")
    assert {m.result for m in proven.proof.mutants} >= {"killed", "equivalent"}


@pytest.mark.parametrize("queue", [[unreadable(EDIT)], [nothing(EDIT), *[reached(EDIT)] * 2, unreadable(EDIT)]])
async def test_an_evaluation_that_decides_nothing_leaves_the_draft_unscored(queue: list[Any]) -> None:
    proven, _ = await _proven(EDIT, *queue)
    assert (proven.proof.outcome, proven.proof.reason) == ("unscored", "facts-missing")


@pytest.mark.parametrize("before", [[], [nothing(EDIT)], [nothing(EDIT), *[reached(EDIT)] * 2]])
async def test_a_broken_environment_goes_through_and_decides_nothing(before: list[Any]) -> None:
    with pytest.raises(SessionFault):
        await _proven(EDIT, *before, SessionFault("signed out"))


def test_a_broken_environment_makes_an_unscored_proof() -> None:
    proven = broken(EDIT, str(EnvironmentFault("The browser went away.")))
    assert (proven.proof.outcome, proven.proof.reason) == ("unscored", "environment-broke")
    assert "browser went away" in proven.proof.verdicts[0].explanation


async def test_only_this_drafts_traffic_and_sign_outs_are_counted() -> None:
    bench = QueuedBench(nothing(EDIT), nothing(EDIT))
    bench.sign_outs = 4
    bench.environment.traffic.off_origin_blocked = 7
    proven = await prove(EDIT, scene(), bench)  # type: ignore[arg-type]
    assert (proven.proof.sign_outs, proven.proof.off_origin_blocked) == (0, 0)


async def test_proving_twice_asks_for_the_same_runs() -> None:
    _, one = await _accepted(EDIT)
    _, other = await _accepted(EDIT)
    assert (one.history, one.disturbed) == (other.history, other.disturbed)


async def test_a_place_one_click_away_needs_no_shorter_run_that_fails() -> None:
    proven, _ = await _accepted(draft("navigate"))
    assert proven.proof.outcome == "accepted"
    assert {m.kind for m in proven.proof.mutants if m.result == "killed"} >= {"no_op"}
