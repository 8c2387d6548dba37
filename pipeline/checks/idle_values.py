"""Runs with a choice left out: what ends as the oracle does although a choice was not made, asks for it in vain.

Only choices that no cell has to carry are tried: a box, and a choice that is part of the feature.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.checks.context import Scene, Seen
from pipeline.domain.action import Action, Check, Select
from pipeline.domain.feature import Feature
from pipeline.domain.script import DIRECT, script


def with_a_choice_left_out(seen: Seen, scene: Scene) -> Iterator[tuple[str, tuple[Action, ...]]]:
    """What was left out, in words, and the run without it."""
    whole = script(scene.app, seen.draft.goal, DIRECT) or ()
    for part in seen.draft.goal.parts:
        feature = scene.app.features[part.feature]
        fields = {p.key: p.target.name for p in feature.parameters}
        boxes = {c.parameter: c.typed for c in part.choices if c.typed}
        for key, said in {**boxes, **dict(feature.pinned)}.items() if feature.effects.changes_state else ():
            left = tuple(action for action in whole if not _makes(action, feature, key, said))
            if len(left) == len(whole) - 1:
                yield f"{fields[key]} {said}", left


def _makes(action: Action, feature: Feature, key: str, said: str) -> bool:
    """Whether an action is the making of a choice of the feature."""
    parameter = next(p for p in feature.parameters if p.key == key)
    if isinstance(action, Select):
        return action.option == said and (action.target.role, action.target.name) == (
            parameter.target.role,
            parameter.target.name,
        )
    if not isinstance(action, Check) or action.target.role != parameter.target.role:
        return False
    return action.target.name == (said if parameter.kind == "radio" else parameter.target.name)
