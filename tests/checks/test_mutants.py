"""Mutants: built from the goal, executed live, killed; survivors, equivalents and what cannot be built."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from proving import QueuedBench, draft, elsewhere, nothing, reached, record, scene, seen, stray, unreadable
from small_app import BOOKS, book, genre, goal, part, sample_goals, shop, snapshot, start, table

from pipeline.checks.equivalence import same_end
from pipeline.checks.mutant_goals import BUILDERS, nearly, required
from pipeline.checks.mutants import ATTEMPTS, mutants
from pipeline.domain.action import Action, Answer, Fill, Open, Select
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import Facts
from pipeline.domain.feature import EffectModel, Fixed, FromParameter, Parameter, RowEffect, Volatile
from pipeline.domain.goal import Choice
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Locator
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.state import RowChange, StateDiff
from pipeline.domain.values import normal_text
from pipeline.domain.verdict import MutantResult
from pipeline.drafters.drafting import make_draft
from pipeline.errors import AppFault

ALL = sorted(sample_goals())
CHANGING = ["create", "edit", "set", "assign", "delete", "composite"]
EDIT = draft("edit")


def _built(kind: str, of: Draft, app: KnownApp | None = None, seed: int = 1) -> tuple[Action, ...] | None:
    return BUILDERS[kind](seen(of), scene(app), random.Random(seed))


def _texts(actions: tuple[Action, ...] | None) -> list[str]:
    return [
        getattr(a, "text", getattr(a, "option", "")) for a in actions or () if isinstance(a, Fill | Select | Answer)
    ]


@given(st.text())
def test_nearly_the_same_is_never_the_same(text: str) -> None:
    assert normal_text(nearly(text)) != normal_text(text)


@pytest.mark.parametrize(("text", "near"), [("Maps", "Mapt"), ("zz", "zy"), ("v9", "v8"), ("abc!", "abd!"), ("", "x")])
def test_nearly_changes_the_last_letter_or_digit(text: str, near: str) -> None:
    assert nearly(text) == near


@pytest.mark.parametrize("operation", ALL)
def test_what_must_be_killed_follows_from_what_the_task_does(operation: str) -> None:
    of = draft(operation)
    kinds = required(seen(of))
    assert "no_op" in kinds and ("one_short" in kinds) is (len(of.oracle) >= 2)
    assert (kinds >= {"wrong_value", "wrong_entity", "one_more"}) is (operation in CHANGING)


def test_a_task_of_one_step_has_no_shorter_one() -> None:
    single = draft("navigate")
    assert len(single.oracle) == 1
    assert required(seen(single)) == {"no_op"} and _built("one_short", single) is None


@pytest.mark.parametrize("operation", CHANGING)
@pytest.mark.parametrize("kind", ["one_short", "wrong_value", "wrong_entity", "one_more"])
def test_every_changing_task_has_its_mutants_and_none_is_the_oracle(kind: str, operation: str) -> None:
    of = draft(operation)
    actions = _built(kind, of)
    assert actions and actions != of.oracle


@pytest.mark.parametrize("kind", sorted(BUILDERS))
@pytest.mark.parametrize("operation", ALL)
def test_the_same_randomness_builds_the_same_mutant(operation: str, kind: str) -> None:
    assert _built(kind, draft(operation)) == _built(kind, draft(operation))


def test_one_short_leaves_off_the_last_step() -> None:
    built = _built("one_short", EDIT) or ()
    assert (built[0], built[-1]) == (Open(location="/books/2"), EDIT.oracle[-2]), "from the form's own place"
    going = draft("navigate")
    assert len(going.oracle) < 2 or _built("one_short", going) == going.oracle[:-1]


def test_a_wrong_value_is_given_to_the_right_thing() -> None:
    actions = _built("wrong_value", EDIT) or ()
    assert actions[0] == Open(location="/books/2") and _texts(actions) != ["Amber Harbor"]


def test_a_choice_with_no_other_value_left_is_spoiled_by_another_change() -> None:
    two = (
        shop()
        .features["set-status"]
        .parameters[0]
        .model_copy(update={"options": ("New", "Lost"), "option_values": ("new", "lost")})
    )
    known = [
        f.model_copy(update={"parameters": (two,)}) if f.id == "set-status" else f for f in shop().exploration.features
    ]
    app = KnownApp(shop().exploration.model_copy(update={"features": tuple(known)}), shop().start, shop().people)
    actions = _built("wrong_value", draft("set"), app)
    assert actions and actions[0] == Open(location="/books/1") and "Lost" not in _texts(actions)


def test_a_wrong_thing_gets_the_right_value() -> None:
    actions = _built("wrong_entity", EDIT) or ()
    assert actions[0] != Open(location="/books/2") and _texts(actions) == ["Amber Harbor"]


@pytest.mark.parametrize("seed", range(12))
def test_the_other_parts_thing_is_no_wrong_one(seed: int) -> None:
    """It may be gone by then, or is changed by the goal anyway."""
    both = goal(part("set-status", book(3), status="lost"), part("edit-title", book(2), title="Amber Harbor"))
    of = draft("edit", goal=both)
    places = {a.location for a in _built("wrong_entity", of, seed=seed) or () if isinstance(a, Open)}
    assert "/books/3" in places and len(places) == 2 and "/books/2" not in places


def test_where_the_goal_names_all_things_one_of_them_is_the_wrong_one() -> None:
    rows = snapshot(table("book", ("id",), *[b for b in BOOKS if b["id"] in (2, 3)]), start().tables["genre"])
    both = goal(part("set-status", book(3), status="lost"), part("edit-title", book(2), title="Amber Harbor"))
    built = _built("wrong_entity", draft("edit", goal=both), KnownApp(shop().exploration, rows))
    assert built and Open(location="/books/2") not in built


def test_a_thing_that_has_the_value_already_is_no_wrong_one() -> None:
    rows = [{**b, "title": "Amber Harbor" if b["id"] == 3 else b["title"]} for b in BOOKS]
    app = KnownApp(shop().exploration, snapshot(table("book", ("id",), *rows), start().tables["genre"]))
    places = {(_built("wrong_entity", EDIT, app, seed) or ("",))[0] for seed in range(20)}
    assert places == {Open(location=f"/books/{b['id']}") for b in BOOKS if b["id"] not in (2, 3)}


def test_of_a_thing_that_can_only_be_deleted_the_thing_is_the_value() -> None:
    only = tuple(f for f in shop().exploration.features if f.id == "delete-genre")
    app = KnownApp(shop().exploration.model_copy(update={"features": only}), shop().start, shop().people)
    of = draft("delete", goal=goal(part("delete-genre", genre("Cooking"))))
    assert _built("wrong_value", of, app) not in (None, of.oracle)


def test_one_thing_alone_cannot_be_mistaken() -> None:
    assert _built("wrong_entity", EDIT, _with_one_book()) is None


def _with_one_book() -> KnownApp:
    rows = snapshot(table("book", ("id",), {"id": 2, "title": "River Songs", "status": "new"}), start().tables["genre"])
    return KnownApp(shop().exploration, rows)


def test_where_only_one_thing_can_be_made_the_wrong_one_has_another_name() -> None:
    only = next(f for f in shop().exploration.features if f.id == "create-genre")
    single = only.model_copy(update={"parameters": only.parameters[:1]})
    app = KnownApp(shop().exploration.model_copy(update={"features": (single,)}), shop().start, shop().people)
    named = draft("create").goal.parts[0]
    alone = goal(named.model_copy(update={"choices": named.choices[:1]}))
    actions = _built("wrong_entity", draft("create", goal=alone), app)
    assert actions and len(_texts(actions)) == 1 and _texts(actions) != ["Sagas"]


@pytest.mark.parametrize("operation", ["create", "edit", "set", "delete"])
def test_done_twice_does_the_same_again(operation: str) -> None:
    """Whether it adds up is seen when it is run."""
    actions = _built("done_twice", draft(operation)) or ()
    half = len(actions) // 2
    assert half and actions[:half] == actions[half:]


async def test_a_mutant_that_the_application_refuses_is_none() -> None:
    """Nothing changed: that the evaluator fails says no more than the run without any action did."""
    verdict, results, _ = await _judged(after=nothing(EDIT))
    assert (verdict.reason, results["wrong_value"], results["one_short"]) == (
        "mutant-missing",
        "inapplicable",
        "killed",
    )


async def test_a_short_run_that_breaks_off_is_replaced_by_the_oracle_without_its_last_step() -> None:
    verdict, results, bench = await _judged(reached(EDIT, broken=0), after=elsewhere(EDIT))
    assert (verdict.finding, results["one_short"], bench.history[1]) == ("pass", "killed", EDIT.oracle[:-1])


def _with_a_box() -> tuple[KnownApp, Draft]:
    """A form whose button does it all: its box makes no difference, or at least no cell says so."""
    box = Parameter(key="mail", label="send a copy", kind="checkbox", target=Locator(role="checkbox", name="Copy"))
    of = shop().features["edit-title"]
    with_box = of.model_copy(update={"id": "box", "operation": "set", "parameters": (*of.parameters, box)})
    known = shop().exploration.model_copy(update={"features": (*shop().exploration.features, with_box)})
    app = KnownApp(known, shop().start, shop().people)
    copied = Choice(parameter="mail", label="send a copy", value="1", shown="on", typed="on")
    asked = EDIT.goal.parts[0]
    asked = asked.model_copy(update={"feature": "box", "operation": "set", "choices": (*asked.choices, copied)})
    made = make_draft(app, goal(asked), 0, 7)
    assert made is not None
    return app, made


@pytest.mark.parametrize("idle", [True, False])
async def test_a_choice_without_which_all_ends_alike_is_asked_for_in_vain(idle: bool) -> None:
    app, of = _with_a_box()
    without = reached(of) if idle else elsewhere(of)
    verdict, _, bench = await _judged(without, of=of, after=elsewhere(of), app=app)
    assert [a.kind for a in bench.history[0]] == ["fill", "click"]
    assert verdict.reason == ("choice-without-effect" if idle else "")


def test_looking_twice_is_no_mutant() -> None:
    assert _built("done_twice", draft("search")) is None


def test_one_change_more_ends_with_the_right_one() -> None:
    actions = _built("one_more", EDIT) or ()
    assert actions[-1] == EDIT.oracle[-1] and len([a for a in actions if isinstance(a, Open)]) == 2


@given(st.integers(0, 500))
def test_one_change_more_never_touches_the_goals_own_thing(seed: int) -> None:
    actions = _built("one_more", EDIT, seed=seed)
    assert actions is None or sum(a == Open(location="/books/2") for a in actions) == 1


def test_an_application_with_one_changing_feature_still_offers_one_more() -> None:
    app = KnownApp(shop().exploration.model_copy(update={"features": (shop().features["edit-title"],)}), shop().start)
    assert _built("one_more", EDIT, app)


def test_where_no_other_thing_can_be_changed_a_setting_is_one_more() -> None:
    """The things of the only other change are the goal's own."""
    features = shop().features
    rows = snapshot(table("book", ("id",), {"id": 2, "title": "River Songs", "status": "new"}), start().tables["genre"])
    setting = features["create-genre"].model_copy(update={"id": "setting", "operation": "set"})
    known = (features["edit-title"], features["set-status"], setting)
    app = KnownApp(shop().exploration.model_copy(update={"features": known}), rows)
    assert _built("one_more", EDIT, app)


