"""From a goal to actions: the clicks that lead there, the values, the submission. Pure; the oracle is made here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pipeline.domain import locators
from pipeline.domain.action import Action, Answer, Check, Click, Fill, Open, Select
from pipeline.domain.feature import Feature, Parameter
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Element, Locator, Observation
from pipeline.domain.uigraph import SLUG, EntityName, Hop, for_entity
from pipeline.domain.values import canonical_json


def choose(parameter: Parameter, value: str) -> Action:
    """The action that gives a parameter its value; of a choice, ``value`` is the label, of a box ``on`` or ``off``."""
    match parameter.kind:
        case "select" | "multiselect":
            return Select(target=parameter.target, option=value)
        case "radio":
            return Check(target=parameter.target.model_copy(update={"name": value}))
        case "checkbox":
            return Check(target=parameter.target, on=value == "on")
        case _:
            return Fill(target=parameter.target, text=value)


@dataclass(frozen=True)
class Way:
    """How a part is reached."""

    avoid: frozenset[str] = frozenset()
    """Transitions that may not be used."""
    direct: bool = False
    """Open the place instead of walking to it."""


PLAIN = Way()
DIRECT = Way(direct=True)


def script(app: KnownApp, goal: Goal, way: Way = PLAIN) -> tuple[Action, ...] | None:
    """Actions from the start place that should reach the goal; None where no way is known."""
    actions: list[Action] = []
    for number, part in enumerate(goal.parts):
        steps = part_script(app, part, way)
        if steps is None:
            return None
        if number and not way.direct:
            actions += _back_to_start(app, steps)
        actions += steps
    return tuple(actions)


def _back_to_start(app: KnownApp, steps: Sequence[Action]) -> list[Action]:
    """Nothing where the next click is on a link that every page has, else the start place is opened."""
    first = steps[0] if steps else None
    if isinstance(first, Click):
        text = canonical_json(first)
        if any(known.startswith(text) for known in app.everywhere):
            return []
    return [Open(location=app.exploration.home)]


def part_script(app: KnownApp, part: GoalPart, way: Way = PLAIN) -> tuple[Action, ...] | None:
    """Actions for one part, from the start place."""
    feature = app.features[part.feature]
    hops = reach(app, part, way)
    if hops is None:
        return None
    there = tuple(h.action for h in hops)
    if feature.operation == "navigate":
        return there
    if feature.operation == "read":
        return (*there, Answer(text=answer_of(app, part)))
    if feature.operation == "sort":
        link = sort_link(app, feature, part.choices[0].shown)
        return (*there, Click(target=link)) if link else None
    return (*there, *form_actions(feature, part))


def answer_of(app: KnownApp, part: GoalPart) -> str:
    """The answer, read from the start state."""
    feature = app.features[part.feature]
    assert part.entity is not None  # read features have an entity
    return str(app.row(part.entity).get(feature.answer_column))


def form_actions(feature: Feature, part: GoalPart) -> tuple[Action, ...]:
    """Bring the form into reach, fill it in, submit it."""
    key, name = _key_and_name(part)

    def here(target: Locator) -> Locator:
        return for_entity(target, key, name)

    actions: list[Action] = [c.model_copy(update={"target": here(c.target)}) for c in feature.prelude]
    if feature.pick is not None:
        actions.append(Check(target=here(feature.pick)))
    given = {c.parameter: c for c in part.choices}
    pinned = dict(feature.pinned)
    for parameter in feature.parameters:
        value = pinned.get(parameter.key) or _typed(given[parameter.key], parameter)
        action = choose(parameter, value)
        target: Locator | None = getattr(action, "target", None)
        actions.append(action.model_copy(update={"target": here(target)}) if target else action)
    if feature.submit is not None:
        actions.append(Click(target=here(feature.submit), dialog="accept"))
    return tuple(actions)


def _typed(choice: Choice, parameter: Parameter) -> str:
    return choice.shown if parameter.kind in ("select", "radio") else choice.typed or choice.value


def _key_and_name(part: GoalPart) -> tuple[str, str]:
    return (str(part.entity.key), part.entity.name) if part.entity else ("", "")


def reach(app: KnownApp, part: GoalPart, way: Way = PLAIN) -> tuple[Hop, ...] | None:
    """The way to the place of a part; None where none is known."""
    feature = app.features[part.feature]
    key, name = _key_and_name(part)
    own_page = part.entity is not None and feature.pick is None
    if way.direct:
        location = app.graph.located(feature.location, key) if own_page else feature.location
        return None if SLUG in location else (Hop(Open(location=location), ""),)
    if own_page:
        sample = EntityName(*feature.sample)
        return app.graph.entity_path(feature.location, sample, EntityName(key, name), way.avoid)
    return app.graph.way_to(feature.location, way.avoid)


def sort_link(app: KnownApp, feature: Feature, column: str) -> Locator | None:
    """The link in the list's header row that sorts by a column."""
    page = app.graph.pages.get(feature.location)
    links = header_links(page.observation) if page is not None else ()
    return next((locators.record(e, page.observation) for e in links if e.name == column), None) if page else None


def header_links(seen: Observation) -> tuple[Element, ...]:
    """Links that stand in the header cells of lists: a link right behind a column header of the same name."""
    return tuple(
        link
        for header, link in pairwise(seen.elements)
        if header.role == "columnheader" and link.role == "link" and link.name and link.name == header.name
    )
