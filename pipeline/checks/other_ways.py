"""Gate 10: where the UI graph knows another way to the same goal, it passes as well."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, in_words, not_applicable, passed, unscored
from pipeline.checks.running import run
from pipeline.domain.action import Action
from pipeline.domain.evaluator import evaluate
from pipeline.domain.script import Way, reach, script
from pipeline.domain.verdict import Verdict
from pipeline.live.workbench import Workbench


async def other_ways(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """Executes one way that avoids the transitions which the oracle took last."""
    actions = another_way(seen, scene)
    if actions is None:
        return not_applicable("other-ways", "no-other-way", "The UI graph knows no other way.")
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


def another_way(seen: Seen, scene: Scene) -> tuple[Action, ...] | None:
    """The oracle's goal without the last transition of the way to each part; None where that leads nowhere else."""
    avoid: set[str] = set()
    for part in seen.draft.goal.parts:
        hops = reach(scene.app, part)
        avoid |= {hops[-1].edge} if hops else set()
    actions = script(scene.app, seen.draft.goal, Way(avoid=frozenset(avoid))) if avoid else None
    return actions if actions is not None and actions != seen.draft.oracle else None
