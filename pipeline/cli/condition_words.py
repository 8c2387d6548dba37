"""One condition of an evaluator as a person reads it: which table, which row, which columns, which values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from pipeline.domain.evaluator import CellRef, Condition, NothingElse
from pipeline.domain.rowtests import CellTest, Equals, RowCondition
from pipeline.domain.state import RowMask
from pipeline.domain.values import Cell, shortened

_LONGEST = 600
"""Letters of what is told in one piece."""
_MASKS = 4
"""Masks that are told; pages that note every visit have dozens."""
_BY = {"looking": "by being looked at", "day": "on another day", "clock": "with the clock", "ordinal": "with its place"}
"""Why a masked row changes without being any task's doing."""


def condition_line(condition: Condition, answer: str = "") -> str:
    """The condition in words; ``answer`` is what the oracle answers, empty where it answers nothing."""
    match condition.kind:
        case "row":
            return shortened(_row_line(condition), _LONGEST)
        case "nothing-else":
            return _nothing_else(condition)
        case "location":
            query = "&".join(f"{k}={v}" for k, v in condition.query.items())
            return f"ended at {condition.path}{'?' + query if query else ''}"
        case "shown":
            return f"the screen shows a {condition.role} {condition.text!r}"
        case "probe":
            state = "is there" if condition.present else "is gone"
            value = f"reads {condition.value!r}" if condition.value is not None else state
            return f"at {condition.location}, {condition.role} {condition.name!r} {value}"
        case "answer":
            return shortened(
                f"the answer is {_cell(condition.cell)}{f': {_quoted(answer)}' if answer else ''}", _LONGEST
            )
        case _:
            assert_never(condition.kind)


def _cell(cell: CellRef) -> str:
    return f"the {_plain(cell.column)} of {_plain(cell.table)} {' '.join(_named(cell.key).values())}".rstrip()


def _row_line(condition: RowCondition) -> str:
    optional = "" if condition.required else "it may come along that "
    if condition.change == "changed":
        changes = " and ".join(f"its {_plain(c)} is {_tested(t)}" for c, t in condition.cells.items())
        row = _row(condition.table, _decided(condition.key))
        return f"{optional}{row} changes{f' so that {changes}' if changes else ''}"
    verb = "is added" if condition.change == "added" else "is removed"
    return f"{optional}{_row(condition.table, _decided({**condition.key, **condition.cells}), 'a')} {verb}"


def _nothing_else(condition: NothingElse) -> str:
    """The first few masks, each whole, and how many more there are."""
    masks = [shortened(_mask_line(m), _LONGEST) for m in condition.masks]
    if not masks:
        return "nothing else changes"
    more = f"; and {left} more (see --json)" if (left := len(masks) - _MASKS) > 0 else ""
    return f"nothing else changes, apart from what does so by itself: {'; '.join(masks[:_MASKS])}{more}"


def _mask_line(mask: RowMask) -> str:
    row = _row(mask.table, _named(mask.key)) if mask.key else f"any row of {mask.table}"
    what = f" may change its {', '.join(map(_plain, mask.columns))}" if mask.columns else " may come, go and change"
    return f"{row}{what} {_BY[mask.reason]}"


def _row(table: str, cells: Mapping[str, str], article: str = "the") -> str:
    where = ", ".join(f"{column} {value}" for column, value in cells.items())
    return f"{article} row of {table} with {where}" if where else f"a row of {table}"


def _decided(tests: Mapping[str, CellTest]) -> dict[str, str]:
    """Columns with what they have to hold; the others may hold anything."""
    return {_plain(c): _tested(t) for c, t in tests.items() if isinstance(t, Equals)}


def _tested(test: CellTest) -> str:
    return _quoted(test.value) if isinstance(test, Equals) else "anything"


def _named(cells: Mapping[str, Cell]) -> dict[str, str]:
    return {_plain(column): _quoted(value) for column, value in cells.items()}


def _plain(name: str) -> str:
    return name.replace("_", " ")


def _quoted(value: Cell) -> str:
    return f"“{value}”" if isinstance(value, str) else "empty" if value is None else str(value)
