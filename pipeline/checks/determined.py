"""Gate 3: what is checked is stated, or follows from what the agent can see; answers are not given away."""

from __future__ import annotations

import re

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import AnswerIs, LocationIs
from pipeline.domain.feature import Feature, Fixed, FromEntity, FromParameter, FromPrior, box_spellings
from pipeline.domain.goal import Choice, GoalPart
from pipeline.domain.rowtests import Equals, RowCondition
from pipeline.domain.script import answer_of
from pipeline.domain.values import Cell, normal_text, squeezed
from pipeline.domain.verdict import Verdict


def determined(draft: Draft, scene: Scene) -> Verdict:
    """Every value of the goal stands verbatim in the instruction; every checked cell has an explanation."""
    for part in draft.goal.parts:
        for choice in part.choices:
            shown = choice.typed or choice.spoken
            if not _stands_in(shown, draft.instruction):
                return failed("determined", "value-not-stated", f"{shown!r} is checked but not in the instruction.")
        if part.entity is not None and squeezed(part.entity.name) not in squeezed(draft.instruction):
            return failed("determined", "entity-not-stated", f"{part.entity.name!r} is not in the instruction.")
        if part.entity is not None and not any(c.isalpha() for c in part.entity.name):
            return failed("determined", "only-an-id", f"{part.entity.name!r} is nothing a person would call it.")
        if part.operation == "read" and _given_away(draft.instruction, part, scene):
            return failed("determined", "answer-in-question", "The answer stands in the question.")
        if flaw := _flaw(scene.app.features[part.feature], scene):
            return failed("determined", *flaw)
        loose = _unchecked(scene.app.features[part.feature], part)
        if loose is not None:
            return failed("determined", "value-not-checked", f"{loose.shown!r} is asked for and nothing checks it.")
        if part.entity is not None and part.operation != "read" and not _about_the_thing(scene, part):
            return failed("determined", "thing-not-checked", f"Nothing checked is about {part.entity.name!r}.")
        unsaid = _left_open(scene, part, draft.instruction)
        if unsaid:
            why = f"The form has {unsaid!r} chosen beforehand; others of the kind have another, and no word says which."
            return failed("determined", "unstated-choice", why)
    stray = _unexplained(draft, scene)
    if stray:
        return failed("determined", "unexplained-value", f"The evaluator checks {stray!r}, which nothing gives.")
    return passed("determined")


def _unchecked(feature: Feature, part: GoalPart) -> Choice | None:
    """A value that no cell and no place carries; a box that is the only value shows in what changes at all."""
    effects = feature.effects
    bindings = [b for row in effects.meant for b in row.bindings]
    bindings += list(effects.location.query.values()) if effects.location else []
    carried = {b.parameter for b in bindings if isinstance(b, FromParameter)}
    loose = [c for c in part.choices if c.parameter not in carried]
    return None if not loose or (len(part.choices) == 1 and loose[0].typed) else loose[0]


def _flaw(feature: Feature, scene: Scene) -> tuple[str, str] | None:
    """Why nothing can be asked for by a feature, whatever the values: a reason code and a sentence."""
    if table := _made_twice(feature):
        return "made-twice", f"One is asked for, and {table!r} gets two that are alike."
    if idle := _idle_pin(feature, scene):
        return "value-not-checked", f"{idle!r} is asked for and any other ends alike."
    return None


def _made_twice(feature: Feature) -> str:
    """The table that gets the same row twice at once, with what was typed in it: no word can say that of one thing."""
    rows = [row for row in feature.effects.meant if row.change == "added"]
    again = (row for n, row in enumerate(rows) if row in rows[:n])
    return next((row.table for row in again if any(isinstance(b, FromParameter) for b in row.bindings)), "")


def _idle_pin(feature: Feature, scene: Scene) -> str:
    """A choice that is part of the feature and makes no difference: the same form with another one does the same."""
    pins = dict(feature.pinned)
    for other in scene.app.features.values() if pins else ():
        same_form = (other.route, other.submit, dict(other.pinned).keys()) == (
            feature.route,
            feature.submit,
            pins.keys(),
        )
        if same_form and other.pinned != feature.pinned and other.effects.meant == feature.effects.meant:
            return next(label for key, label in feature.pinned if dict(other.pinned)[key] != label)
    return ""