@pytest.mark.parametrize("known", [("edit-title", "delete-genre"), ("delete-genre",)])
def test_one_change_more_is_found_where_the_goal_does_all_that_can_be_done(known: tuple[str, ...]) -> None:
    """With another thing: what the goal does, and else a deletion."""
    features = tuple(shop().features[name] for name in known)
    app = KnownApp(shop().exploration.model_copy(update={"features": features}), shop().start)
    assert _built("one_more", draft("edit" if len(known) > 1 else "delete"), app)


def test_a_near_miss_types_one_letter_wrong() -> None:
    assert _texts(_built("near_miss", EDIT)) == ["Amber Harbos"]
    assert _texts(_built("near_miss", draft("read"))) == ["cie"]
    assert _built("near_miss", draft("set")) is None


def test_another_things_answer_is_a_mutant_of_questions_only() -> None:
    [answer] = _texts(_built("other_answer", draft("read")))
    assert answer in ("ann", "bob")
    assert _built("other_answer", EDIT) is None


def test_a_dump_of_the_page_is_a_mutant_of_questions_only() -> None:
    assert _texts(_built("page_dump", draft("read"))) == ["everything on the page"]
    assert _built("page_dump", EDIT) is None


async def _judged(*queue: Any, of: Draft = EDIT, after: Any = None, app: KnownApp | None = None) -> Any:
    known = seen(of)
    known.mutants.append(_killed_no_op())
    bench = QueuedBench(*queue, after=after)
    verdict = await mutants(known, scene(app), bench)  # type: ignore[arg-type]
    return verdict, {m.kind: m.result for m in known.mutants}, bench


