"""Which row stands behind a page, and what a person calls it. Pure: snapshot, locations and link names in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain.state import Row, RowChange, StateSnapshot, Table
from pipeline.domain.values import Cell, canonical_json, squeezed


@dataclass(frozen=True)
class KeyColumn:
    """A column whose values stand in locations."""

    table: str
    column: str


@dataclass(frozen=True)
class Thing:
    """The kind of thing that a place is about: where its keys stand, and the column that holds the name."""

    where: KeyColumn
    name: str | None


def known_thing(
    snapshot: StateSnapshot,
    keys: Sequence[str],
    touched: Sequence[Sequence[RowChange]],
    seen_as: Mapping[str, Collection[str]],
    headings: Mapping[str, Collection[str]],
    values: Mapping[str, Collection[str]] | None = None,
) -> Thing | None:
    """The thing whose name heads every page, or else stands in its fields; of several the one that was touched most.

    Small numbers are keys in many tables at once: it is the name on the page that tells which one is meant. A thing
    that no page names and no execution touched is one that has the same number by chance.

    Args:
        touched: by execution, what it changed.
        seen_as: by key, texts under which the thing was seen elsewhere.
        headings: by key, headings of the thing's page.
        values: by key, what its fields hold.
    """
    best: tuple[tuple[int, int], Thing] | None = None
    for order, where in enumerate(_key_columns(snapshot, keys, touched)):
        name = name_column(snapshot, where, seen_as)
        tier = 3 if name is None else _tier(snapshot, where, name, headings, values or {})
        by_chance = tier == 2 and touched and not _points(where, keys, touched)
        if not by_chance and (best is None or (tier, order) < best[0]):
            best = (tier, order), Thing(where, name)
    return best[1] if best else None


def _tier(
    snapshot: StateSnapshot,
    where: KeyColumn,
    name: str,
    headings: Mapping[str, Collection[str]],
    values: Mapping[str, Collection[str]],
) -> int:
    """0 where headings hold the name, 1 where fields do, 2 where neither does."""
    if _shown(snapshot, where, name, headings):
        return 0
    together = {key: [*headings.get(key, ()), *values.get(key, ())] for key in {**headings, **values}}
    return 1 if _shown(snapshot, where, name, together) else 2


def _shown(snapshot: StateSnapshot, where: KeyColumn, name: str, prominent: Mapping[str, Collection[str]]) -> bool:
    names = {key: squeezed(str(row_of(snapshot, where, key).get(name, ""))) for key in prominent}
    return all(
        any(names[key] == squeezed(t) or (len(names[key]) > 3 and names[key] in squeezed(t)) for t in texts)
        for key, texts in prominent.items()
    )


def key_column(
    snapshot: StateSnapshot, keys: Sequence[str], touched: Sequence[Sequence[RowChange]]
) -> KeyColumn | None:
    """The table and column that hold all the keys; tables that the executions touched at that key come first."""
    return next(iter(_key_columns(snapshot, keys, touched)), None)


def _key_columns(
    snapshot: StateSnapshot, keys: Sequence[str], touched: Sequence[Sequence[RowChange]]
) -> list[KeyColumn]:
    found: list[tuple[tuple[int, int, str, str], KeyColumn]] = []
    for table in snapshot.tables.values():
        for column in _columns(table):
            have = {str(row.get(column)) for row in table.rows.values()}
            if not all(k in have for k in keys):
                continue
            score = _points(KeyColumn(table.name, column), keys, touched)
            own = column in table.key_columns
            rank = (-score, 0 if own else 1, f"{len(table.rows):09d}", table.name)
            found.append((rank, KeyColumn(table.name, column)))
    return [where for _, where in sorted(found, key=lambda f: f[0])]


def _points(where: KeyColumn, keys: Sequence[str], touched: Sequence[Sequence[RowChange]]) -> int:
    return sum(_touches(where.table, where.column, k, changes) for k, changes in zip(keys, touched, strict=False))


def _columns(table: Table) -> list[str]:
    first = next(iter(table.rows.values()), {})
    return sorted(first, key=lambda c: (c not in table.key_columns, c))


def _touches(table: str, column: str, key: str, changes: Iterable[RowChange]) -> int:
    """3 where the row itself changed or went, 1 where the table got a row for it."""
    points = 0
    for change in changes:
        if change.table == table and str((change.before or change.after or {}).get(column)) == key:
            points = max(points, 3 if change.change in ("changed", "removed") else 1)
    return points


def row_of(snapshot: StateSnapshot, where: KeyColumn, key: str) -> Row:
    """The row with this key; of several (versions) the last in key order; empty where there is none."""
    table = snapshot.tables.get(where.table)
    rows = [(k, r) for k, r in table.rows.items() if str(r.get(where.column)) == key] if table else []
    return max(rows, key=lambda kr: _order(kr[0]))[1] if rows else {}


def _order(key: tuple[Cell, ...]) -> list[tuple[int, float, str]]:
    return [(0, float(k), "") if isinstance(k, int | float) else (1, 0.0, str(k)) for k in key]


def name_column(snapshot: StateSnapshot, where: KeyColumn, seen_as: Mapping[str, Collection[str]]) -> str | None:
    """The column that holds what a person sees as the name.

    Args:
        seen_as: by entity key, texts under which the entity was seen: names of links to it, headings of its page.
    """
    scores: dict[str, tuple[int, int]] = {}
    for key, texts in seen_as.items():
        row = row_of(snapshot, where, key)
        for column, cell in row.items():
            if not isinstance(cell, str | int) or len(str(cell)) > 120 or not str(cell).strip():
                continue
            exact = sum(squeezed(str(cell)) == squeezed(t) for t in texts)
            within = sum(squeezed(str(cell)) in squeezed(t) for t in texts)
            if exact or (within and len(str(cell)) > 3):
                old = scores.get(column, (0, 0))
                wordy = any(ch.isalpha() for ch in str(cell))
                scores[column] = (old[0] + (2 if exact else 1) * (3 if wordy else 1), old[1] + 1)
    usable = {c: s for c, s in scores.items() if s[1] == len([k for k in seen_as if row_of(snapshot, where, k)])}
    if not usable:
        return None
    return min(usable, key=lambda c: (-usable[c][0], c != where.column, c))


def things_called(snapshot: StateSnapshot, table: str, column: str, value: Cell, group: str) -> frozenset[str]:
    """Keys, as canonical JSON, of the things with this name; rows that share ``group`` are versions of one thing."""
    rows = snapshot.tables[table].rows.values() if table in snapshot.tables else ()
    return frozenset(canonical_json(r.get(group)) for r in rows if same_name(r.get(column), value))


def is_unique(snapshot: StateSnapshot, table: str, column: str, value: Cell, group: str) -> bool:
    """Whether exactly one thing has this name."""
    return len(things_called(snapshot, table, column, value, group)) == 1


def same_name(left: Cell, right: Cell) -> bool:
    """Whether a person would take the two for one name: white space and case aside."""
    return squeezed(str(left)).casefold() == squeezed(str(right)).casefold()
