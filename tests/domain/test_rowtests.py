"""When one changed row fulfils a condition."""

from __future__ import annotations

import pytest

from pipeline.domain.rowtests import AnyValue, CellTest, Equals, RowCondition
from pipeline.domain.state import RowChange
from pipeline.domain.values import Cell

KEY: dict[str, CellTest] = {"id": Equals(value=2)}


def _renamed(**more: Cell) -> RowChange:
    before: dict[str, Cell] = {"id": 2, "title": "River Songs", "changed": 101, "owner": "bob"}
    after = {**before, "title": "Amber Harbor", "changed": 200, **more}
    return RowChange(table="book", change="changed", key={"id": 2}, before=before, after=after)


def _condition(**cells: CellTest) -> RowCondition:
    return RowCondition(table="book", change="changed", key=KEY, cells=cells)


TITLE = Equals(value="Amber Harbor")


def test_every_changed_column_accounted_for_matches() -> None:
    assert _condition(title=TITLE, changed=AnyValue()).miss(_renamed()) == ""


def test_a_stray_column_does_not_match() -> None:
    assert "owner changed as well" in _condition(title=TITLE, changed=AnyValue()).miss(_renamed(owner="ann"))


def test_another_value_does_not_match() -> None:
    assert "title is" in _condition(title=Equals(value="Other"), changed=AnyValue()).miss(_renamed())


@pytest.mark.parametrize("change", ["added", "removed"])
def test_another_kind_of_change_does_not_match(change: str) -> None:
    row = _renamed().model_copy(update={"change": change})
    assert _condition(title=TITLE, changed=AnyValue()).miss(row)


def test_another_row_does_not_match() -> None:
    other = _renamed().model_copy(update={"key": {"id": 3}})
    assert "id is 3" in _condition(title=TITLE, changed=AnyValue()).miss(other)


def test_a_removed_row_is_tested_as_it_was() -> None:
    gone = RowChange(table="genre", change="removed", key={"name": "Cooking"}, before={"name": "Cooking", "d": "Food"})
    condition = RowCondition(table="genre", change="removed", key={"name": Equals(value="Cooking")})
    assert condition.miss(gone) == ""
    assert condition.model_copy(update={"cells": {"d": Equals(value="Drink")}}).miss(gone)


def test_a_condition_speaks_of_what_it_demands_only() -> None:
    assert _condition(title=TITLE, changed=AnyValue()).in_words() == "row of book changed: id=2, title='Amber Harbor'"
