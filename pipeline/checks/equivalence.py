"""Whether two runs ended alike: same changes where values decide them, same answer, same place where that counts."""

from __future__ import annotations

from collections import Counter

from pipeline.checks.context import Scene
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import Facts, LocationIs
from pipeline.domain.feature import Volatile
from pipeline.domain.routes import canonical
from pipeline.domain.rowtests import RowCondition
from pipeline.domain.state import RowChange, masked
from pipeline.domain.values import canonical_json


def same_end(draft: Draft, one: Facts, other: Facts, scene: Scene) -> bool:
    """Compares answers, for goals that are a place final locations, and diffs without what may come along."""
    if one.answer != other.answer:
        return False
    if any(isinstance(c, LocationIs) for c in draft.evaluator.conditions) and _place(one) != _place(other):
        return False
    return _changes(draft, one, scene) == _changes(draft, other, scene)


def _place(facts: Facts) -> str:
    return canonical(facts.final.location) if facts.final else ""


def _changes(draft: Draft, facts: Facts, scene: Scene) -> Counter[str]:
    along = [c for c in draft.evaluator.conditions if isinstance(c, RowCondition) and not c.required]
    changes = [c for c in (facts.diff.changes if facts.diff else ()) if all(o.miss(c) for o in along)]
    volatile = _volatile_columns(draft, scene)
    masks = scene.app.exploration.masks
    return Counter(_spelling(c, volatile) for c in changes if not masked(c, masks))


def _volatile_columns(draft: Draft, scene: Scene) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (row.table, row.change, column)
        for part in draft.goal.parts
        for row in scene.app.features[part.feature].effects.rows
        for column, binding in {**row.key, **row.cells}.items()
        if isinstance(binding, Volatile)
    )


def _spelling(change: RowChange, volatile: frozenset[tuple[str, str, str]]) -> str:
    row = {**(change.after or change.before or {}), **change.key}
    kept = {c: v for c, v in row.items() if (change.table, change.change, c) not in volatile}
    return canonical_json([change.table, change.change, kept])