def _about_the_thing(scene: Scene, part: GoalPart) -> bool:
    """Whether any change is explained by the thing that the instruction names."""
    rows = scene.app.features[part.feature].effects.rows
    bindings = [b for row in rows for b in row.bindings]
    return any(row.each and not row.optional for row in rows) or any(
        isinstance(b, FromEntity | FromPrior) for b in bindings
    )


def _left_open(scene: Scene, part: GoalPart, instruction: str) -> str:
    """A constant in a new thing's key that other things of its table do not share and that no word speaks of."""
    feature = scene.app.features[part.feature]
    said = squeezed(f"{instruction} {feature.noun}").casefold()
    for row in feature.effects.rows if part.operation == "create" and part.entity is None else ():
        table = scene.app.start.tables.get(row.table)
        named = any(isinstance(b, FromParameter) for b in row.key.values())
        for column, binding in row.key.items() if row.change == "added" and table and named else ():
            if not isinstance(binding, Fixed) or not isinstance(binding.value, str) or not binding.value.strip():
                continue
            others = {str(r.get(column)) for r in table.rows.values()} if table else set()
            spoken = squeezed(binding.value.replace("_", " ").replace("-", " ")).casefold()
            if others - {binding.value} and spoken not in said:
                return binding.value
    return ""


def _given_away(instruction: str, part: GoalPart, scene: Scene) -> bool:
    return _stands_in(answer_of(scene.app, part), instruction)


def _stands_in(value: str, instruction: str) -> bool:
    """Whether a value stands there whole, in any case; ``on`` does not stand in ``option``."""
    wanted = squeezed(value).casefold()
    return bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", squeezed(instruction).casefold()))


def _unexplained(draft: Draft, scene: Scene) -> Cell:
    """A checked value that is no value of the goal, no cell of its entities and no constant of its features."""
    choices = [c for p in draft.goal.parts for c in p.choices]
    given = {normal_text(v) for c in choices for v in (c.value, c.shown, *(box_spellings(c.typed) if c.typed else ()))}
    constants, frames = _constants(draft, scene)
    cells = {str(v) for p in draft.goal.parts if p.entity for v in scene.app.row(p.entity).values()}
    cells |= {str(v) for p in draft.goal.parts for v in _cascaded(scene, p)}
    for condition in draft.evaluator.conditions:
        if isinstance(condition, RowCondition):
            where = {} if _is_reached(condition, draft, scene) else condition.key
            tests = [t for t in {**where, **condition.cells}.values() if isinstance(t, Equals)]
            for test in tests:
                text = normal_text(str(test.value))
                framed = any(text == normal_text(a + v + b) for a, b in frames for v in given)
                if text not in constants and text not in given and str(test.value) not in cells and not framed:
                    return test.value
        elif isinstance(condition, LocationIs):
            for value in condition.query.values():
                if normal_text(value) not in given | constants:
                    return value
        elif isinstance(condition, AnswerIs) and not any(p.operation == "read" for p in draft.goal.parts):
            return condition.cell.column
    return None


def _cascaded(scene: Scene, part: GoalPart) -> list[Cell]:
    """Keys of the rows that point to the part's entity in the start state, where the feature reaches all of them."""
    if part.entity is None:
        return []
    entity, found = scene.app.row(part.entity), []
    for row in scene.app.features[part.feature].effects.rows:
        table = scene.app.start.tables.get(row.table)
        if row.each is not None and table is not None:
            value = entity.get(row.each.entity_column)
            found += [c for key, r in table.rows.items() if r.get(row.each.column) == value for c in key]
    return found


def _is_reached(condition: RowCondition, draft: Draft, scene: Scene) -> bool:
    """Whether the row is one that a cascade reaches: which rows those are follows from the start state."""
    if condition.change == "added":
        return False
    cascades = {
        row.table
        for p in draft.goal.parts
        for row in scene.app.features[p.feature].effects.rows
        if row.each is not None
    }
    return condition.table in cascades


def _constants(draft: Draft, scene: Scene) -> tuple[set[str], set[tuple[str, str]]]:
    """Constant cells of the features, and the constant text around parameters."""
    constants: set[str] = {""}
    frames: set[tuple[str, str]] = set()
    for part in draft.goal.parts:
        effects = scene.app.features[part.feature].effects
        bindings = [b for row in effects.rows for b in row.bindings]
        bindings += list(effects.location.query.values()) if effects.location else []
        constants |= {normal_text(str(b.value)) for b in bindings if isinstance(b, Fixed)}
        frames |= {(b.prefix, b.suffix) for b in bindings if isinstance(b, FromParameter)}
    return constants, frames
