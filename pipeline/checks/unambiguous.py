"""Gate 4: a name means exactly one thing in the start state, or something that an earlier part makes."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.goal import Entity
from pipeline.domain.values import canonical_json, squeezed
from pipeline.domain.verdict import EvidenceItem, Verdict


def unambiguous(draft: Draft, scene: Scene) -> Verdict:
    """Counts the things of the entity's table that bear its name."""
    evidence = []
    for part in draft.goal.parts:
        if part.entity is None:
            continue
        table = scene.app.start.tables.get(part.entity.table)
        rows = list(table.rows.values()) if table else []
        column = _name_column(scene, part.entity, part.feature)
        things = {canonical_json(r.get(part.entity.key_column)) for r in rows if _same(r.get(column), part.entity.name)}
        if len(things) != 1:
            many = f"{len(things)} things are called {part.entity.name!r}."
            return failed("unambiguous", "no-such-entity" if not things else "ambiguous-entity", many)
        evidence.append(EvidenceItem(kind="entity", text=f"{part.entity.noun} {part.entity.name}", ref=things.pop()))
    return passed("unambiguous", "", *evidence)


def _name_column(scene: Scene, entity: Entity, feature: str) -> str:
    """The column in which the feature finds names; another one that holds it where the row's name is not there."""
    kind = scene.app.features[feature].entity
    row = scene.app.row(entity)
    ordered = ([kind.name_column] if kind else []) + list(row)
    return next((c for c in ordered if _same(row.get(c), entity.name)), "")


def _same(left: object, right: str) -> bool:
    return squeezed(str(left)).casefold() == squeezed(right).casefold()
