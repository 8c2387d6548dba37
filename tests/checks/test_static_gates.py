"""Gates that need no run: each with drafts that pass and drafts that fall, by their reason code."""

from __future__ import annotations

from typing import Any

import pytest
from proving import draft, scene, without_rest
from small_app import BOOKS, GENRES, book, genre, goal, part, sample_goals, shop, snapshot, table

from pipeline.checks.determined import determined
from pipeline.checks.grounded import grounded
from pipeline.checks.novel import novel
from pipeline.checks.safe import safe
from pipeline.checks.unambiguous import unambiguous
from pipeline.checks.well_formed import well_formed
from pipeline.domain.action import Click
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import AnswerIs, CellRef, Evaluator, LocationIs, NothingElse
from pipeline.domain.expectations import expected
from pipeline.domain.feature import EachRow, Fixed, FromParameter, RowEffect, Volatile
from pipeline.domain.goal import Goal
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Locator
from pipeline.domain.redact import Redactor
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.drafters.drafting import make_draft

ALL = sorted(sample_goals())


def _reason(gate: Any, of: Draft, app: KnownApp | None = None, **more: Any) -> str:
    verdict = gate(of, scene(app, **more))
    assert (verdict.finding == "fail") == bool(verdict.reason)
    return str(verdict.reason)


def _app(**features: dict[str, Any]) -> KnownApp:
    """The application with some features changed; ``-`` is written ``_``."""
    changed = {k.replace("_", "-"): v for k, v in features.items()}
    known = [f.model_copy(update=changed.get(f.id, {})) for f in shop().exploration.features]
    return KnownApp(shop().exploration.model_copy(update={"features": tuple(known)}), shop().start, shop().people)


@pytest.mark.parametrize("operation", ALL)
@pytest.mark.parametrize("gate", [well_formed, grounded, determined, unambiguous, novel, safe])
def test_what_the_drafters_make_passes_every_static_gate(gate: Any, operation: str) -> None:
    assert gate(draft(operation), scene()).finding == "pass"


# well formed


def test_two_values_under_one_label_are_refused() -> None:
    of = draft("create")
    first, second = of.goal.parts[0].choices
    twins = (first, second.model_copy(update={"label": first.label}))
    told = of.goal.parts[0].model_copy(update={"choices": twins})
    assert _reason(well_formed, of.model_copy(update={"goal": goal(told)})) == "equal-labels"


@pytest.mark.parametrize("unseen", ["\x07", "\x1b[31m", "\u200b", "\u202e"])
def test_an_instruction_with_what_nobody_can_see_or_type_is_refused(unseen: str) -> None:
    told = draft(instruction=f"Delete the book “Dune{unseen}”.")
    assert _reason(well_formed, told) == "unseen-characters"


def test_what_joins_letters_and_pictures_is_seen() -> None:
    assert well_formed(draft(instruction="Delete the book “👩\u200d🚀 می\u200cخواهم”."), scene()).finding == "pass"


def _evaluator(*conditions: Any) -> dict[str, Evaluator]:
    return {"evaluator": Evaluator(conditions=conditions)}


@pytest.mark.parametrize("conditions", [(), (NothingElse(),)])
def test_an_evaluator_in_which_nothing_has_to_become_true_is_refused(conditions: Any) -> None:
    assert _reason(well_formed, draft(**_evaluator(*conditions))) == "no-positive-condition"


def test_a_condition_that_tests_no_value_is_refused() -> None:
    empty = RowCondition(table="book", change="changed", key={"id": AnyValue()}, cells={"title": AnyValue()})
    assert _reason(well_formed, draft(**_evaluator(empty))) == "empty-condition"


@pytest.mark.parametrize(
    ("update", "reason"),
    [
        ({"instruction": "  "}, "empty-instruction"),
        ({"instruction": "Mark the book “Winter Tales” as “”."}, "empty-quotation"),
        ({"oracle": ()}, "empty-oracle"),
        ({"oracle": (Click(target=Locator(role="link", name="Edit ⟦name⟧")),)}, "unbound-placeholder"),
        ({"instruction": "Change the title of {book}."}, "unbound-placeholder"),
        ({"instruction": "Change the title to {{ title }}."}, "unbound-placeholder"),
        ({"instruction": "Change the title to <TITLE>."}, "unbound-placeholder"),
        ({"oracle": (Click(target=Locator(role="link", name="http://127.0.0.1:4711/a")),)}, "machine-bound"),
        ({"oracle": (Click(target=Locator(role="link", name="/tmp/app/data")),)}, "machine-bound"),
    ],
)
def test_what_is_empty_or_unbound_is_refused(update: dict[str, Any], reason: str) -> None:
    assert _reason(well_formed, draft(**update)) == reason


