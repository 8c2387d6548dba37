"""Drawing a part of a goal: a thing that can be reached, and values other than the present ones."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_app import BOOKS, TODAY, book, shop, snapshot, table

from pipeline.domain.drawing import answerable, bound_column, draw_choice, draw_part, sought
from pipeline.domain.feature import Parameter
from pipeline.domain.goal import Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Locator
from pipeline.domain.script import script

FEATURES = sorted(shop().features)
SEEDS = st.integers(0, 10_000)


def _drawn(feature: str, seed: int, app: KnownApp | None = None) -> GoalPart | None:
    known = app or shop()
    return draw_part(known, known.features[feature], random.Random(seed), TODAY)


@pytest.mark.parametrize("feature", FEATURES)
@given(seed=SEEDS)
def test_the_same_seed_draws_the_same_part(feature: str, seed: int) -> None:
    assert _drawn(feature, seed) == _drawn(feature, seed)


@pytest.mark.parametrize("feature", ["edit-title", "set-status", "set-genre", "assign-owner"])
@given(seed=SEEDS)
def test_no_value_is_the_present_one(feature: str, seed: int) -> None:
    part = _drawn(feature, seed)
    if part is not None and part.entity is not None:
        column = bound_column(shop().features[feature], part.choices[0].parameter)
        assert column is not None and shop().row(part.entity)[column] not in (part.choices[0].value, None)


@given(SEEDS)
def test_a_persons_place_gets_a_person(seed: int) -> None:
    part = _drawn("assign-owner", seed)
    assert part is not None and part.choices[0].shown in shop().people


@given(SEEDS)
def test_a_new_thing_that_is_called_as_people_are_gets_a_person(seed: int) -> None:
    members = snapshot(table("genre", ("name",), {"name": "ann"}, {"name": "everybody"}))
    part = _drawn("create-genre", seed, KnownApp(shop().exploration, members, shop().people))
    assert part is not None and part.choices[0].shown in shop().people


@given(SEEDS)
def test_what_is_searched_for_is_there_to_be_found(seed: int) -> None:
    part = _drawn("search", seed)
    words = {w for b in BOOKS for w in str(b["title"]).split()}
    assert part is not None and part.choices[0].shown in words | {"Cooking", "History", "Poetry"}


def test_nobody_searches_for_a_small_word() -> None:
    named = snapshot(table("book", ("id",), {"id": 1, "title": "Songs from River", "owner": "ann"}))
    app = KnownApp(shop().exploration, named)
    [words] = app.features["search"].parameters
    assert sought(app, app.features["search"], words) == ["Songs", "River"]


def test_a_search_by_a_column_takes_what_stands_in_it() -> None:
    app = shop()
    [words] = app.features["search"].parameters
    by_owner = words.model_copy(update={"key": "owner", "label": "owner"})
    at_books = app.features["search"].model_copy(update={"location": "/books"})
    assert set(sought(app, at_books, by_owner)) == {str(b["owner"]) for b in BOOKS}


def test_a_search_by_a_column_that_no_known_thing_of_its_place_has_takes_any_words() -> None:
    [words] = shop().features["search"].parameters
    elsewhere = shop().features["search"].model_copy(update={"noun": "loan"})
    assert sought(shop(), elsewhere, words.model_copy(update={"key": "owner"})) == []


def test_only_what_a_list_was_seen_to_hold_is_picked_in_it() -> None:
    more = snapshot(table("genre", ("name",), *({"name": n} for n in ("Cooking", "History", "Poetry", "Sagas"))))
    app = KnownApp(shop().exploration, more)
    drawn = [_drawn("delete-genre", seed, app) for seed in range(40)]
    assert {p.entity.name for p in drawn if p and p.entity} == {"Cooking", "History", "Poetry"}


def test_without_people_nobody_is_assigned() -> None:
    assert _drawn("assign-owner", 1, KnownApp(shop().exploration, shop().start)) is None


def test_every_thing_is_drawn_sooner_or_later() -> None:
    drawn = {p.entity.name for s in range(60) if (p := _drawn("edit-title", s)) and p.entity}
    assert drawn == {b["title"] for b in BOOKS}


def test_the_account_in_use_is_left_alone() -> None:
    exploration = shop().exploration.model_copy(update={"user": "Old Maps"})
    known = KnownApp(exploration, shop().start, shop().people)
    drawn = [_drawn("edit-title", seed, known) for seed in range(40)]
    assert {p.entity.name for p in drawn if p and p.entity} == {str(b["title"]) for b in BOOKS} - {"Old Maps"}


def test_the_account_in_use_is_known_by_its_login_as_well() -> None:
    rows = [{**b, "login": login} for b, login in zip(BOOKS, ("ann", "bob", "cid"), strict=False)]
    known = KnownApp(shop().exploration, snapshot(table("book", ("id",), *rows)), ("ann", "bob", "cid"))
    drawn = [_drawn("edit-title", seed, known) for seed in range(40)]
    assert {p.entity.name for p in drawn if p and p.entity} == {str(r["title"]) for r in rows[1:]}


def test_where_there_is_no_thing_nothing_is_drawn() -> None:
    assert _drawn("edit-title", 1, KnownApp(shop().exploration, snapshot())) is None


def test_a_thing_that_cannot_be_reached_is_not_drawn() -> None:
    far = shop().exploration.model_copy(update={"transitions": ()})
    assert _drawn("edit-title", 1, KnownApp(far, shop().start)) is None


@pytest.mark.parametrize(("owner", "good"), [("ann", True), ("", False), (None, False), ("x" * 61, False)])
def test_an_answer_is_something_that_a_person_could_say(owner: str | None, good: bool) -> None:
    app = KnownApp(shop().exploration, snapshot(table("book", ("id",), {"id": 1, "title": "A tale", "owner": owner})))
    assert answerable(app, app.features["read-owner"], book(1)) is good


@pytest.mark.parametrize(("stored", "wanted"), [("1", "off"), ("0", "on"), ("true", "off"), ("", "on")])
def test_a_box_is_turned(stored: str, wanted: str) -> None:
    box = Parameter(key="title", label="shown", kind="checkbox", target=Locator(role="checkbox"))
    app = KnownApp(shop().exploration, snapshot(table("book", ("id",), {"id": 1, "title": stored})))
    choice = draw_choice(app, app.features["edit-title"], box, book(1), random.Random(1), TODAY)
    assert choice is not None and choice.typed == choice.shown == wanted


@pytest.mark.parametrize("feature", FEATURES)
@given(seed=SEEDS)
def test_whatever_is_drawn_can_be_done(feature: str, seed: int) -> None:
    part = _drawn(feature, seed)
    if part is not None:
        assert script(shop(), Goal(app="shop", shape="single", parts=(part,)))


def test_a_text_that_holds_a_number_gets_a_number() -> None:
    feature = shop().features["edit-title"]
    counted = feature.parameters[0].model_copy(update={"default": "12"})
    choice = draw_choice(shop(), feature, counted, book(1), random.Random(1), TODAY)
    assert choice is not None and choice.shown.isdigit()
