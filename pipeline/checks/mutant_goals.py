"""Trajectories that must not pass, built from the goal's structure; None where the application offers no such thing."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Sequence

from pipeline.checks.context import Scene, Seen
from pipeline.checks.disturbances import another_change
from pipeline.domain.action import Action, Answer
from pipeline.domain.drawing import bound_column, draw_choice, draw_part
from pipeline.domain.feature import Feature
from pipeline.domain.goal import Choice, Entity, Goal, GoalPart
from pipeline.domain.script import DIRECT, answer_of, part_script, reach, script
from pipeline.domain.values import Cell
from pipeline.domain.verdict import MutantKind

DRAWS = 30
Builder = Callable[[Seen, Scene, random.Random], tuple[Action, ...] | None]


def one_short(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """The oracle without its last step; where that is the last form's submission, from the forms' own places."""
    oracle = seen.draft.oracle
    direct = script(scene.app, seen.draft.goal, DIRECT) if seen.draft.evaluator.changes_state else None
    if direct and len(direct) >= 2 and direct[-1] == oracle[-1]:
        return direct[:-1]
    return oracle[:-1] if len(oracle) >= 2 else None


def wrong_value(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """One value is another one; where the part takes none, the right thing is changed in another way, else another."""
    goal = seen.draft.goal
    for index in _parts_to_spoil(scene, goal):
        part = goal.parts[index]
        free = [c for c in part.choices if not _names_new_thing(scene, part, c)] or list(part.choices)
        spoiled = _other_choice(scene, part, free[-1], rng) if free else _other_change(scene, part, rng)
        if spoiled is None and not free and part.entity is not None:
            spoiled = _elsewhere(scene, goal, index, rng)  # the thing is the only value there is
        if spoiled is not None:
            return script(scene.app, _with_part(goal, index, spoiled), DIRECT)
    return None


def wrong_entity(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """The right thing is done to another thing; what has no thing is done under another name or in another place."""
    goal = seen.draft.goal
    for index in _parts_to_spoil(scene, goal):
        spoiled = _elsewhere(scene, goal, index, rng)
        if spoiled is not None:
            return script(scene.app, _with_part(goal, index, spoiled), DIRECT)
    return None


def done_twice(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """What the oracle does, twice; where that does not add up it ends as the oracle does, is equivalent, and passes."""
    once = script(scene.app, seen.draft.goal, DIRECT) if seen.draft.evaluator.changes_state else None
    return (*once, *once) if once else None


def one_more(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """One change that nobody asked for, and then the oracle, so that the run ends where it should."""
    extra = another_change(scene, seen, rng)
    goal = script(scene.app, seen.draft.goal, DIRECT)
    if extra is None or goal is None:
        return None
    answers = [a for a in seen.draft.oracle if isinstance(a, Answer)]
    return (*extra, *goal) if not answers else (*extra, *seen.draft.oracle[-1:])


def near_miss(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """One character of a typed value or of the answer is another one."""
    goal = seen.draft.goal
    last = seen.draft.oracle[-1]
    if isinstance(last, Answer):
        return (Answer(text=nearly(last.text)),)
    for index in _parts_to_spoil(scene, goal):
        part = goal.parts[index]
        kinds = {p.key: p.kind for p in scene.app.features[part.feature].parameters}
        for choice in part.choices:
            if kinds.get(choice.parameter) in ("text", "multiline", "search", "email", "url"):
                close = choice.model_copy(update={"value": nearly(choice.value), "shown": nearly(choice.shown)})
                return script(scene.app, _with_part(goal, index, _replaced(part, close)), DIRECT)
    return None


def other_answer(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """The answer that is right for another thing."""
    part = seen.draft.goal.parts[-1]
    if part.operation != "read" or part.entity is None:
        return None
    right = answer_of(scene.app, part)
    kind = scene.app.features[part.feature].entity
    others = list(scene.app.entities_of(kind)) if kind else []
    rng.shuffle(others)
    for entity in others:
        wrong = answer_of(scene.app, part.model_copy(update={"entity": entity}))
        if wrong.strip() and wrong not in (right, "None"):
            return (Answer(text=wrong),)
    return None


def page_dump(seen: Seen, scene: Scene, rng: random.Random) -> tuple[Action, ...] | None:
    """Everything on the last screen, given as the answer."""
    if not isinstance(seen.draft.oracle[-1], Answer) or seen.oracle is None or seen.oracle.facts.final is None:
        return None
    return (Answer(text=seen.oracle.facts.final.text[:20_000]),)


BUILDERS: dict[MutantKind, Builder] = {
    "one_short": one_short,
    "wrong_value": wrong_value,
    "wrong_entity": wrong_entity,
    "done_twice": done_twice,
    "near_miss": near_miss,
    "other_answer": other_answer,
    "page_dump": page_dump,
    "one_more": one_more,
}
"""By kind, in the order in which they are tried; ``no_op`` is the run of the sixth gate.

