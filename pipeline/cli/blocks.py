"""What a command shows to a person, as data: grids and lines. Printing them is ``console``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A table; every row has as many cells as there are columns."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str] = frozenset()
    """Columns that are set to the right."""


@dataclass(frozen=True)
class Lines:
    """A heading, which may be empty, and lines below it."""

    title: str
    lines: tuple[str, ...]


Block = Grid | Lines
