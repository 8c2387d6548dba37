"""Gate 4: a name means exactly one thing in the start state, and the sentence exactly one feature."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.checks.meanings import asks_the_same, other_readings
from pipeline.domain.draft import Draft
from pipeline.domain.entities import same_name, things_called
from pipeline.domain.goal import Entity
from pipeline.domain.verdict import EvidenceItem, Verdict


def unambiguous(draft: Draft, scene: Scene) -> Verdict:
    """Counts the things that bear the name, and looks for another feature that the same sentence could mean."""
    evidence = []
    for part in draft.goal.parts:
        for other in other_readings(scene.app, part, draft.instruction):
            if not asks_the_same(scene.app, part, other):
                place = scene.app.features[other.feature].location
                said = f"It may as well mean {place}, where something else happens."
                return failed("unambiguous", "other-meaning", said)
        if part.entity is None:
            continue
        named = part.entity
        column = _name_column(scene, named, part.feature)
        things = things_called(scene.app.start, named.table, column, named.name, named.key_column)
        namesakes = _namesakes(scene, named)
        if len(things) != 1 or namesakes:
            many = f"{len(things) + namesakes} things are called {part.entity.name!r}."
            return failed("unambiguous", "no-such-entity" if not things else "ambiguous-entity", many)
        evidence.append(EvidenceItem(kind="entity", text=f"{part.entity.noun} {part.entity.name}", ref=min(things)))
    return passed("unambiguous", "", *evidence)


def _name_column(scene: Scene, entity: Entity, feature: str) -> str:
    """The column in which the feature finds names; another one that holds it where the row's name is not there."""
    kind = scene.app.features[feature].entity
    row = scene.app.row(entity)
    ordered = ([kind.name_column] if kind else []) + list(row)
    return next((c for c in ordered if same_name(row.get(c), entity.name)), "")


def _namesakes(scene: Scene, entity: Entity) -> int:
    """Things of other tables that a person calls by the same noun and the same name."""
    kinds = {
        (f.entity.table, f.entity.name_column, f.entity.key_column)
        for f in scene.app.features.values()
        if f.entity and f.entity.noun == entity.noun and f.entity.table != entity.table
    }
    return sum(len(things_called(scene.app.start, t, name, entity.name, key)) for t, name, key in kinds)