What changes another thing comes last: the oracle's last run follows it.
"""


def required(seen: Seen) -> frozenset[MutantKind]:
    """Kinds that have to be killed for the task to count as proven."""
    kinds: set[MutantKind] = {"no_op"}
    if len(seen.draft.oracle) >= 2:
        kinds.add("one_short")
    if seen.draft.evaluator.changes_state:
        kinds |= {"wrong_value", "wrong_entity", "one_more"}
    return frozenset(kinds)


def nearly(text: str) -> str:
    """The text with its last letter or digit replaced by its neighbour."""
    for i in range(len(text) - 1, -1, -1):
        c = text[i]
        if c.isalnum() and c.isascii():
            last = c in "zZ9"
            return text[:i] + (chr(ord(c) - 1) if last else chr(ord(c) + 1)) + text[i + 1 :]
    return text + "x"


def _parts_to_spoil(scene: Scene, goal: Goal) -> Iterator[int]:
    """Parts that change state first, the last of them first."""
    order = sorted(
        range(len(goal.parts)), key=lambda i: (not scene.app.features[goal.parts[i].feature].effects.changes_state, -i)
    )
    return iter(order)


def _names_new_thing(scene: Scene, part: GoalPart, choice: Choice) -> bool:
    return part.operation == "create" and part.entity is None and choice == part.choices[0]


def _with_part(goal: Goal, index: int, part: GoalPart) -> Goal:
    return goal.model_copy(update={"parts": (*goal.parts[:index], part, *goal.parts[index + 1 :])})


def _replaced(part: GoalPart, choice: Choice) -> GoalPart:
    choices = tuple(choice if c.parameter == choice.parameter else c for c in part.choices)
    return part.model_copy(update={"choices": choices})


def _other_choice(scene: Scene, part: GoalPart, choice: Choice, rng: random.Random) -> GoalPart | None:
    """The part with another value for the same parameter; where there is none left, another change of the thing."""
    feature = scene.app.features[part.feature]
    parameter = next(p for p in feature.parameters if p.key == choice.parameter)
    if parameter.kind == "checkbox":
        return _other_change(scene, part, rng)
    for _ in range(DRAWS):
        other = draw_choice(scene.app, feature, parameter, part.entity, rng, scene.today)
        if other is not None and other.value != choice.value:
            return _replaced(part, other)
    return _other_change(scene, part, rng)


def _other_change(scene: Scene, part: GoalPart, rng: random.Random) -> GoalPart | None:
    """Another change of the same thing, or, where there is no thing, of the same place."""
    for feature in _shuffled(scene, rng):
        if feature.id == part.feature or not feature.effects.changes_state or feature.operation == "delete":
            continue
        if not _same_kind(feature, scene.app.features[part.feature]):
            continue
        drawn = _draw(scene, feature, rng)
        if drawn is None:
            continue
        moved = drawn.model_copy(update={"entity": part.entity})
        if part_script(scene.app, moved, DIRECT) is not None:
            return moved
    return None


def _same_kind(feature: Feature, own: Feature) -> bool:
    if own.entity is None:
        return feature.entity is None and feature.operation == own.operation
    return feature.entity is not None and feature.entity.table == own.entity.table


def _elsewhere(scene: Scene, goal: Goal, index: int, rng: random.Random) -> GoalPart | None:
    part = goal.parts[index]
    feature = scene.app.features[part.feature]
    if feature.entity is not None and part.entity is not None:
        named = {p.entity.key for p in goal.parts if p.entity and p.entity.table == part.entity.table}
        other = _other_entity(scene, part, feature, named, rng)
        return part.model_copy(update={"entity": other}) if other else None
    if feature.operation == "navigate":
        return next((p for p in _drawn(scene, part, rng) if p.destination != part.destination), None)
    if feature.operation == "create" and len(part.choices) >= 2:
        return _other_choice(scene, part, part.choices[0], rng)
    elsewhere = next((p for p in _drawn(scene, part, rng) if p.feature != part.feature), None)
    if elsewhere is None and feature.operation == "create" and part.choices:
        return _other_choice(scene, part, part.choices[0], rng)
    return elsewhere


def _other_entity(
    scene: Scene, part: GoalPart, feature: Feature, named: Collection[Cell], rng: random.Random
) -> Entity | None:
    """Another thing of the kind that a person can reach; one that the goal names only where there is no other."""
    assert feature.entity is not None and part.entity is not None  # asked by the caller
    others = [e for e in scene.app.entities_of(feature.entity) if e.key != part.entity.key]
    others = [e for e in others if not _has_it_all(scene, feature, part.choices, e)]
    rng.shuffle(others)
    others.sort(key=lambda e: e.key in named)
    reachable = (e for e in others if reach(scene.app, part.model_copy(update={"entity": e})) is not None)
    return next(reachable, None)


def _has_it_all(scene: Scene, feature: Feature, choices: Sequence[Choice], entity: Entity) -> bool:
    """Whether a thing holds all the values already, so that giving them changes nothing."""
    row = scene.app.row(entity)
    return bool(choices) and all(
        str(row.get(bound_column(feature, c.parameter) or "")) in (c.value, c.shown) for c in choices
    )


def _drawn(scene: Scene, part: GoalPart, rng: random.Random) -> Iterator[GoalPart]:
    """Parts of other features with the same operation first, then of any that changes state."""
    own = scene.app.features[part.feature]
    ranked = sorted(_shuffled(scene, rng), key=lambda f: f.operation != own.operation)
    for feature in ranked:
        if feature.effects.changes_state == own.effects.changes_state and feature.entity is None:
            drawn = _draw(scene, feature, rng)
            if drawn is not None:
                yield drawn


def _draw(scene: Scene, feature: Feature, rng: random.Random) -> GoalPart | None:
    """A part of the feature; a draw fails where it happens on the present value, so that several are made."""
    draws = (draw_part(scene.app, feature, rng, scene.today) for _ in range(DRAWS))
    return next((part for part in draws if part is not None), None)


def _shuffled(scene: Scene, rng: random.Random) -> list[Feature]:
    features = sorted(scene.app.features.values(), key=lambda f: f.id)
    rng.shuffle(features)
    return features