def _killed_no_op() -> Any:
    return MutantResult(kind="no_op", result="killed")


@pytest.mark.parametrize("operation", [o for o in ALL if o != "navigate"])
async def test_where_every_mutant_dies_the_gate_passes(operation: str) -> None:
    of = draft(operation)
    verdict, results, bench = await _judged(of=of, after=elsewhere(of))
    assert verdict.finding == "pass"
    assert {k for k, r in results.items() if r == "killed"} >= required(seen(of))
    assert len(bench.history) == sum(r != "inapplicable" for r in results.values()) - 1


async def test_a_change_without_a_mutant_that_must_die_is_refused() -> None:
    verdict, results, _ = await _judged(after=elsewhere(EDIT), app=_with_one_book())
    assert (verdict.reason, results["wrong_entity"]) == ("mutant-missing", "inapplicable")


async def test_what_is_no_question_has_no_mutants_of_its_answer_for_that_reason() -> None:
    known = seen(EDIT)
    known.mutants.append(_killed_no_op())
    await mutants(known, scene(), QueuedBench(after=elsewhere(EDIT)))  # type: ignore[arg-type]
    notes = {m.kind: m.note for m in known.mutants}
    assert (notes["other_answer"], notes["page_dump"]) == ("the task is no question", "the task is no question")


