"""Goals with values that were never tried: which feature, which thing, which values. Seeded, endless, no repeats."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from pipeline.domain.drawing import draw_part
from pipeline.domain.feature import Feature, Operation
from pipeline.domain.goal import Goal, Shape
from pipeline.domain.known_app import KnownApp

TRIES = 25
"""Draws for one goal before the feature counts as used up for now."""


def goals(
    app: KnownApp, features: Sequence[Feature], rng: random.Random, today: date, used: Mapping[str, int]
) -> Iterator[Goal]:
    """Single goals over the features in turn, those used least first; ends when no feature yields a new one."""
    seen: set[str] = set()
    order = list(features)
    rng.shuffle(order)
    order.sort(key=lambda f: used.get(f.id, 0))
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


def by_operation(features: Sequence[Feature]) -> dict[Operation, list[Feature]]:
    """Features grouped by what they do, in recorded order."""
    groups: dict[Operation, list[Feature]] = {}
    for feature in features:
        groups.setdefault(feature.operation, []).append(feature)
    return groups
