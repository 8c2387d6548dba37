"""Everything drafting and checking may know of an application: its exploration, its graph, its start state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from pipeline.domain import entities
from pipeline.domain.action import Click
from pipeline.domain.entities import KeyColumn
from pipeline.domain.exploration import Exploration
from pipeline.domain.feature import EntityType, Feature, Fixed
from pipeline.domain.goal import Entity
from pipeline.domain.state import Row, RowMask, StateSnapshot
from pipeline.domain.uigraph import UiGraph
from pipeline.domain.values import canonical_json, squeezed

_WORDS = re.compile(r"[^\W\d_][^\d{}#:“”]{1,30}")


class KnownApp:
    """An exploration joined with the template's state; read only."""

    def __init__(self, exploration: Exploration, start: StateSnapshot, people: tuple[str, ...] = ()) -> None:
        """``people`` are the names of the application's users."""
        self.exploration = exploration
        self.start = start
        self.people = people
        self.graph = UiGraph(_begins_at(exploration), exploration.pages, exploration.transitions)
        self.features: Mapping[str, Feature] = {f.id: f for f in exploration.features}
        self._entities: dict[str, tuple[Entity, ...]] = {}

    def row(self, entity: Entity) -> Row:
        """The entity's row in the start state."""
        return entities.row_of(self.start, KeyColumn(entity.table, entity.key_column), str(entity.key))

    def entities_of(self, kind: EntityType) -> tuple[Entity, ...]:
        """All things of a kind that exactly one name tells apart, in key order."""
        id = canonical_json(kind)
        if id not in self._entities:
            self._entities[id] = tuple(self._distinct(kind))
        return self._entities[id]

    def _distinct(self, kind: EntityType) -> list[Entity]:
        table = self.start.tables.get(kind.table)
        rows = list(table.rows.values()) if table else []
        names = {canonical_json(r.get(kind.key_column)): squeezed(str(r.get(kind.name_column) or "")) for r in rows}
        counts = Counter(n.casefold() for n in names.values())
        found = []
        for row in rows:
            name = names[canonical_json(row.get(kind.key_column))]
            entity = Entity(
                noun=kind.noun, table=kind.table, key_column=kind.key_column, key=row.get(kind.key_column), name=name
            )
            if counts[name.casefold()] == 1 and _speakable(name) and entity not in found:
                found.append(entity)
        return found

    def holds_people(self, table: str, column: str) -> bool:
        """Whether a quarter and more of what stands in a column are names of users."""
        rows = self.start.tables[table].rows.values() if table in self.start.tables else ()
        held = {str(r[column]) for r in rows if r.get(column)}
        return bool(held) and 4 * len(held & set(self.people)) >= len(held)

    def is_own_account(self, entity: Entity) -> bool:
        """Whether a thing is the signed-in user's account: by its name, or by a login that only this row holds."""
        user, table = self.exploration.user, self.start.tables.get(entity.table)
        if not user or entity.name == user or table is None:
            return bool(user) and entity.name == user
        logins = [c for c, v in self.row(entity).items() if v == user and self.holds_people(entity.table, c)]
        return any(sum(r.get(c) == user for r in table.rows.values()) == 1 for c in logins)

    def place_word(self, feature: Feature) -> str:
        """The link that leads to a feature's place, where other places have its heading too; empty where none does."""
        heading = feature.heading.casefold()
        alike = {f.location.partition("?")[0] for f in self.features.values() if f.heading.casefold() == heading}
        hops = self.graph.way_to(feature.location) if len(alike) > 1 else None
        last = hops[-1].action if hops else None
        name = squeezed(last.target.name) if isinstance(last, Click) else ""
        return name if _WORDS.fullmatch(name) and name.casefold() not in heading else ""

    @cached_property
    def masks(self) -> tuple[RowMask, ...]:
        """What changes without being any task's doing: by looking, and by searching, sorting and the like on the way.

        A search may leave a row, such as what was searched in last, and a person may search for a thing to work on.
        """
        aside = [row for f in self.features.values() if not f.effects.changes_state for row in f.effects.rows]
        known = [
            RowMask(
                table=row.table,
                key={c: b.value for c, b in row.key.items() if isinstance(b, Fixed)},
                columns=tuple(sorted(row.cells)) if row.change == "changed" else (),
                reason="looking",
            )
            for row in aside
            if row.change != "removed" and row.key and all(isinstance(b, Fixed) for b in row.key.values())
        ]
        return (*self.exploration.masks, *{canonical_json(mask): mask for mask in known}.values())

    @cached_property
    def everywhere(self) -> frozenset[str]:
        """``action target`` of links that nine tenths of all pages have: they can be used from anywhere."""
        pages = [p for p in self.exploration.pages if "§" not in p.id]
        counts = Counter(
            canonical_json(t.action) + t.target for t in self.exploration.transitions if "§" not in t.source
        )
        return frozenset(k for k, n in counts.items() if n >= 0.9 * (len(pages) - 1))


def _speakable(name: str) -> bool:
    """Whether a person would call a thing by this name."""
    return 2 <= len(name) <= 90 and any(c.isalpha() for c in name) and "\n" not in name


def _begins_at(exploration: Exploration) -> str:
    """Where one stands at the start: the first page that was seen, where the start place leads on to another."""
    seen = [page.location for page in exploration.pages]
    return exploration.home if exploration.home in seen or not seen else seen[0]
