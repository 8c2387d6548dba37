"""From a goal to its evaluator, before anything ran."""

from __future__ import annotations

import pytest
from drawn_pages import page
from small_app import HITS, book, genre, goal, part, sample_goals, shop, snapshot, table

from pipeline.domain.evaluator import AnswerIs, LocationIs, NothingElse, Shown
from pipeline.domain.expectations import expected
from pipeline.domain.exploration import Page
from pipeline.domain.feature import EachRow, EffectModel, Fixed, FromPrior, RowEffect, Volatile
from pipeline.domain.goal import Goal
from pipeline.domain.known_app import KnownApp
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.state import RowMask

GOALS = sample_goals()


def _rows(asked: Goal, app: KnownApp | None = None) -> list[RowCondition]:
    return [c for c in expected(app or shop(), asked).conditions if isinstance(c, RowCondition)]


def test_a_start_place_that_leads_on_begins_where_it_leads() -> None:
    """As ``/`` does that sends users on to a list."""
    elsewhere = KnownApp(shop().exploration.model_copy(update={"home": "/begin"}), shop().start)
    assert elsewhere.graph.home == shop().exploration.pages[0].location
    assert shop().graph.home == shop().exploration.home


def test_a_changed_value_is_expected_in_the_things_own_row() -> None:
    [row] = _rows(GOALS["edit"])
    assert row.key == {"id": Equals(value=2)}
    assert row.cells == {"title": Equals(value="Amber Harbor"), "changed": AnyValue()}


def test_a_choice_is_expected_as_it_is_stored() -> None:
    assert _rows(GOALS["set"])[0].cells["status"] == Equals(value="lost")


def test_a_removed_thing_is_expected_to_be_gone() -> None:
    [row] = _rows(GOALS["delete"])
    assert (row.change, row.key) == ("removed", {"name": Equals(value="Cooking")})


def test_what_may_come_along_is_not_required() -> None:
    assert [(r.table, r.required) for r in _rows(GOALS["create"])] == [("genre", True), ("meta", False)]


@pytest.mark.parametrize("operation", GOALS)
def test_everything_else_has_to_stay_with_the_known_noise_masked(operation: str) -> None:
    assert expected(shop(), GOALS[operation]).conditions[-1] == NothingElse(masks=(HITS,))


def test_what_a_search_on_the_way_leaves_is_nobodys_change() -> None:
    """A person may search for the thing to work on; the application may remember what was searched in."""
    left = RowEffect(table="meta", change="added", key={"name": Fixed(value="filters")}, cells={}, optional=True)
    open_key = left.model_copy(update={"key": {"name": Volatile()}})
    rows = EffectModel(rows=(left, left, open_key))
    known = [f.model_copy(update={"effects": rows}) if f.id == "search" else f for f in shop().exploration.features]
    app = KnownApp(shop().exploration.model_copy(update={"features": tuple(known)}), shop().start)
    rest = expected(app, GOALS["edit"]).conditions[-1]
    assert isinstance(rest, NothingElse)
    assert rest.masks == (HITS, RowMask(table="meta", key={"name": "filters"}, reason="looking"))


def test_of_a_row_that_a_search_touches_only_the_touched_columns_are_nobodys_change() -> None:
    """A search notes when a user was seen last; that the user is removed or renamed is a change all the same."""
    key = {"id": Fixed(value=1)}
    seen = RowEffect(table="user", change="changed", key=key, cells={"last_seen": Volatile()})
    gone = RowEffect(table="user", change="removed", key={"id": Fixed(value=2)}, cells={}, optional=True)
    rows = EffectModel(rows=(seen, gone))
    known = [f.model_copy(update={"effects": rows}) if f.id == "search" else f for f in shop().exploration.features]
    app = KnownApp(shop().exploration.model_copy(update={"features": tuple(known)}), shop().start)
    assert app.masks == (HITS, RowMask(table="user", key={"id": 1}, columns=("last_seen",), reason="looking"))


