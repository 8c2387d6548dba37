"""Whether two runs ended alike: same changes where values decide them, same answer, same place where that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pipeline.checks.context import Scene
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import Facts, LocationIs
from pipeline.domain.feature import Binding, Fixed, RowEffect, Volatile
from pipeline.domain.routes import canonical
from pipeline.domain.rowtests import RowCondition
from pipeline.domain.state import Row, RowChange, masked
from pipeline.domain.values import canonical_json


def same_end(draft: Draft, one: Facts, other: Facts, scene: Scene) -> bool:
    """Compares answers, for goals that are a place final locations, and diffs without what may come along."""
    if one.answer != other.answer:
        return False
    if any(isinstance(c, LocationIs) for c in draft.evaluator.conditions) and _place(one) != _place(other):
        return False
    return _changes(draft, one, scene) == _changes(draft, other, scene)


def nothing_changed(draft: Draft, facts: Facts, scene: Scene) -> bool:
    """Whether a run left everything as it was; not known where state cannot be read."""
    return facts.diff is not None and not _changes(draft, facts, scene)


def _place(facts: Facts) -> str:
    return canonical(facts.final.location) if facts.final else ""


def _changes(draft: Draft, facts: Facts, scene: Scene) -> Counter[str]:
    along = [c for c in draft.evaluator.conditions if isinstance(c, RowCondition) and not c.required]
    changes = [c for c in (facts.diff.changes if facts.diff else ()) if all(o.miss(c) for o in along)]
    effects = [row for part in draft.goal.parts for row in scene.app.features[part.feature].effects.rows]
    masks = (*scene.app.exploration.masks, *draft.evaluator.masks)
    return Counter(_spelling(c, effects) for c in changes if not masked(c, masks))


def _spelling(change: RowChange, effects: Sequence[RowEffect]) -> str:
    row = {**(change.after or change.before or {}), **change.key}
    open_columns = _volatile(change, row, effects)
    kept = {c: v for c, v in row.items() if c not in open_columns}
    return canonical_json([change.table, change.change, kept])


def _volatile(change: RowChange, row: Row, effects: Sequence[RowEffect]) -> frozenset[str]:
    """Columns that no value decides. Rows of one table differ: of settings, one holds the value, another the time."""
    own = [e for e in effects if (e.table, e.change) == (change.table, change.change)]
    fitting = [e for e in own if all(row.get(c) == b.value for c, b in _bound(e).items() if isinstance(b, Fixed))]
    columns = [frozenset(c for c, b in _bound(e).items() if isinstance(b, Volatile)) for e in fitting or own]
    if not columns:
        return frozenset()
    return frozenset.intersection(*columns) if fitting else frozenset.union(*columns)


def _bound(effect: RowEffect) -> dict[str, Binding]:
    return {**effect.key, **effect.cells}