async def test_a_mutant_that_lives_ends_it() -> None:
    survivor = reached(EDIT, clock=901)
    twin = survivor.facts.diff.changes[0].model_copy(  # type: ignore[union-attr]
        update={"after": {**BOOK_AFTER, "owner": "nobody saw this"}}
    )
    odd = record(Facts(diff=StateDiff(changes=(twin,)), final=survivor.facts.final))
    weak = EDIT.model_copy(update={"evaluator": EDIT.evaluator.model_copy(update={"conditions": _weak()})})
    verdict, results, bench = await _judged(odd, of=weak)
    assert (verdict.reason, results["one_short"], len(bench.history)) == ("mutant-survived", "survived", 1)


BOOK_AFTER = {"id": 2, "title": "Amber Harbor", "status": "lent", "genre": "History", "owner": "bob", "changed": 900}


def _weak() -> tuple[Any, ...]:
    """Conditions that let the owner change as well."""
    [row] = [c for c in EDIT.evaluator.conditions if isinstance(c, RowCondition)]
    return (row.model_copy(update={"cells": {**row.cells, "owner": AnyValue()}}),)


async def test_a_mutant_that_ends_as_the_oracle_does_is_equivalent_and_not_counted() -> None:
    ends = [elsewhere(EDIT)] * 5 + [reached(EDIT)] * ATTEMPTS
    verdict, results, _ = await _judged(*ends, after=elsewhere(EDIT))
    assert results["one_more"] == "equivalent"
    assert (verdict.finding, verdict.reason) == ("fail", "mutant-missing")


async def test_done_twice_may_be_equivalent() -> None:
    ends = [*[elsewhere(EDIT)] * 3, reached(EDIT, clock=950)]
    verdict, results, _ = await _judged(*ends, after=elsewhere(EDIT))
    assert (verdict.finding, results["done_twice"]) == ("pass", "equivalent")


async def test_an_evaluator_that_fails_another_way_to_the_same_end_is_too_strict() -> None:
    """The time of the oracle's own run is asked for; done twice, the thing is the same and its time another."""
    [row] = [c for c in EDIT.evaluator.conditions if isinstance(c, RowCondition)]
    timed = row.model_copy(update={"cells": {**row.cells, "changed": Equals(value=900)}})
    strict = EDIT.model_copy(update={"evaluator": EDIT.evaluator.model_copy(update={"conditions": (timed,)})})
    ends = [*[elsewhere(EDIT)] * 3, reached(EDIT, clock=950)]
    verdict, results, _ = await _judged(*ends, after=elsewhere(EDIT), of=strict)
    assert (verdict.reason, results["done_twice"]) == ("too-strict", "equivalent")


async def test_a_mutant_that_cannot_be_executed_does_not_count_as_killed() -> None:
    stuck = reached(EDIT, broken=0)
    verdict, results, _ = await _judged(nothing(EDIT), *[stuck] * ATTEMPTS, after=elsewhere(EDIT))
    assert results["wrong_value"] == "inapplicable"
    assert (verdict.reason, "wrong_value inapplicable" in verdict.evidence[0].text) == ("mutant-missing", True)


