"""An application's own data as rows, and what changed between two moments. Pure; reading it is ``apps/``."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pipeline.domain.values import Cell, Value, canonical_json, is_hidden

RowKey = tuple[Cell, ...]
Row = Mapping[str, Cell]


@dataclass(frozen=True)
class Table:
    """Rows by key. ``key_columns`` are the primary or unique key (``rowid`` where there is neither).

    A text file is a table too: named ``file:<path>``, key ``("line", "nth")``, one row a line in any order, so that a
    settings file shows which line came and which went. A binary or large file has one row ``{"sha256", "size"}``.
    """

    name: str
    key_columns: tuple[str, ...]
    rows: Mapping[RowKey, Row]


@dataclass(frozen=True)
class StateSnapshot:
    """Everything the profile's state sources hold at one moment."""

    tables: Mapping[str, Table] = field(default_factory=dict)

    @property
    def fingerprint(self) -> str:
        """SHA-256 over tables, keys and cells; equal exactly when nothing differs."""
        digest = hashlib.sha256()
        for name in sorted(self.tables):
            table = self.tables[name]
            digest.update(canonical_json([name, list(table.key_columns)]).encode())
            for line in sorted(canonical_json([list(k), dict(r)]) for k, r in table.rows.items()):
                digest.update(line.encode("utf-8", "replace"))
        return digest.hexdigest()

    def cell(self, table: str, key: Mapping[str, Cell], column: str) -> Cell:
        """The cell of the only row that has these key cells; None where there is no such single row."""
        rows = list(self.matching(table, key))
        return rows[0].get(column) if len(rows) == 1 else None

    def matching(self, table: str, cells: Mapping[str, Cell]) -> Iterator[Row]:
        """Rows of a table that have all these cells."""
        if table not in self.tables:
            return
        for row in self.tables[table].rows.values():
            if all(row.get(c) == v for c, v in cells.items()):
                yield row


class RowChange(Value):
    """One row that was added, removed or changed. ``before`` and ``after`` are whole rows, None where there is none."""

    table: str
    change: Literal["added", "removed", "changed"]
    key: dict[str, Cell]
    before: dict[str, Cell] | None = None
    after: dict[str, Cell] | None = None

    @property
    def changed_columns(self) -> frozenset[str]:
        """Columns that differ; of an added or removed row, all of them."""
        if self.before is None or self.after is None:
            return frozenset(self.after or self.before or {})
        return frozenset(c for c in self.after if self.after[c] != self.before.get(c))


class StateDiff(Value):
    """All changes between two snapshots, ordered by table and key."""

    changes: tuple[RowChange, ...] = ()


def diff(before: StateSnapshot, after: StateSnapshot) -> StateDiff:
    """What changed, nothing masked."""
    changes: list[RowChange] = []
    for name in sorted(set(before.tables) | set(after.tables)):
        old, new = before.tables.get(name), after.tables.get(name)
        columns = (new or old).key_columns  # type: ignore[union-attr]  # one of the two exists
        old_rows: Mapping[RowKey, Row] = old.rows if old else {}
        new_rows: Mapping[RowKey, Row] = new.rows if new else {}
        changes += _table_diff(name, columns, old_rows, new_rows)
    return StateDiff(changes=tuple(changes))


def _table_diff(
    name: str, columns: tuple[str, ...], old: Mapping[RowKey, Row], new: Mapping[RowKey, Row]
) -> Iterator[RowChange]:
    for key in sorted(set(old) | set(new), key=lambda k: canonical_json(list(k))):
        was, now = old.get(key), new.get(key)
        if was == now:
            continue
        change: Literal["added", "removed", "changed"]
        change = "added" if was is None else "removed" if now is None else "changed"
        yield RowChange(
            table=name,
            change=change,
            key=dict(zip(columns, key, strict=True)),
            before=dict(was) if was is not None else None,
            after=dict(now) if now is not None else None,
        )


class RowMask(Value):
    """Something that changes without being any task's doing, by table, row key and column."""

    table: str
    """Table whose rows it covers."""
    key: dict[str, Cell]
    """Key cells that a row must have to be covered; cells not named here may have any value."""
    columns: tuple[str, ...] = ()
    """Columns covered; empty means the row itself may come, go and change."""
    reason: Literal["looking", "clock", "ordinal", "day"]
    """Why it changes: by being looked at, with the clock, with its place, on another day. Decides nothing."""

    def covers(self, change: RowChange) -> bool:
        """True when the whole change is explained by this mask."""
        if not self.concerns(change):
            return False
        if not self.columns:
            return True
        return change.change == "changed" and change.changed_columns <= set(self.columns)

    def concerns(self, change: RowChange) -> bool:
        """True when the mask speaks of this row."""
        return change.table == self.table and all(change.key.get(c) == v for c, v in self.key.items())


def masked(change: RowChange, masks: Iterable[RowMask]) -> bool:
    """True when the masks explain the whole change: one alone, or several by its columns together."""
    own = [m for m in masks if m.concerns(change)]
    if any(m.covers(change) for m in own):
        return True
    return change.change == "changed" and change.changed_columns <= {c for m in own for c in m.columns}


def looking(changed: StateDiff) -> tuple[RowMask, ...]:
    """Masks for what merely looking changed, by row key; of a changed row only its columns.

    A key that was a secret, as that of a session, is left out: any row may be the one.
    """
    return tuple(
        RowMask(
            table=change.table,
            key={c: v for c, v in change.key.items() if not is_hidden(v)},
            columns=tuple(sorted(change.changed_columns)) if change.change == "changed" else (),
            reason="looking",
        )
        for change in changed.changes
    )
