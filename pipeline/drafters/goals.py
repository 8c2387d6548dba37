"""Goals with values that were never tried: which feature, which thing, which values. Seeded, endless, no repeats."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date

from pipeline.domain.feature import Feature, FromParameter, Operation, Parameter, spellings
from pipeline.domain.goal import Choice, Entity, Goal, GoalPart, Shape
from pipeline.domain.known_app import KnownApp
from pipeline.domain.plausible import plausible
from pipeline.domain.script import part_script

TRIES = 25
"""Draws for one goal before the feature counts as used up for now."""


def goals(app: KnownApp, features: Sequence[Feature], rng: random.Random, today: date) -> Iterator[Goal]:
    """Single goals over the features in turn; ends when no feature yields a new one."""
    seen: set[str] = set()
    order = list(features)
    rng.shuffle(order)
    while order:
        for feature in list(order):
            goal = _new_goal(app, feature, rng, today, seen)
            if goal is None:
                order.remove(feature)
            else:
                yield goal


def _new_goal(app: KnownApp, feature: Feature, rng: random.Random, today: date, seen: set[str]) -> Goal | None:
    for _ in range(TRIES):
        part = draw_part(app, feature, rng, today)
        if part is None:
            continue
        shape: Shape = "query" if feature.operation == "read" else "single"
        goal = Goal(app=feature.app, shape=shape, parts=(part,))
        if goal.fingerprint not in seen:
            seen.add(goal.fingerprint)
            return goal
    return None


def draw_part(app: KnownApp, feature: Feature, rng: random.Random, today: date) -> GoalPart | None:
    """One part with an entity that can be reached and values that change something; None where the draw failed."""
    entity: Entity | None = None
    if feature.entity is not None:
        pool = app.entities_of(feature.entity)
        if not pool:
            return None
        entity = rng.choice(pool)
    choices: list[Choice] = []
    pinned = dict(feature.pinned)
    for parameter in feature.parameters:
        if parameter.key in pinned:
            continue
        choice = draw_choice(app, feature, parameter, entity, rng, today)
        if choice is None:
            return None
        choices.append(choice)
    destination = feature.location if feature.operation in ("navigate", "sort") else ""
    part = GoalPart(
        feature=feature.id,
        operation=feature.operation,
        entity=entity,
        choices=tuple(choices),
        destination=destination,
    )
    if feature.operation == "read" and not answerable(app, feature, entity):
        return None
    return part if part_script(app, part) is not None else None


def answerable(app: KnownApp, feature: Feature, entity: Entity | None) -> bool:
    """Whether the answer is a value that a person could say and that others do not share throughout."""
    answer = str(app.row(entity).get(feature.answer_column) or "") if entity else ""
    return bool(answer.strip()) and len(answer) <= 60


def draw_choice(
    app: KnownApp, feature: Feature, parameter: Parameter, entity: Entity | None, rng: random.Random, today: date
) -> Choice | None:
    """A value other than the present one; for a person's place, a person."""
    current = str(app.row(entity).get(bound_column(feature, parameter.key) or "", "")) if entity else parameter.default
    if feature.operation == "assign" and parameter.kind not in ("select", "radio"):
        others = [p for p in app.people if p != current]
        shown = rng.choice(others) if others else ""
    elif feature.operation == "sort":
        shown = rng.choice(parameter.options)
    else:
        shown = plausible(parameter.model_copy(update={"default": ""}), rng, today)
        if parameter.kind == "checkbox":
            shown = "off" if _is_on(current, parameter) else "on"
    if not shown:
        return None
    value = spellings(parameter, shown)[0]
    if current in (value, shown):
        return None
    typed = shown if parameter.kind == "checkbox" else ""
    return Choice(parameter=parameter.key, label=parameter.label, value=value, shown=shown, typed=typed)


def _is_on(current: str, parameter: Parameter) -> bool:
    return current in ("1", "true", "on", "True") or (not current and parameter.default == "on")


def bound_column(feature: Feature, parameter: str) -> str | None:
    """The column of the entity's row that carries the parameter."""
    for row in feature.effects.rows:
        if feature.entity is not None and row.table == feature.entity.table:
            for column, binding in row.cells.items():
                if isinstance(binding, FromParameter) and binding.parameter == parameter:
                    return column
    return None


def by_operation(features: Sequence[Feature]) -> dict[Operation, list[Feature]]:
    """Features grouped by what they do, in recorded order."""
    groups: dict[Operation, list[Feature]] = {}
    for feature in features:
        groups.setdefault(feature.operation, []).append(feature)
    return groups
