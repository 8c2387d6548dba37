"""Gate 10: where another way to the same goal is known, by another form or another path, it passes as well."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, in_words, not_applicable, passed, unscored
from pipeline.checks.meanings import asks_the_same, other_readings
from pipeline.checks.running import steady_run
from pipeline.domain.action import Action, Fill, Press
from pipeline.domain.compare import url_parts
from pipeline.domain.evaluator import evaluate
from pipeline.domain.feature import Fixed, FromParameter
from pipeline.domain.locators import record
from pipeline.domain.script import Way, reach, script
from pipeline.domain.verdict import Verdict
from pipeline.live.workbench import Workbench

_TYPED = frozenset({"text", "search"})


async def other_ways(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """Executes one way: by another form that asks for the same, else without the transitions that were taken last."""
    actions = _another_form(seen, scene) or _form_at_hand(seen, scene) or another_way(seen, scene)
    if actions is None:
        return not_applicable("other-ways", "no-other-way", "No other way is known.")
    record = await steady_run(bench, seen, actions)
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


def _form_at_hand(seen: Seen, scene: Scene) -> tuple[Action, ...] | None:
    """The asked-for value in another form that the start page has, sent to the same place under the same name.

    A search box in the header and the search page's own look alike and need not do the same.
    """
    part, place = seen.draft.goal.parts[0], scene.app.features[seen.draft.goal.parts[0].feature].effects.location
    steps = seen.oracle.trajectory.steps if seen.oracle else ()
    if len(seen.draft.goal.parts) > 1 or len(part.choices) != 1 or place is None or not steps:
        return None
    page = steps[0].before
    asked = {
        n for n, b in place.query.items() if isinstance(b, FromParameter) and b.parameter == part.choices[0].parameter
    }
    sent = {f.index for f in page.forms if f.method == "get" and Fixed(value=url_parts(f.target)[1]) == place.path}
    used = [getattr(step.action, "target", None) for step in steps]
    for element in page.elements:
        control = element.control
        if control is None or control.form not in sent or control.field not in asked or control.kind not in _TYPED:
            continue
        target = record(element, page)
        if target is not None and target not in used:
            return (Fill(target=target, text=part.choices[0].value), Press(target=target, key="Enter"))
    return None


def another_way(seen: Seen, scene: Scene) -> tuple[Action, ...] | None:
    """The oracle's goal without the last transition of the way to each part; None where that leads nowhere else."""
    avoid: set[str] = set()
    for part in seen.draft.goal.parts:
        hops = reach(scene.app, part)
        avoid |= {hops[-1].edge} if hops else set()
    actions = script(scene.app, seen.draft.goal, Way(avoid=frozenset(avoid))) if avoid else None
    return actions if actions is not None and actions != seen.draft.oracle else None
