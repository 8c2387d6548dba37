"""Gate 4: a name means exactly one thing in the start state, or something that an earlier part makes."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.entities import same_name, things_called
from pipeline.domain.goal import Entity
from pipeline.domain.verdict import EvidenceItem, Verdict


def unambiguous(draft: Draft, scene: Scene) -> Verdict:
    """Counts the things of the entity's table that bear its name."""
    evidence = []
    for part in draft.goal.parts:
        if part.entity is None:
            continue
        named = part.entity
        column = _name_column(scene, named, part.feature)
        things = things_called(scene.app.start, named.table, column, named.name, named.key_column)
        if len(things) != 1:
            many = f"{len(things)} things are called {part.entity.name!r}."
            return failed("unambiguous", "no-such-entity" if not things else "ambiguous-entity", many)
        evidence.append(EvidenceItem(kind="entity", text=f"{part.entity.noun} {part.entity.name}", ref=min(things)))
    return passed("unambiguous", "", *evidence)


def _name_column(scene: Scene, entity: Entity, feature: str) -> str:
    """The column in which the feature finds names; another one that holds it where the row's name is not there."""
    kind = scene.app.features[feature].entity
    row = scene.app.row(entity)
    ordered = ([kind.name_column] if kind else []) + list(row)
    return next((c for c in ordered if same_name(row.get(c), entity.name)), "")