def test_what_a_thing_held_is_known_unless_an_earlier_part_may_have_changed_it() -> None:
    of = shop().features["set-status"]
    [row, *rest] = of.effects.rows
    prior = row.model_copy(update={"cells": {**row.cells, "was": FromPrior(column="title")}})
    known = of.model_copy(update={"effects": of.effects.model_copy(update={"rows": (prior, *rest)})})
    others = [known if f.id == of.id else f for f in shop().exploration.features]
    app = KnownApp(shop().exploration.model_copy(update={"features": tuple(others)}), shop().start)
    last = part("set-status", book(1), status="Lost")
    for first, test in ((GOALS["create"].parts[0], Equals(value="Winter Tales")), (GOALS["edit"].parts[0], AnyValue())):
        conditions = expected(app, goal(first, last)).conditions
        assert [c.cells["was"] for c in conditions if isinstance(c, RowCondition) and "was" in c.cells] == [test]


@pytest.mark.parametrize("operation", GOALS)
def test_every_goal_demands_something_positive(operation: str) -> None:
    evaluator = expected(shop(), GOALS[operation])
    assert evaluator.positive
    changing = operation not in ("search", "sort", "navigate", "read")
    assert evaluator.changes_state is changing


def test_a_search_ends_at_the_place_that_carries_its_words() -> None:
    assert expected(shop(), GOALS["search"]).conditions[0] == LocationIs(path="/search", query={"q": "Copper Mill"})


def test_a_sorted_list_carries_the_column_as_it_is_submitted() -> None:
    assert expected(shop(), GOALS["sort"]).conditions[0] == LocationIs(path="/books", query={"sort": "owner"})


def test_going_somewhere_ends_at_the_place_and_its_heading() -> None:
    assert expected(shop(), GOALS["navigate"]).conditions[:2] == (
        LocationIs(path="/about"),
        Shown(role="heading", text="About this shop"),
    )


def test_a_place_behind_the_hash_is_told_by_it() -> None:
    at = "/#/users"
    feature = shop().features["go-about"].model_copy(update={"location": at})
    there = Page(id=at, location=at, state_key="", observation=page(at))
    update = {"features": (feature,), "pages": (*shop().exploration.pages, there)}
    app = KnownApp(shop().exploration.model_copy(update=update), shop().start)
    assert expected(app, GOALS["navigate"]).conditions[0] == LocationIs(path="/#/users")


def test_an_answer_is_a_cell_of_the_start_state_never_a_literal() -> None:
    answer = expected(shop(), GOALS["read"]).conditions[0]
    assert isinstance(answer, AnswerIs)
    assert (answer.cell.table, answer.cell.key, answer.cell.column) == ("book", {"id": 4}, "owner")


def test_the_answer_of_a_thing_with_versions_is_in_the_last_one() -> None:
    rows = [{"id": 4, "version": v, "title": "Old Maps", "owner": who} for v, who in ((1, "ann"), (2, "dora"))]
    app = KnownApp(shop().exploration, snapshot(table("book", ("id", "version"), *rows)))
    answer = expected(app, GOALS["read"]).conditions[0]
    assert isinstance(answer, AnswerIs)
    assert app.start.cell(answer.cell.table, answer.cell.key, answer.cell.column) == "dora"


def test_parts_are_expected_together() -> None:
    assert [(r.table, r.change) for r in _rows(GOALS["composite"])] == [
        ("genre", "added"), ("meta", "changed"), ("book", "changed"),
    ]  # fmt: skip


def test_where_a_run_ends_is_asked_of_the_last_part_only() -> None:
    search = part("search", q="Copper Mill")
    first = expected(shop(), goal(search, part("set-status", book(1), status="Lost"))).conditions
    last = expected(shop(), goal(part("set-status", book(1), status="Lost"), search)).conditions
    assert not any(isinstance(c, LocationIs) for c in first)
    assert any(isinstance(c, LocationIs) for c in last)


def test_a_cascade_is_expected_of_every_row_that_points_to_the_thing() -> None:
    feature = shop().features["delete-genre"]
    reach = RowEffect(
        table="book", change="removed", key={}, cells={}, each=EachRow(column="genre", entity_column="name")
    )
    effects = feature.effects.model_copy(update={"rows": (*feature.effects.rows, reach)})
    feature = feature.model_copy(update={"effects": effects})
    app = KnownApp(shop().exploration.model_copy(update={"features": (feature,)}), shop().start)
    rows = _rows(goal(part("delete-genre", genre("History"))), app)
    assert [r.key for r in rows if r.table == "book"] == [{"id": Equals(value=2)}, {"id": Equals(value=4)}]
