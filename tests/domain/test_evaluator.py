"""The evaluator: false beats unknown beats true, only positive conditions can pass, the rest stays unchanged."""

from __future__ import annotations

from typing import Any

import pytest
from drawn_pages import element, heading, page
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.evaluator import (
    AnswerIs,
    CellRef,
    Condition,
    Evaluator,
    Facts,
    LocationIs,
    NothingElse,
    ProbeShows,
    Shown,
    evaluate,
)
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.state import RowChange, RowMask, StateDiff
from pipeline.domain.values import Cell, canonical_json

SAGAS = RowCondition(table="genre", change="added", key={"name": Equals(value="Sagas")})
ABOUT = LocationIs(path="/about")
OWNER = AnswerIs(cell=CellRef(table="book", key={"id": 4}, column="owner"))


def _added(name: str, table: str = "genre") -> RowChange:
    return RowChange(table=table, change="added", key={"name": name}, after={"name": name})


def _counted(key: str) -> RowChange:
    return RowChange(table="meta", change="changed", key={"key": key}, before={"value": 1}, after={"value": 2})


def _outcome(*conditions: Condition, **facts: Any) -> str:
    return evaluate(Evaluator(conditions=conditions), Facts(**facts)).outcome


def _changes(*changes: RowChange) -> StateDiff:
    return StateDiff(changes=changes)


_AS: dict[str, tuple[Condition, dict[str, Any]]] = {
    "true": (ABOUT, {"final": page("/about")}),
    "false": (OWNER, {"answer": "bob", "start_cells": {canonical_json(OWNER.cell): "cid"}}),
    "unknown": (SAGAS, {"diff": None}),
}


@given(st.lists(st.sampled_from(sorted(_AS)), min_size=1, max_size=5))
def test_false_beats_unknown_beats_true(truths: list[str]) -> None:
    facts: dict[str, Any] = {}
    for truth in truths:
        facts |= _AS[truth][1]
    outcome = _outcome(*(_AS[t][0] for t in truths), **facts)
    assert outcome == ("failed" if "false" in truths else "unscored" if "unknown" in truths else "passed")


def test_an_empty_evaluator_never_passes() -> None:
    assert _outcome(diff=_changes()) == "failed"


@pytest.mark.parametrize("condition", [NothingElse(), SAGAS.model_copy(update={"required": False})])
def test_an_evaluator_of_what_merely_stays_never_passes(condition: Condition) -> None:
    assert _outcome(condition, diff=_changes()) == "failed"


def test_the_wanted_row_passes() -> None:
    assert _outcome(SAGAS, NothingElse(), diff=_changes(_added("Sagas"))) == "passed"


def test_a_change_that_no_condition_claims_fails() -> None:
    assert _outcome(SAGAS, NothingElse(), diff=_changes(_added("Sagas"), _added("Other"))) == "failed"


def test_the_same_change_twice_is_claimed_once() -> None:
    twice = _changes(_added("Sagas"), _added("Sagas").model_copy(update={"key": {"name": "Sagas", "id": 2}}))
    assert _outcome(SAGAS, NothingElse(), diff=twice) == "failed"


def test_two_conditions_need_two_rows() -> None:
    assert _outcome(SAGAS, SAGAS, diff=_changes(_added("Sagas"))) == "failed"


@pytest.mark.parametrize(("key", "outcome"), [("hits", "passed"), ("genres", "failed")])
def test_a_mask_hides_its_own_row_only(key: str, outcome: str) -> None:
    mask = RowMask(table="meta", key={"key": "hits"}, columns=("value",), reason="looking")
    diff = _changes(_added("Sagas"), _counted(key))
    assert _outcome(SAGAS, NothingElse(masks=(mask,)), diff=diff) == outcome


