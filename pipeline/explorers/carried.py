"""What an earlier exploration of the application still tells after an upgrade, so that only what changed is done again.

Places are always visited again. What was tried at a place is taken over where the place offers the same as before and
the tables that it touched have the same columns. A feature that behaves otherwise all the same is caught by its proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain.state import RowChange, StateSnapshot
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Poke, Result, Trial, Unit, Visit


@dataclass(frozen=True)
class Carried:
    """Results of the earlier exploration by unit, and what was known with them."""

    results: Mapping[str, Result]
    earlier: Knowledge
    start: StateSnapshot
    """Of the application as it is now."""

    @classmethod
    def of(cls, results: Sequence[Result], home: str, start: StateSnapshot) -> Carried:
        """From the saved results, of which those that broke tell nothing."""
        earlier = Knowledge(home=home)
        earlier.add(results)
        sound = {r.key: r for r in results if not r.problem.startswith(("broke", "signed out"))}
        return cls(sound, earlier, start)

    def result(self, unit: Unit, known: Knowledge) -> Result | None:
        """The earlier result, where it still holds."""
        found = self.results.get(unit.key)
        first, *others = _places(unit)
        if found is None or not _offered(first, known):
            return None
        same = all(_offered(place, self.earlier) == _offered(place, known) for place in (first, *others))
        return found if same and all(map(self._fits, _changes(found))) else None

    def _fits(self, change: RowChange) -> bool:
        """Whether the row could be one of today's table; of a table that was empty only the name is known."""
        table = self.start.tables.get(change.table)
        if table is None:
            return False
        today = {column for row in list(table.rows.values())[:1] for column in row}
        return not today or set(change.after or change.before or {}) == today


def _places(unit: Unit) -> Sequence[str]:
    """Pages where the unit begins."""
    match unit:
        case Visit():
            return ("",)  # none: it is always visited again
        case Poke():
            return (unit.page,)
        case Trial():
            return [site.location for site in unit.sites]


def _offered(place: str, known: Knowledge) -> frozenset[str]:
    """What can be done at a place, and what its fields let choose; empty where it was not seen."""
    parameters = [p for reading in known.readings.get(place, ()) for p in reading.parameters]
    choices = {f"{p.key}|{p.kind}|{p.required}|{'|'.join(p.options)}" for p in parameters}
    return known.doable.get(place, frozenset()) | choices


def _changes(result: Result) -> Iterator[RowChange]:
    for execution in result.executions:
        yield from execution.diff.changes
