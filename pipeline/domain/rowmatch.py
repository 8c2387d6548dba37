"""Assigning observed row changes to row conditions, each change to at most one condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.domain.rowtests import RowCondition
from pipeline.domain.state import RowChange


@dataclass(frozen=True)
class Matching:
    """For each condition the index of its change, or None."""

    rows: tuple[int | None, ...]

    @property
    def claimed(self) -> tuple[int, ...]:
        """Indices of all changes that a condition claimed."""
        return tuple(r for r in self.rows if r is not None)

    def row_for(self, condition: int) -> int | None:
        """Index of the change that fulfils the condition."""
        return self.rows[condition]


def match_rows(conditions: Sequence[RowCondition], changes: Sequence[RowChange]) -> Matching:
    """A largest assignment (augmenting paths, Kuhn 1955); required conditions are served first."""
    fits = [[n for n, change in enumerate(changes) if not c.miss(change)] for c in conditions]
    owner: dict[int, int] = {}

    def place(condition: int, seen: set[int]) -> bool:
        for change in fits[condition]:
            if change in seen:
                continue
            seen.add(change)
            if change not in owner or place(owner[change], seen):
                owner[change] = condition
                return True
        return False

    for condition in sorted(range(len(conditions)), key=lambda i: not conditions[i].required):
        place(condition, set())
    rows: list[int | None] = [None] * len(conditions)
    for change, condition in owner.items():
        rows[condition] = change
    return Matching(rows=tuple(rows))
