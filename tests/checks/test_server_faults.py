"""Runs in which the server answered 5xx: what it does once decides nothing, what it does again is its way to refuse."""

from __future__ import annotations

from typing import Any

import pytest
from proving import QueuedBench, broke, draft, elsewhere, nothing, reached, scene, seen
from small_app import book, goal, part, shop

from pipeline.checks.context import Seen
from pipeline.checks.false_at_start import false_at_start
from pipeline.checks.mutants import mutants
from pipeline.checks.oracle import oracle, oracle_after_others
from pipeline.checks.other_ways import other_ways
from pipeline.domain.action import Select
from pipeline.domain.draft import Draft
from pipeline.domain.environment import ServerFault, told
from pipeline.domain.verdict import MutantResult
from pipeline.drafters.drafting import make_draft
from pipeline.errors import AppFault

EDIT = draft("edit")
SAID = "The server answered 500 to POST /save."


def _hidden() -> Draft:
    """A draft whose thing stands on no page."""
    [part] = EDIT.goal.parts
    assert part.entity is not None
    named = part.model_copy(update={"entity": part.entity.model_copy(update={"name": "Clothing: colour"})})
    return EDIT.model_copy(update={"goal": EDIT.goal.model_copy(update={"parts": (named,)})})


def _first_book() -> Draft:
    """One that can be done by two ways."""
    made = make_draft(shop(), goal(part("set-status", book(1), status="Lost")), 0, 7)
    assert made is not None
    return made


FIRST = _first_book()


async def _ask(gate: Any, *queue: Any, of: Draft = EDIT, known: Seen | None = None, after: Any = None) -> Any:
    bench = QueuedBench(*queue, after=after)
    return await gate(known or seen(of), scene(), bench), bench


# the oracle


@pytest.mark.parametrize("gate", [oracle, oracle_after_others])
async def test_a_goal_that_a_broken_server_kept_from_the_oracle_once_decides_nothing(gate: Any) -> None:
    verdict, bench = await _ask(gate, broke(nothing(EDIT)), reached(EDIT))
    assert (verdict.finding, verdict.reason, len(bench.history)) == ("unscored", "server-unsteady", 2)
    assert SAID in verdict.explanation


@pytest.mark.parametrize("gate", [oracle, oracle_after_others])
async def test_what_the_server_refuses_twice_is_refused_and_told_with_its_answer(gate: Any) -> None:
    verdict, bench = await _ask(gate, *[broke(nothing(EDIT))] * 2)
    assert (verdict.finding, verdict.reason, len(bench.history)) == ("fail", "goal-not-reached", 2)
    assert verdict.explanation == f"The evaluator does not pass. {SAID}" and verdict.evidence


async def test_an_oracle_that_fails_otherwise_the_second_time_decides_nothing() -> None:
    verdict, _ = await _ask(oracle, broke(nothing(EDIT)), reached(EDIT, broken=1))
    assert (verdict.finding, verdict.reason) == ("unscored", "server-unsteady")


@pytest.mark.parametrize("again", [True, False])
async def test_a_thing_that_an_error_page_hid_is_looked_for_again(again: bool) -> None:
    of = _hidden()
    verdict, bench = await _ask(oracle, broke(reached(of)), reached(of) if again else reached(of, broken=1), of=of)
    assert (verdict.reason, len(bench.history)) == ("thing-not-seen" if again else "server-unsteady", 2)


async def test_a_run_that_passes_although_the_server_broke_passes() -> None:
    verdict, bench = await _ask(oracle, *[broke(reached(EDIT))] * 2)
    assert (verdict.finding, len(bench.history)) == ("pass", 2)


@pytest.mark.parametrize("again", [True, False])
async def test_a_choice_is_dropped_only_where_no_passing_error_left_it_without_effect(again: bool) -> None:
    of = draft("set")
    [at] = [n for n, a in enumerate(of.oracle) if isinstance(a, Select)]
    known = seen(of)
    verdict, _ = await _ask(
        oracle, broke(reached(of, idle=[at])), reached(of, idle=[at] * again), known=known, after=reached(of)
    )
    assert (verdict.finding, verdict.reason) == (("pass", "") if again else ("unscored", "server-unsteady"))
    assert (len(known.draft.oracle) < len(of.oracle)) is again