async def test_where_a_needed_mutant_cannot_be_executed_another_is_built() -> None:
    verdict, results, bench = await _judged(nothing(EDIT), reached(EDIT, broken=0), after=elsewhere(EDIT))
    assert (verdict.finding, results["wrong_value"]) == ("pass", "killed")
    assert bench.history[1] != bench.history[2]


async def test_what_is_built_again_is_no_other_mutant(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where two values are left and the same one is drawn time and again."""
    wrong, other = (_built("wrong_value", EDIT, seed=seed) for seed in (1, 2))
    drawn = iter([wrong] * 5 + [other])
    monkeypatch.setitem(BUILDERS, "wrong_value", lambda *_: next(drawn))
    verdict, results, bench = await _judged(nothing(EDIT), reached(EDIT, broken=0), after=elsewhere(EDIT))
    assert (verdict.finding, results["wrong_value"]) == ("pass", "killed")
    assert wrong and other and bench.history[1:3] == [wrong[1:], other[1:]]  # behind the place where they begin


async def test_a_mutant_whose_end_cannot_be_read_decides_nothing() -> None:
    verdict, _, _ = await _judged(unreadable(EDIT))
    assert verdict.finding == "unscored"


async def test_a_fault_around_a_mutant_goes_through() -> None:
    with pytest.raises(AppFault):
        await _judged(nothing(EDIT), AppFault("died"))


# equivalence


def _same(one: Any, other: Any, of: Draft = EDIT) -> bool:
    return same_end(of, one.facts, other.facts, scene())


def test_clocks_do_not_tell_two_ends_apart() -> None:
    assert _same(reached(EDIT, clock=1), reached(EDIT, clock=2))


def test_what_merely_looking_changes_does_not_either() -> None:
    hit = RowChange(table="meta", change="changed", key={"key": "hits"}, before={"value": 1}, after={"value": 2})
    assert _same(reached(EDIT), reached(EDIT, hit))


def test_what_may_come_along_does_not_either() -> None:
    of = draft("create")
    count = RowChange(
        table="meta", change="changed", key={"key": "genres"}, before={"key": "genres", "value": 3},
        after={"key": "genres", "value": 4},
    )  # fmt: skip
    assert _same(reached(of, count), reached(of), of)


@pytest.mark.parametrize("extra", [stray(), stray("Other")])
def test_one_change_more_does(extra: RowChange) -> None:
    assert not _same(reached(EDIT), reached(EDIT, extra))


def test_another_answer_does() -> None:
    of = draft("read")
    assert not _same(reached(of), nothing(of, answer="ann"), of)


def test_another_place_does_where_the_goal_is_a_place() -> None:
    of = draft("search")
    assert not _same(reached(of), nothing(of), of)
    assert _same(nothing(EDIT), nothing(EDIT, final=reached(of).facts.final))


def test_another_value_does() -> None:
    made = make_draft(shop(), goal(part("edit-title", book(2), title="Other")), 0, 7)
    assert made is not None and not _same(reached(EDIT), reached(made))


def _settings(name: str, time: int) -> Any:
    def held(key: str, value: Any) -> RowChange:
        return RowChange(table="option", change="changed", key={"key": key}, after={"key": key, "value": value})

    return record(Facts(diff=StateDiff(changes=(held("name", name), held("saved", time)))))


def test_a_setting_that_is_a_clock_does_not_make_its_neighbours_clocks() -> None:
    rows = tuple(
        RowEffect(table="option", change="changed", key={"key": Fixed(value=key)}, cells={"value": cell})
        for key, cell in (("name", FromParameter(parameter="title")), ("saved", Volatile()))
    )
    own = EDIT.goal.parts[0].feature
    told = shop().features[own].model_copy(update={"effects": EffectModel(rows=rows)})
    features = tuple(told if f.id == own else f for f in shop().exploration.features)
    app = KnownApp(shop().exploration.model_copy(update={"features": features}), start())

    def same(one: Any, other: Any) -> bool:
        return same_end(EDIT, one.facts, other.facts, scene(app))

    assert same(_settings("Maps", 1), _settings("Maps", 2))
    assert not same(_settings("Maps", 1), _settings("Mapt", 1))