def test_masks_of_one_row_hide_their_columns_together() -> None:
    row = RowChange(table="meta", change="changed", key={"key": "h"}, before={"a": 1, "b": 1}, after={"a": 2, "b": 2})
    masks = tuple(RowMask(table="meta", key={"key": "h"}, columns=(c,), reason="looking") for c in "ab")
    assert _outcome(SAGAS, NothingElse(masks=masks), diff=_changes(_added("Sagas"), row)) == "passed"


def test_an_optional_row_may_come_or_not() -> None:
    counter = RowCondition(
        table="meta", change="changed", key={"key": Equals(value="genres")}, cells={"value": AnyValue()}, required=False
    )
    for diff in (_changes(_added("Sagas")), _changes(_added("Sagas"), _counted("genres"))):
        assert _outcome(SAGAS, counter, NothingElse(), diff=diff) == "passed"


@pytest.mark.parametrize(
    ("at", "passes"),
    [
        ("/books?sort=owner", True),
        ("/books/?page=2&sort=owner", True),
        ("/books?sort=title", False),
        ("/books", False),
        ("/booksellers?sort=owner", False),
        ("/books/1?sort=owner", False),
        ("/books?sort=owner&sort=title", False),
    ],
)
def test_a_place_is_its_path_and_its_named_query_parts(at: str, passes: bool) -> None:
    condition = LocationIs(path="/books", query={"sort": "owner"})
    assert (_outcome(condition, final=page(at)) == "passed") is passes


def test_two_routes_behind_the_hash_are_two_places() -> None:
    assert _outcome(LocationIs(path="/#/users"), final=page("/#/users?page=1")) == "failed"
    assert _outcome(LocationIs(path="/#/users"), final=page("/#/users")) == "passed"
    assert _outcome(LocationIs(path="/#/users"), final=page("/#/orders")) == "failed"


def test_a_heading_counts_by_its_whole_text() -> None:
    shown = Shown(role="heading", text="About this shop")
    assert _outcome(shown, final=page("/", heading("About  this shop"))) == "passed"
    assert _outcome(shown, final=page("/", heading("About this shop and more"))) == "failed"


def test_without_a_final_screen_nothing_is_known() -> None:
    assert _outcome(ABOUT) == "unscored"
    assert _outcome(Shown(role="heading", text="x")) == "unscored"


@pytest.mark.parametrize(
    ("value", "present", "passes"), [("Old Maps", True, True), ("Old", True, False), (None, True, True),
                                     (None, False, False), ("Old", False, True)],
)  # fmt: skip
def test_a_probe_reads_the_value_in_a_fresh_session(value: str | None, present: bool, passes: bool) -> None:
    probe = ProbeShows(location="/books/4", role="textbox", name="Title", value=value, present=present)
    seen = page("/books/4", element("textbox", "Title", value="Old Maps"))
    assert (_outcome(probe, probes={"/books/4": seen}) == "passed") is passes


def test_a_place_that_could_not_be_probed_is_unknown() -> None:
    assert _outcome(ProbeShows(location="/x", role="a", name="b"), probes={"/x": None}) == "unscored"


@pytest.mark.parametrize(
    ("cell", "given", "outcome"),
    [("cid", "cid", "passed"), ("cid", " cid\n", "passed"), ("cid", "cid and ann", "failed"), ("cid", None, "failed"),
     (None, "cid", "unscored")],
)  # fmt: skip
def test_an_answer_equals_the_start_states_cell(cell: Cell, given: str | None, outcome: str) -> None:
    assert _outcome(OWNER, answer=given, start_cells={canonical_json(OWNER.cell): cell}) == outcome


def test_an_answer_without_a_readable_cell_is_unknown() -> None:
    assert _outcome(OWNER, answer="cid") == "unscored"


def test_a_near_row_is_named_in_the_finding() -> None:
    found = evaluate(Evaluator(conditions=(SAGAS,)), Facts(diff=_changes(_added("Saga"))))
    assert "name is 'Saga'" in found.findings[0].found
    assert found.fraction == 0.0
