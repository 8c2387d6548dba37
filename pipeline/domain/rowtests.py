"""Tests on one changed row, as data."""

from __future__ import annotations

from typing import Annotated, Literal, assert_never

from pydantic import Field

from pipeline.domain.compare import Comparator, equal
from pipeline.domain.state import RowChange
from pipeline.domain.values import Cell, Value, shortened


class Equals(Value):
    """The cell equals a value that the instruction gives or that follows from the start state."""

    kind: Literal["equals"] = "equals"
    value: Cell
    """What the cell has to equal under the comparator."""
    comparator: Comparator = "text"


class AnyValue(Value):
    """The cell may hold anything: it is a clock, a counter or an id that the task does not decide."""

    kind: Literal["any"] = "any"


CellTest = Annotated[Equals | AnyValue, Field(discriminator="kind")]


class RowCondition(Value):
    """Exactly one row was added, removed or changed like this.

    Of an added row ``cells`` are tested on the new row, of a removed one on the old row; of a changed row they are
    tested on the new row, and every column that changed has to be among them.
    """

    kind: Literal["row"] = "row"
    table: str
    """Table of the state; a text file is one too, named ``file:<path>``, a line a row."""
    change: Literal["added", "removed", "changed"]
    """What became of the row between the reset and the end."""
    key: dict[str, CellTest] = Field(default_factory=dict)
    """Tests on the row's key, by column."""
    cells: dict[str, CellTest] = Field(default_factory=dict)
    """Tests on the row's other cells, by column; those of an added or removed row that are not named may hold
    anything."""
    required: bool = True
    """False for a change that may come with the effect but carries nothing of the task (a cache counter)."""

    @property
    def says_something(self) -> bool:
        """Whether any value is tested."""
        return any(isinstance(t, Equals) for t in {**self.key, **self.cells}.values())

    def miss(self, change: RowChange) -> str:
        """Why the change does not match; empty when it does."""
        if change.table != self.table or change.change != self.change:
            return f"{change.table} was {change.change}"
        row = change.before if self.change == "removed" else change.after
        for column, test in {**self.key, **self.cells}.items():
            value = change.key.get(column, (row or {}).get(column))
            if not _holds(test, value):
                return f"{change.table}.{column} is {value!r}"
        if self.change == "changed":
            stray = sorted(change.changed_columns - set(self.cells))
            if stray:
                return f"{change.table}.{stray[0]} changed as well"
        return ""

    def in_words(self) -> str:
        """One line for reports."""
        wanted = {c: t.value for c, t in {**self.key, **self.cells}.items() if isinstance(t, Equals)}
        shown = ", ".join(f"{c}={v!r}" for c, v in wanted.items())
        return shortened(f"row of {self.table} {self.change}: {shown}".rstrip(": "), 600)


def _holds(test: CellTest, value: Cell) -> bool:
    match test:
        case Equals():
            return equal(test.comparator, test.value, value)
        case AnyValue():
            return True
        case _:
            assert_never(test)