def test_a_value_may_look_like_a_placeholder() -> None:
    odd = make_draft(shop(), goal(part("edit-title", book(2), title="All about {braces}")), 0, 7)
    assert odd is not None and _reason(well_formed, odd) == ""


# grounded


def test_a_feature_that_nobody_saw_is_refused() -> None:
    assert _reason(grounded, draft("edit"), _app(edit_title={"evidence": ()})) == "unknown-feature"
    none = KnownApp(shop().exploration.model_copy(update={"features": ()}), shop().start)
    assert _reason(grounded, draft("edit"), none) == "unknown-feature"


def test_an_effect_seen_once_is_refused() -> None:
    once = shop().features["edit-title"].effects.model_copy(update={"executions": 1})
    assert _reason(grounded, draft("edit"), _app(edit_title={"effects": once})) == "effect-not-learned"


def test_a_thing_that_does_not_exist_is_refused() -> None:
    gone = snapshot(table("book", ("id",), *BOOKS[:1]), table("genre", ("name",), *GENRES))
    assert _reason(grounded, draft("edit"), KnownApp(shop().exploration, gone)) == "no-such-entity"


@pytest.mark.parametrize(
    "instruction",
    ["Change the title of the book “River Songs” to “Amber Harbor” in “Advanced settings”.",
     "Change the title of the book “River Sons” to “Amber Harbor”.",
     "Change the title of the book “River Songs” to “”."],
)  # fmt: skip
def test_a_quoted_word_without_evidence_is_refused(instruction: str) -> None:
    assert _reason(grounded, draft("edit", instruction=instruction)) == "ungrounded-word"


def test_a_name_that_holds_quotation_marks_is_one_word() -> None:
    """As of an offer of “Newspaper coupons”."""
    edit = draft("edit")
    part = edit.goal.parts[0]
    assert part.entity is not None
    titled = {**next(b for b in BOOKS if b["id"] == part.entity.key), "title": "Songs of “Rivers”"}
    named = part.model_copy(update={"entity": part.entity.model_copy(update={"name": titled["title"]})})
    known = KnownApp(shop().exploration, snapshot(table("book", ("id",), titled), table("genre", ("name",), *GENRES)))
    told = edit.instruction.replace(part.entity.name, titled["title"])
    of = edit.model_copy(update={"goal": edit.goal.model_copy(update={"parts": (named,)}), "instruction": told})
    assert _reason(grounded, of, known) == ""
    assert _reason(grounded, of.model_copy(update={"instruction": told.replace("Rivers", "Seas")}), known) != ""


# safe


@pytest.mark.parametrize("stands", ["f4daf91a0944a4de", "•••"])
def test_a_secret_in_the_open_is_refused_and_so_is_the_place_where_one_stood(stands: str) -> None:
    redactor = Redactor(["f4daf91a0944a4de"])
    of = draft("edit", instruction=f"Go to the page “Echo {stands}”.")
    assert _reason(safe, of, redactor=redactor) == "holds-secret"
    assert _reason(safe, draft("edit"), redactor=redactor) == ""


# determined


@pytest.mark.parametrize(
    ("operation", "instruction", "reason"),
    [
        ("edit", "Change the title of the book “River Songs”.", "value-not-stated"),
        ("edit", "Change the title of the book “River Songs” to “Amber Harbors”.", "value-not-stated"),
        ("edit", "Change the title of a book to “Amber Harbor”.", "entity-not-stated"),
        ("read", "What is the owner of the book “Old Maps”, cid?", "answer-in-question"),
        ("read", "What is the owner of the book?", "entity-not-stated"),
    ],
)
def test_what_the_words_leave_out_or_give_away_is_refused(operation: str, instruction: str, reason: str) -> None:
    assert _reason(determined, draft(operation, instruction=instruction)) == reason


def test_a_value_is_stated_in_any_case_and_white_space() -> None:
    assert _reason(determined, draft("edit", instruction="Call the book “River Songs” “AMBER  harbor”.")) == ""


def test_an_answer_that_is_only_part_of_a_word_is_not_given_away() -> None:
    assert _reason(determined, draft("read", instruction="Whose is the book “Old Maps” of lucidity?")) == ""


