"""Other features that the words of an instruction fit as well, with the same values in their fields."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.domain.evaluator import Condition
from pipeline.domain.expectations import part_conditions
from pipeline.domain.feature import Feature
from pipeline.domain.goal import Choice, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.rowtests import RowCondition
from pipeline.domain.values import canonical_json, squeezed


def other_readings(app: KnownApp, part: GoalPart, instruction: str) -> Iterator[GoalPart]:
    """The part as done by each other feature that nothing in the instruction rules out."""
    own = app.features[part.feature]
    for other in app.features.values():
        if other.id == own.id or not _fits(own, other, instruction):
            continue
        choices = _choices(part, own, other)
        if choices is not None:
            yield part.model_copy(update={"feature": other.id, "choices": choices})


def asks_the_same(app: KnownApp, part: GoalPart, other: GoalPart) -> bool:
    """Whether the same has to become true; what may come along is left out."""
    return _asked(part_conditions(app, part, last=True)) == _asked(part_conditions(app, other, last=True))


def _fits(own: Feature, other: Feature, instruction: str) -> bool:
    """Whether nothing that tells the two apart stands in the instruction."""
    kinds = [f.entity.table if f.entity else "" for f in (own, other)]
    if own.operation != other.operation or kinds[0] != kinds[1] or len(own.parameters) != len(other.parameters):
        return False
    if own.answer_label != other.answer_label:
        return False  # a question says what it asks for, in words of its own
    said = squeezed(instruction).casefold()
    words = zip(_words(own), _words(other), strict=True)
    return all(not mine or mine == theirs or mine.casefold() not in said for mine, theirs in words)


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
    needed = [c for c in conditions if not isinstance(c, RowCondition) or c.required]
    return sorted(canonical_json(c) for c in needed)
