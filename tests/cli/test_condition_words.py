"""Conditions of an evaluator as ``show`` prints them."""

from __future__ import annotations

import pytest

from pipeline.cli.condition_words import condition_line
from pipeline.domain.evaluator import AnswerIs, CellRef, NothingElse
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.state import RowMask

NOTES = AnswerIs(cell=CellRef(table="book", key={"id": 4}, column="shelf_notes"))
HIT = RowCondition(
    table="cache", change="changed", key={"id": Equals(value=1173)}, cells={"value": AnyValue()}, required=False
)
ADDED = RowCondition(
    table="genre",
    change="added",
    key={"id": AnyValue()},
    cells={"name": Equals(value="Sagas"), "about": Equals(value=None)},
)
MASKS = (
    RowMask(table="meta", key={"key": "hits"}, columns=("last_seen",), reason="looking"),
    RowMask(table="session", key={}, reason="day"),
)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (NOTES, "the answer is the shelf notes of book 4: “Torn cover”"),
        (HIT, "it may come along that the row of cache with id 1173 changes so that its value is anything"),
        (ADDED, "a row of genre with name “Sagas”, about empty is added"),
        (NothingElse(), "nothing else changes"),
        (
            NothingElse(masks=MASKS),
            "nothing else changes, apart from what does so by itself: the row of meta with key “hits” may change its "
            "last seen by being looked at; any row of session may come, go and change on another day",
        ),
    ],
    ids=lambda given: getattr(given, "kind", ""),
)
def test_a_condition_names_table_row_columns_and_values(condition, words):
    assert condition_line(condition, "Torn cover") == words


def test_the_answer_is_told_as_far_as_it_is_known():
    assert condition_line(NOTES) == "the answer is the shelf notes of book 4"


def test_many_masks_are_told_by_the_first_few_whole_and_the_number_of_the_others():
    columns = ("seen_last_by_anybody_at_all", "seen_first_by_anybody_at_all", "number_of_visits_in_all")
    masks = tuple(RowMask(table="visit", key={"id": n}, columns=columns, reason="looking") for n in range(7))
    told = condition_line(NothingElse(masks=masks))
    assert [f"visit with id {n} may change" in told for n in range(5)] == [True] * 4 + [False]
    assert told.endswith("number of visits in all by being looked at; and 3 more (see --json)")
    assert "more" not in condition_line(NothingElse(masks=masks[:4]))