def test_a_name_without_letters_is_nothing_a_person_would_say() -> None:
    asked = goal(part("edit-title", book(2).model_copy(update={"name": "42"}), title="Amber Harbor"))
    assert _reason(determined, draft("edit", goal=asked, instruction="Call “42” “Amber Harbor”.")) == "only-an-id"


@pytest.mark.parametrize(
    "condition",
    [
        RowCondition(table="book", change="changed", key={"id": Equals(value=2)}, cells={"n": Equals(value="17")}),
        RowCondition(table="log", change="added", key={"id": Equals(value=981)}),
        LocationIs(path="/books", query={"page": "3"}),
        AnswerIs(cell=CellRef(table="book", key={"id": 2}, column="owner")),
    ],
)
def test_a_checked_value_that_nothing_gives_is_refused(condition: Any) -> None:
    assert _reason(determined, draft("edit", **_evaluator(condition))) == "unexplained-value"


def test_constant_text_around_a_value_is_explained_with_its_blanks() -> None:
    [row] = shop().features["edit-title"].effects.rows
    framed = FromParameter(parameter="title", prefix="title: ", suffix=" (new)")
    effects = (
        shop()
        .features["edit-title"]
        .effects.model_copy(update={"rows": (row.model_copy(update={"cells": {"title": framed}}),)})
    )
    app = _app(edit_title={"effects": effects})
    asked = sample_goals()["edit"]
    assert _reason(determined, draft("edit", evaluator=expected(app, asked)), app) == ""


def test_rows_of_a_cascade_are_explained_by_what_they_point_to() -> None:
    effects = shop().features["delete-genre"].effects
    each = EachRow(column="genre", entity_column="name")
    cascade = RowEffect(table="book", change="removed", key={}, cells={}, each=each)
    app = _app(delete_genre={"effects": effects.model_copy(update={"rows": (*effects.rows, cascade)})})
    asked = goal(part("delete-genre", genre("History")))
    made = make_draft(app, asked, 0, 7)
    assert made is not None and _reason(determined, made, app) == ""


def test_on_is_not_stated_by_the_word_option() -> None:
    box = shop().features["set-status"].parameters[0].model_copy(update={"kind": "checkbox"})
    app = _app(set_status={"parameters": (box,)})
    [asked] = sample_goals()["set"].parts
    turned = asked.choices[0].model_copy(update={"value": "1", "shown": "on", "typed": "on"})
    on: Goal = goal(asked.model_copy(update={"choices": (turned,)}))
    said = "Set the option “status” of the book “Winter Tales”"
    evaluator = expected(app, on)
    assert _reason(determined, draft(goal=on, evaluator=evaluator, instruction=f"{said} differently."), app) == (
        "value-not-stated"
    )
    assert _reason(determined, draft(goal=on, evaluator=evaluator, instruction=f"{said} to on."), app) == ""


def _rows(feature: str, **update: Any) -> dict[str, Any]:
    effects = shop().features[feature].effects
    return {"effects": effects.model_copy(update={"rows": tuple(r.model_copy(update=update) for r in effects.rows)})}


def test_a_value_that_is_asked_for_and_that_nothing_checks_is_refused() -> None:
    app = _app(create_genre=_rows("create-genre", cells={"description": Volatile()}))
    assert _reason(determined, draft("create"), app) == "value-not-checked"


@pytest.mark.parametrize(("alike", "reason"), [(True, "value-not-checked"), (False, "")])
def test_a_choice_of_the_form_that_makes_no_difference_is_refused(alike: bool, reason: str) -> None:
    """The same button with the choice next to it: where that one does the same, nothing checks which was taken."""
    of = shop().features["edit-title"]
    pinned = of.model_copy(update={"pinned": (("rows", "8"),)})
    [row, *rest] = of.effects.rows
    other = row if alike else row.model_copy(update={"cells": {**row.cells, "status": Fixed(value="lost")}})
    effects = of.effects.model_copy(update={"rows": (other, *rest)})
    counted = RowEffect(table="visits", change="changed", key={"id": Fixed(value=1)}, cells={"times": Volatile()})
    effects = effects.model_copy(update={"rows": (*effects.rows, counted)})  # what merely comes along tells nothing
    twin = of.model_copy(update={"id": "twin", "pinned": (("rows", "12"),), "effects": effects})
    others = [f for f in shop().features.values() if f.id != of.id]
    app = KnownApp(shop().exploration.model_copy(update={"features": (pinned, twin, *others)}), shop().start)
    assert _reason(determined, draft("edit"), app) == reason


