"""Snapshots, their fingerprint, the diff between two of them, and masks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_app import snapshot, start, table

from pipeline.domain.state import RowChange, RowMask, StateDiff, StateSnapshot, diff, looking, masked
from pipeline.domain.values import Cell

_CELLS = st.none() | st.text("ab\n", max_size=3) | st.integers(0, 5)
_ROWS = st.dictionaries(st.integers(0, 4), st.fixed_dictionaries({"name": _CELLS, "size": _CELLS}), max_size=4)


def _of(rows: Mapping[int, Mapping[str, Cell]]) -> StateSnapshot:
    return snapshot(table("thing", ("id",), *({"id": k, **r} for k, r in rows.items())))


@given(_ROWS, _ROWS)
def test_fingerprints_are_equal_exactly_when_nothing_differs(
    one: dict[int, dict[str, Cell]], other: dict[int, dict[str, Cell]]
) -> None:
    before, after = _of(one), _of(other)
    assert (before.fingerprint == after.fingerprint) == (not diff(before, after).changes)


@given(_ROWS)
def test_the_order_in_which_rows_were_read_does_not_matter(rows: dict[int, dict[str, Cell]]) -> None:
    assert _of(dict(reversed(rows.items()))).fingerprint == _of(rows).fingerprint


@given(_ROWS, _ROWS)
def test_the_diff_backwards_swaps_added_and_removed(
    one: dict[int, dict[str, Cell]], other: dict[int, dict[str, Cell]]
) -> None:
    there, back = diff(_of(one), _of(other)).changes, diff(_of(other), _of(one)).changes
    swapped = {"added": "removed", "removed": "added", "changed": "changed"}
    assert [(c.key, c.before, c.after, swapped[c.change]) for c in there] == [
        (c.key, c.after, c.before, c.change) for c in back
    ]


@given(_ROWS, _ROWS)
def test_applying_the_diff_gives_the_second_snapshot(
    one: dict[int, dict[str, Cell]], other: dict[int, dict[str, Cell]]
) -> None:
    rows = {k: {"id": k, **r} for k, r in one.items()}
    for change in diff(_of(one), _of(other)).changes:
        rows.pop(int(str(change.key["id"])), None)
        if change.after is not None:
            rows[int(str(change.key["id"]))] = dict(change.after)
    assert (
        _of({k: {c: v for c, v in r.items() if c != "id"} for k, r in rows.items()}).fingerprint
        == _of(other).fingerprint
    )


def test_a_table_that_appears_is_rows_added() -> None:
    changes = diff(snapshot(), snapshot(table("file:a.txt", ("line", "nth"), {"line": "x", "nth": 1}))).changes
    assert [(c.table, c.change, c.key) for c in changes] == [("file:a.txt", "added", {"line": "x", "nth": 1})]


def test_only_columns_that_differ_count_as_changed() -> None:
    change = RowChange(table="t", change="changed", key={}, before={"a": 1, "b": 2}, after={"a": 1, "b": 3})
    assert change.changed_columns == {"b"}


def test_a_cell_of_several_rows_is_none() -> None:
    assert start().cell("book", {"genre": "History"}, "title") is None
    assert start().cell("book", {"id": 4}, "title") == "Old Maps"
    assert start().cell("nowhere", {"id": 4}, "title") is None


def _change(key: str, **after: Cell) -> RowChange:
    return RowChange(table="meta", change="changed", key={"key": key}, before={c: 0 for c in after}, after=dict(after))


def _mask(*columns: str, key: str = "hits") -> RowMask:
    return RowMask(table="meta", key={"key": key}, columns=columns, reason="looking")


@pytest.mark.parametrize(
    ("mask", "covered"),
    [
        (_mask("value"), True),
        (_mask("value", "seen"), True),
        (_mask("seen"), False),
        (_mask("value", key="genres"), False),
        (_mask(), True),
        (RowMask(table="book", key={}, reason="clock"), False),
        (RowMask(table="meta", key={}, columns=("value",), reason="clock"), True),
    ],
)
def test_a_mask_covers_by_table_row_key_and_column(mask: RowMask, covered: bool) -> None:
    assert mask.covers(_change("hits", value=1)) is covered


def test_a_mask_of_columns_does_not_hide_that_the_row_came() -> None:
    came = RowChange(table="meta", change="added", key={"key": "hits"}, after={"key": "hits", "value": 1})
    assert not _mask("value").covers(came)
    assert _mask().covers(came)


def test_what_looking_changed_in_a_row_whose_key_is_a_secret_is_masked_without_its_key() -> None:
    seen = RowChange(table="session", change="changed", key={"key": "•••"}, before={"at": 1}, after={"at": 2})
    [mask] = looking(StateDiff(changes=(seen,)))
    assert (mask.key, mask.columns) == ({}, ("at",))


def test_two_masks_of_one_row_cover_a_change_of_both_their_columns() -> None:
    change = _change("hits", value=1, seen=2)
    assert masked(change, [_mask("value"), _mask("seen")])
    assert not masked(change, [_mask("value"), _mask("seen", key="genres")])
