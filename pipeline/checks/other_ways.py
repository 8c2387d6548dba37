"""Gate 10: where another way to the same goal is known, by another form or another path, it passes as well."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, in_words, not_applicable, passed, unscored
from pipeline.checks.meanings import asks_the_same, other_readings
from pipeline.checks.running import run
from pipeline.domain.action import Action
from pipeline.domain.evaluator import evaluate
from pipeline.domain.script import Way, reach, script
from pipeline.domain.verdict import Verdict
from pipeline.live.workbench import Workbench


async def other_ways(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """Executes one way: by another form that asks for the same, else without the transitions that were taken last."""
    actions = _another_form(seen, scene) or another_way(seen, scene)
    if actions is None:
        return not_applicable("other-ways", "no-other-way", "No other way is known.")
    record = await run(bench, seen, actions)
    if record.trajectory.broken_at is not None:
        return not_applicable("other-ways", "way-not-walkable", "The other way cannot be walked from the start.")
    seen.ways_built += 1
    evaluation = evaluate(seen.draft.evaluator, record.facts)
    if evaluation.outcome == "unscored":
        return unscored("other-ways", "facts-missing", "A condition could not be decided.")
    if evaluation.outcome != "passed":
        return failed("other-ways", "other-way-fails", "Another way to the goal fails.", *in_words(evaluation))
    seen.ways_passed += 1
    seen.passing.append(record.facts)
    return passed("other-ways", "one other way passed")


def _another_form(seen: Seen, scene: Scene) -> tuple[Action, ...] | None:
    """The goal with one part done by another feature, where one of the same meaning is known."""
    goal = seen.draft.goal
    for index, part in enumerate(goal.parts):
        for other in other_readings(scene.app, part, seen.draft.instruction):
            parts = (*goal.parts[:index], other, *goal.parts[index + 1 :])
            actions = script(scene.app, goal.model_copy(update={"parts": parts}))
            if actions is not None and asks_the_same(scene.app, part, other):
                return actions
    return None


def another_way(seen: Seen, scene: Scene) -> tuple[Action, ...] | None:
    """The oracle's goal without the last transition of the way to each part; None where that leads nowhere else."""
    avoid: set[str] = set()
    for part in seen.draft.goal.parts:
        hops = reach(scene.app, part)
        avoid |= {hops[-1].edge} if hops else set()
    actions = script(scene.app, seen.draft.goal, Way(avoid=frozenset(avoid))) if avoid else None
    return actions if actions is not None and actions != seen.draft.oracle else None
