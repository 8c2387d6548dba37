"""Gate 4: a name means exactly one thing in the start state, and the sentence exactly one feature."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.entities import same_name, things_called
from pipeline.domain.evaluator import Condition
from pipeline.domain.expectations import part_conditions
from pipeline.domain.feature import Feature
from pipeline.domain.goal import Choice, Entity, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.rowtests import RowCondition
from pipeline.domain.values import canonical_json, squeezed
from pipeline.domain.verdict import EvidenceItem, Verdict


def unambiguous(draft: Draft, scene: Scene) -> Verdict:
    """Counts the things that bear the name, and looks for another feature that the same sentence could mean."""
    evidence = []
    for part in draft.goal.parts:
        other = _other_meaning(scene.app, part, draft.instruction)
        if other is not None:
            said = f"It may as well mean {other.location}, where something else happens."
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


def _other_meaning(app: KnownApp, part: GoalPart, instruction: str) -> Feature | None:
    """Another feature that the words fit as well, and that asks for something else to become true."""
    own = app.features[part.feature]
    asked = _asked(part_conditions(app, part, last=True))
    for other in app.features.values():
        if other.id == own.id or not _fits(own, other, instruction):
            continue
        choices = _choices(part, own, other)
        if choices is None:
            continue
        meant = part.model_copy(update={"feature": other.id, "choices": choices})
        if _asked(part_conditions(app, meant, last=True)) != asked:
            return other
    return None


def _fits(own: Feature, other: Feature, instruction: str) -> bool:
    """Whether nothing that tells the two apart stands in the instruction."""
    kinds = [f.entity.table if f.entity else "" for f in (own, other)]
    if own.operation != other.operation or kinds[0] != kinds[1] or len(own.parameters) != len(other.parameters):
        return False
    if own.answer_label != other.answer_label:
        return False  # a question says what it asks for, in words of its own
    said = squeezed(instruction).casefold()
    words = [_words(own), _words(other)]
    return all(not mine or mine == theirs or mine.casefold() not in said for mine, theirs in zip(*words, strict=True))


def _words(feature: Feature) -> list[str]:
    pins = dict(feature.pinned)
    labels = [word for p in feature.parameters for word in (p.label, pins.get(p.key, ""))]
    return [feature.noun, feature.heading, feature.deed, *labels]


def _choices(part: GoalPart, own: Feature, other: Feature) -> tuple[Choice, ...] | None:
    """The part's values in the other feature's fields; None where one of them cannot be given there."""
    given = {c.parameter: c for c in part.choices}
    found = []
    for mine, theirs in zip(own.parameters, other.parameters, strict=True):
        choice = given.get(mine.key)
        if choice is None:
            continue
        if mine.kind != theirs.kind or (theirs.options and choice.shown not in theirs.options):
            return None
        values = dict(zip(theirs.options, theirs.option_values, strict=False))
        moved = {"parameter": theirs.key, "value": values.get(choice.shown, choice.value)}
        found.append(choice.model_copy(update=moved))
    return tuple(found)


def _asked(conditions: list[Condition]) -> list[str]:
    """What has to become true; what may come along is left out."""
    needed = [c for c in conditions if not isinstance(c, RowCondition) or c.required]
    return sorted(canonical_json(c) for c in needed)