OTHERWISE = {"server-unsteady": broke(nothing(FIRST)), "step-unsteady": reached(FIRST, broken=0)}


@pytest.mark.parametrize("reason", sorted(OTHERWISE))
async def test_a_second_way_of_which_nothing_is_decided_decides_nothing(reason: str) -> None:
    queue = [*[reached(FIRST, broken=0)] * 2, OTHERWISE[reason], reached(FIRST)]
    verdict, _ = await _ask(oracle, *queue, of=FIRST)
    assert (verdict.finding, verdict.reason) == ("unscored", reason)


async def test_what_the_server_broke_at_in_one_of_the_oracles_runs_is_not_its_way() -> None:
    known = Seen(EDIT)
    verdict, _ = await _ask(oracle, broke(reached(EDIT)), reached(EDIT), known=known)
    assert (verdict.finding, known.usual_faults) == ("pass", frozenset())


# the other gates


async def test_a_start_at_which_the_server_broke_is_looked_at_again() -> None:
    known = Seen(EDIT)
    verdict, bench = await _ask(false_at_start, broke(reached(EDIT)), nothing(EDIT), known=known)
    assert (verdict.finding, len(bench.history)) == ("pass", 2) and known.start == nothing(EDIT)


@pytest.mark.parametrize("again", [True, False])
async def test_another_way_fails_only_where_the_server_breaks_again(again: bool) -> None:
    failing, control = broke(nothing(FIRST)), reached(FIRST)
    verdict, bench = await _ask(other_ways, *[failing] * (1 + again), control, of=FIRST)
    assert (verdict.finding, len(bench.history)) == ("fail" if again else "pass", 2 + again)


async def test_a_server_that_breaks_under_the_oracle_as_well_decides_nothing() -> None:
    failing = broke(nothing(FIRST))
    with pytest.raises(AppFault, match=r"broke whatever was done\. The server answered 500 to POST /save"):
        await _ask(other_ways, failing, failing, broke(reached(FIRST)), of=FIRST)


async def _mutated(*queue: Any, after: Any, known: Seen | None = None) -> Any:
    known = known or seen(EDIT)
    known.mutants.append(MutantResult(kind="no_op", result="killed"))
    verdict, bench = await _ask(mutants, *queue, known=known, after=after)
    return verdict, {m.kind: m.result for m in known.mutants}, bench


@pytest.mark.parametrize("first", [nothing(EDIT), reached(EDIT, clock=901), reached(EDIT, broken=0)])
async def test_what_a_mutant_came_to_when_the_server_broke_once_is_forgotten(first: Any) -> None:
    usual, results, bench = await _mutated(after=elsewhere(EDIT))
    verdict, same, more = await _mutated(broke(first), after=elsewhere(EDIT))
    assert (verdict, same) == (usual, results)
    assert len(more.history) == len(bench.history) + 1 and more.history[0] == more.history[1]


async def test_a_kill_that_only_a_passing_error_made_is_none() -> None:
    ends = [*[elsewhere(EDIT)] * 3, broke(elsewhere(EDIT)), reached(EDIT, clock=950)]
    _, results, _ = await _mutated(*ends, after=elsewhere(EDIT))
    assert results["done_twice"] == "equivalent"


async def test_what_the_server_breaks_at_in_the_passing_oracle_as_well_makes_no_run_twice() -> None:
    known = seen(EDIT, broke(reached(EDIT)))
    _, _, bench = await _mutated(after=broke(elsewhere(EDIT)), known=known)
    assert len(bench.history) == len(set(bench.history))


async def test_two_breaks_that_are_not_alike_decide_nothing() -> None:
    with pytest.raises(AppFault, match="500 to POST /save"):
        await _ask(other_ways, broke(nothing(FIRST)), broke(elsewhere(FIRST)), of=FIRST)


def test_answers_are_told_once_each_and_the_first_few() -> None:
    faults = [ServerFault(method="GET", status=500, path=f"/{n}") for n in (1, 1, 2, 3, 4)]
    assert told(faults) == "The server answered 500 to GET /1, 500 to GET /2, 500 to GET /3 and more."
    assert told(()) == ""
