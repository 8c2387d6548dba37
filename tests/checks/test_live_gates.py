"""Gates that judge runs, with a workbench that answers from a queue."""

from __future__ import annotations

from typing import Any

import pytest
from drawn_pages import control, page
from proving import (
    QueuedBench,
    draft,
    nothing,
    reached,
    record,
    scene,
    seen,
    trajectory,
    unreadable,
    without_rest,
)
from small_app import HITS, book, goal, part, shop

from pipeline.checks.false_at_start import false_at_start
from pipeline.checks.no_collateral import no_collateral
from pipeline.checks.oracle import oracle, oracle_after_others
from pipeline.checks.other_ways import other_ways
from pipeline.domain.action import Click, Open, Select
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import Facts
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Form
from pipeline.domain.state import RowChange, RowMask, StateDiff
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import MutantResult, Verdict
from pipeline.drafters.drafting import make_draft
from pipeline.errors import BrowserFault
from pipeline.live.workbench import RunRecord

EDIT = draft("edit")


async def _ask(gate: Any, bench: QueuedBench, of: Draft = EDIT, **more: Any) -> Verdict:
    verdict: Verdict = await gate(seen(of), scene(**more), bench)
    return verdict


# false at the start


async def test_a_goal_that_is_not_reached_yet_passes_and_kills_the_no_op_mutant() -> None:
    known = seen(EDIT)
    verdict = await false_at_start(known, scene(), QueuedBench(nothing(EDIT)))  # type: ignore[arg-type]
    assert verdict.finding == "pass" and verdict.evidence
    assert [(m.kind, m.result) for m in known.mutants] == [("no_op", "killed")]


async def test_a_goal_that_is_reached_before_anything_is_done_falls() -> None:
    verdict = await _ask(false_at_start, QueuedBench(reached(EDIT)))
    assert (verdict.finding, verdict.reason) == ("fail", "already-true")