def test_a_form_that_makes_two_alike_where_one_is_asked_for_is_refused() -> None:
    effects = shop().features["create-genre"].effects
    row = next(r for r in effects.rows if r.change == "added")
    logged = row.model_copy(update={"table": "log", "key": {"id": Volatile()}})
    for more, reason in (((row,), "made-twice"), ((logged,), "")):
        app = _app(create_genre={"effects": effects.model_copy(update={"rows": (*effects.rows, *more)})})
        assert _reason(determined, draft("create"), app) == reason


def test_a_thing_that_is_named_and_that_nothing_checks_is_refused() -> None:
    app = _app(edit_title=_rows("edit-title", key={"id": Fixed(value=2)}))
    assert _reason(determined, draft("edit"), app) == "thing-not-checked"


def test_a_constant_that_makes_a_new_thing_what_it_is_has_to_be_said() -> None:
    row = next(r for r in shop().features["create-genre"].effects.rows if r.change == "added")
    app = _app(create_genre=_rows("create-genre", key={**row.key, "description": Fixed(value="Verse")}, cells={}))
    [asked] = sample_goals()["create"].parts
    named = goal(asked.model_copy(update={"choices": asked.choices[:1]}))
    said = f"Create a new genre called “{asked.choices[0].shown}”"
    made = draft("create", goal=named, evaluator=expected(app, named))
    assert _reason(determined, made.model_copy(update={"instruction": f"{said}."}), app) == "unstated-choice"
    assert _reason(determined, made.model_copy(update={"instruction": f"{said} in verse."}), app) == ""


# unambiguous


def _books(*rows: Any) -> KnownApp:
    return KnownApp(shop().exploration, snapshot(table("book", ("id",), *rows)))


def test_a_name_that_two_things_bear_is_refused() -> None:
    twin = {**BOOKS[1], "id": 9, "title": "river songs "}
    assert _reason(unambiguous, draft("edit"), _books(*BOOKS, twin)) == "ambiguous-entity"


def test_a_name_that_nothing_bears_is_refused() -> None:
    other = {**BOOKS[1], "title": "Renamed"}
    assert _reason(unambiguous, draft("edit"), _books(BOOKS[0], other)) == "no-such-entity"


def test_another_column_with_the_same_word_does_not_make_a_name_ambiguous() -> None:
    rows = [{"id": 2, "motto": "River Songs", "title": "River Songs"}, {"id": 3, "motto": "River Songs", "title": "X"}]
    assert _reason(unambiguous, draft("edit"), _books(*rows)) == ""


def test_versions_of_one_thing_are_one_thing() -> None:
    rows = [{**BOOKS[1], "version": n} for n in (1, 2)]
    app = KnownApp(shop().exploration, snapshot(table("book", ("id", "version"), *rows)))
    assert _reason(unambiguous, draft("edit"), app) == ""


def test_what_has_no_thing_names_none() -> None:
    assert _reason(unambiguous, draft("create"), KnownApp(shop().exploration, snapshot())) == ""


# novel


@pytest.mark.parametrize("operation", ["edit", "read"])
def test_a_goal_that_the_catalogue_has_is_refused_whatever_its_words(operation: str) -> None:
    known = draft(operation)
    other = draft(operation, instruction="Other words entirely.")
    assert _reason(novel, other, accepted={known.goal.fingerprint: "t1"}) == "equal-goal"


def test_another_goal_is_novel() -> None:
    assert _reason(novel, draft("edit"), accepted={draft("read").goal.fingerprint: "t1"}) == ""


# safe


@pytest.mark.parametrize("operation", ["create", "edit", "delete", "composite"])
@pytest.mark.parametrize("lacking", ["disposable", "resettable"])
def test_changes_are_made_only_where_nobody_misses_the_data(operation: str, lacking: str) -> None:
    assert _reason(safe, draft(operation), **{lacking: False}) == "not-disposable"


@pytest.mark.parametrize("operation", ["read", "search", "sort", "navigate"])
def test_looking_is_safe_anywhere(operation: str) -> None:
    assert _reason(safe, draft(operation), disposable=False, resettable=False) == ""


def test_a_change_without_a_class_is_refused() -> None:
    assert _reason(safe, draft("edit", consequence="none")) == "unclassed"


def test_a_consequence_counts_even_where_the_evaluator_asks_for_no_change() -> None:
    assert _reason(safe, draft("search", consequence="message"), disposable=False) == "not-disposable"


def test_holding_the_rest_still_is_no_change() -> None:
    assert _reason(safe, without_rest(draft("read")), disposable=False) == ""
