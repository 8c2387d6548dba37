"""Other work on the same instance: what the oracle must not mind after a reset, and what one more change is made of."""

from __future__ import annotations

import random

from pipeline.checks.context import Scene, Seen
from pipeline.checks.running import standing
from pipeline.domain.action import Action
from pipeline.domain.drawing import draw_part
from pipeline.domain.feature import Feature
from pipeline.domain.goal import GoalPart
from pipeline.domain.script import DIRECT, part_script
from pipeline.live.workbench import Workbench

DRAWS = 40


async def disturb(seen: Seen, scene: Scene, bench: Workbench) -> None:
    """Do another task; the next run's reset has to take it back."""
    rng = scene.rng(seen.draft, "disturb")
    start, actions = standing(seen.draft.start_location, another_change(scene, seen, rng) or ())
    seen.runs += 1
    await bench.fresh(seen.draft.user, start)
    await bench.perform(actions, watched=False)


def another_change(scene: Scene, seen: Seen, rng: random.Random) -> tuple[Action, ...] | None:
    """Actions of a change that the goal does not ask for; None where the application offers none.

    A change of one thing is preferred to a setting, after which the whole application may look different; then comes
    what the goal does, with another thing. To delete comes last: it may take along what the goal needs.
    """
    touched = {p.entity.name for p in seen.draft.goal.parts if p.entity}
    for features in _by_preference(scene, seen):
        for _ in range(DRAWS if features else 0):
            part = _harmless(scene, rng.choice(features), touched, rng)
            actions = part_script(scene.app, part, DIRECT) if part else None
            if actions is not None:
                return actions
    return None


def _by_preference(scene: Scene, seen: Seen) -> tuple[list[Feature], ...]:
    own = {p.feature for p in seen.draft.goal.parts}
    changing = [f for f in scene.app.features.values() if f.effects.changes_state]
    kept = [f for f in changing if f.operation != "delete"]
    others = [f for f in kept if f.id not in own]
    things = [f for f in others if f.entity is not None or f.operation == "create"]
    return things, others, [f for f in kept if f.id in own], [f for f in changing if f.operation == "delete"]


def _harmless(scene: Scene, feature: Feature, touched: set[str], rng: random.Random) -> GoalPart | None:
    """A part that works on another thing than the goal's."""
    part = draw_part(scene.app, feature, rng, scene.today)
    return None if part is None or (part.entity and part.entity.name in touched) else part