async def test_what_changes_although_nothing_is_done_is_no_change_of_the_task() -> None:
    """A day's first visit, for one: the clock was moved since the exploration."""
    visit = RowChange(table="session", change="changed", key={"sid": "ann"}, before={"at": 1}, after={"at": 2})
    looked = record(Facts(diff=StateDiff(changes=(visit,)), final=nothing(EDIT).facts.final), trajectory(()))
    known = seen(EDIT)
    assert (await false_at_start(known, scene(), QueuedBench(looked))).finding == "pass"  # type: ignore[arg-type]
    bench = QueuedBench(*[reached(EDIT, visit)] * 3)
    assert (await oracle(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert (await no_collateral(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]


async def test_a_start_that_cannot_be_read_decides_nothing() -> None:
    assert (await _ask(false_at_start, QueuedBench(unreadable(EDIT)))).finding == "unscored"


# oracle


async def test_the_oracle_passes_every_time_the_last_after_another_task() -> None:
    bench = QueuedBench(*[reached(EDIT)] * 3)
    known = seen(EDIT)
    for gate in (oracle, oracle_after_others):
        assert (await gate(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert (known.oracle_runs, known.oracle_passes, len(bench.history)) == (3, 3, 3)
    [other] = bench.disturbed
    assert other and not isinstance(other[0], Open)
    assert [s == EDIT.start_location for s in bench.starts] == [True, True, False, True]


async def test_a_mutant_that_changed_another_thing_is_the_other_task() -> None:
    bench = QueuedBench(reached(EDIT))
    known = seen(EDIT)
    known.mutants.append(MutantResult(kind="one_more", result="killed"))
    assert (await oracle_after_others(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert bench.disturbed == []


async def test_a_thing_that_no_page_on_the_way_names_is_another_one() -> None:
    [part] = EDIT.goal.parts
    assert part.entity is not None
    hidden = part.model_copy(update={"entity": part.entity.model_copy(update={"name": "Clothing: colour"})})
    of = EDIT.model_copy(update={"goal": EDIT.goal.model_copy(update={"parts": (hidden,)})})
    verdict = await _ask(oracle, QueuedBench(reached(of)), of)
    assert (verdict.reason, verdict.explanation) == (
        "thing-not-seen",
        "'Clothing: colour' stands on no page of the oracle's way.",
    )


async def test_an_answer_that_does_not_stand_behind_its_label_is_read_from_another_column() -> None:
    of = draft("read")
    label = shop().features["read-owner"].model_copy(update={"answer_label": "shelf"})
    known = [label if f.id == label.id else f for f in shop().exploration.features]
    app = KnownApp(shop().exploration.model_copy(update={"features": tuple(known)}), shop().start)
    verdict = await oracle(seen(of), scene(app), QueuedBench(reached(of)))  # type: ignore[arg-type]
    assert verdict.reason == "answer-not-seen"


async def test_an_oracle_that_fails_once_is_refused_and_runs_no_more() -> None:
    bench = QueuedBench(reached(EDIT), nothing(EDIT))
    verdict = await _ask(oracle, bench)
    assert (verdict.reason, len(bench.history)) == ("goal-not-reached", 2)
    assert any("expected row of book changed" in e.text for e in verdict.evidence)


async def test_a_step_that_could_not_be_done_is_named() -> None:
    verdict = await _ask(oracle, QueuedBench(*[reached(EDIT, broken=1)] * 2))
    assert (verdict.reason, verdict.explanation[:6]) == ("step-not-found", "Step 2")


async def test_a_step_that_changes_nothing_is_refused() -> None:
    assert (await _ask(oracle, QueuedBench(*[reached(EDIT, idle=[2])] * 2))).reason == "step-without-effect"


async def test_a_button_that_saves_and_shows_nothing_has_its_effect_in_the_data() -> None:
    """A choice stands on the screen before it is saved; a message after it is a courtesy."""
    assert (await _ask(oracle, QueuedBench(*[reached(EDIT, idle=[3])] * 3))).finding == "pass"
    quiet = nothing(EDIT)
    record = RunRecord(reached(EDIT, idle=[3]).trajectory, quiet.facts, quiet.start, 0.0)
    assert (await _ask(oracle, QueuedBench(record, record))).reason == "step-without-effect"


@pytest.mark.parametrize("once", [{"broken": 1}, {"idle": [2]}])
async def test_a_step_that_fails_only_once_decides_nothing(once: dict[str, Any]) -> None:
    verdict = await _ask(oracle, QueuedBench(reached(EDIT, **once), reached(EDIT)))
    assert (verdict.finding, verdict.reason) == ("unscored", "step-unsteady")


async def test_a_choice_that_changes_nothing_is_dropped_and_the_rest_runs_again() -> None:
    of = draft("set")
    [at] = [n for n, a in enumerate(of.oracle) if isinstance(a, Select)]
    shorter = of.model_copy(update={"oracle": (*of.oracle[:at], *of.oracle[at + 1 :])})
    bench = QueuedBench(reached(of, idle=[at]), *[reached(shorter)] * 3)
    known = seen(of)
    assert (await oracle(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert known.draft.oracle == shorter.oracle == bench.history[-1]


async def test_a_link_to_where_one_is_already_is_dropped_from_the_way() -> None:
    """As after a creation that ends on the list from which the second part begins."""
    links = [n for n, a in enumerate(EDIT.oracle) if isinstance(a, Click) and a.target.role == "link" and n]
    at = links[0]
    shorter = EDIT.model_copy(update={"oracle": (*EDIT.oracle[:at], *EDIT.oracle[at + 1 :])})
    known = seen(EDIT)
    bench = QueuedBench(reached(EDIT, idle=[at]), *[reached(shorter)] * 2)
    assert (await oracle(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert known.draft.oracle == shorter.oracle == bench.history[-1]


async def test_an_oracle_whose_end_cannot_be_read_decides_nothing() -> None:
    verdict = await _ask(oracle, QueuedBench(record(Facts(), trajectory(EDIT.oracle))))
    assert verdict.finding == "unscored"


async def test_a_fault_around_the_oracle_goes_through() -> None:
    with pytest.raises(BrowserFault):
        await _ask(oracle, QueuedBench(BrowserFault("gone")))


# no collateral


HIT = RowChange(table="meta", change="changed", key={"key": "hits"}, before={"value": 10}, after={"value": 11})
OTHER = RowChange(table="log", change="added", key={"id": 1}, after={"id": 1})


async def _collateral(*extra: RowChange, of: Draft = EDIT, bench: QueuedBench | None = None) -> Verdict:
    return await no_collateral(seen(of, reached(of, *extra)), scene(), bench or QueuedBench())  # type: ignore[arg-type]


async def test_changes_that_the_effect_declares_are_no_collateral() -> None:
    assert (await _collateral()).finding == "pass"


async def test_what_merely_looking_changes_is_no_collateral() -> None:
    assert HITS.covers(HIT)
    assert (await _collateral(HIT)).finding == "pass"


async def test_an_undeclared_change_is_collateral() -> None:
    verdict = await _collateral(OTHER)
    assert (verdict.reason, len(verdict.evidence)) == ("undeclared-effect", 1)


async def test_an_evaluator_that_does_not_hold_the_rest_still_is_refused() -> None:
    assert (await _collateral(of=without_rest(EDIT))).reason == "rest-unchecked"


async def test_without_a_state_source_collateral_cannot_be_seen() -> None:
    assert (await _collateral(OTHER, bench=QueuedBench(observable=False))).finding == "not-applicable"


async def test_masks_of_one_row_excuse_its_columns_together() -> None:
    row = RowChange(table="log", change="changed", key={"id": 1}, before={"a": 1, "b": 1}, after={"a": 2, "b": 2})
    masks = tuple(RowMask(table="log", key={"id": 1}, columns=(c,), reason="looking") for c in "ab")
    app = shop().__class__(shop().exploration.model_copy(update={"masks": masks}), shop().start)
    known = seen(EDIT, reached(EDIT, row))
    assert (await no_collateral(known, scene(app), QueuedBench())).finding == "pass"  # type: ignore[arg-type]


# other ways


def _set_first_book() -> Draft:
    made = make_draft(shop(), goal(part("set-status", book(1), status="Lost")), 0, 7)
    assert made is not None
    return made


FIRST = _set_first_book()
"""Home links straight to this book, and the list of books does as well."""


async def test_another_way_to_the_goal_passes_as_well() -> None:
    bench = QueuedBench(reached(FIRST))
    known = seen(FIRST)
    assert (await other_ways(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert (known.ways_built, known.ways_passed) == (1, 1)
    assert len(bench.history[0]) == len(FIRST.oracle) + 1


async def test_where_the_oracles_way_cannot_be_walked_another_becomes_the_oracle() -> None:
    bench = QueuedBench(*[reached(FIRST, broken=0)] * 2, *[reached(FIRST)] * 2)
    known = seen(FIRST)
    assert (await oracle(known, scene(), bench)).finding == "pass"  # type: ignore[arg-type]
    assert known.draft.oracle == bench.history[-1] != FIRST.oracle
    assert (known.oracle_runs, known.oracle_passes, len(known.passing)) == (2, 2, 2)


async def test_where_no_way_can_be_walked_the_first_is_what_is_told() -> None:
    known = seen(FIRST)
    verdict = await oracle(known, scene(), QueuedBench(after=reached(FIRST, broken=0)))  # type: ignore[arg-type]
    assert (verdict.reason, known.draft.oracle) == ("step-not-found", FIRST.oracle)


async def test_another_way_that_fails_refuses_the_draft() -> None:
    assert (await _ask(other_ways, QueuedBench(nothing(FIRST)), FIRST)).reason == "other-way-fails"


@pytest.mark.parametrize(
    ("target", "field", "tried"), [("/search", "q", True), ("/find", "q", False), ("/search", "p", False)]
)
async def test_a_box_on_the_start_page_that_asks_the_same_place_is_another_way(
    target: str, field: str, tried: bool
) -> None:
    """It looks like the search page's own and may do something else with the same words."""
    of = draft("search")
    box = control("search", "Quick search", field)
    begun = reached(of)
    start = page("/", box, forms=[Form(index=0, method="get", target=target)])
    first, *rest = begun.trajectory.steps
    steps = (first.model_copy(update={"before": start}), *rest)
    known = seen(of, RunRecord(Trajectory(steps=steps), begun.facts, begun.start, 0.0))
    bench = QueuedBench(after=nothing(of))
    verdict = await other_ways(known, scene(), bench)  # type: ignore[arg-type]
    kinds = [[a.kind for a in actions] for actions in bench.history]
    assert ((verdict.reason, kinds) == ("other-way-fails", [["fill", "press"]])) == tried
    assert (["fill", "press"] in kinds) == tried


async def test_another_way_that_cannot_be_walked_decides_nothing() -> None:
    verdict = await _ask(other_ways, QueuedBench(reached(FIRST, broken=0)), FIRST)
    assert (verdict.finding, verdict.reason) == ("not-applicable", "way-not-walkable")


async def test_where_the_graph_knows_one_way_only_nothing_runs() -> None:
    bench = QueuedBench()
    assert (await _ask(other_ways, bench, EDIT)).reason == "no-other-way"
    assert bench.history == []


async def test_an_other_way_whose_end_cannot_be_read_decides_nothing() -> None:
    odd = record(Facts(diff=None), trajectory(FIRST.oracle))
    assert (await _ask(other_ways, QueuedBench(odd), FIRST)).finding == "unscored"
