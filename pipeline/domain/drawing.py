"""Drawing one part of a goal: a thing that can be reached and values that change it. Seeded and pure."""

from __future__ import annotations

import random
from datetime import date

from pipeline.domain import locators
from pipeline.domain.feature import EntityType, Feature, FromParameter, Parameter, box_spellings, spellings
from pipeline.domain.goal import Choice, Entity, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.plausible import plausible
from pipeline.domain.script import part_script
from pipeline.domain.state import Row
from pipeline.domain.uigraph import for_entity
from pipeline.domain.values import squeezed

_SMALL = frozenset(
    "with from than that this what when where which about after before over under into your have been".split()
)
"""Words that nobody would search for."""


def draw_part(app: KnownApp, feature: Feature, rng: random.Random, today: date) -> GoalPart | None:
    """One part with an entity that can be reached and values that change something; None where the draw failed."""
    entity: Entity | None = None
    if feature.entity is not None:
        # nothing is done to the account in use: it might not be able to sign in any more
        known = [e for e in app.entities_of(feature.entity) if not app.is_own_account(e)]
        pool = [e for e in known if _listed(app, feature, e)]
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


def _listed(app: KnownApp, feature: Feature, entity: Entity) -> bool:
    """Whether a thing that is picked in a list was seen there: a list may show a part of what there is."""
    page = app.graph.pages.get(feature.location)
    if feature.pick is None or page is None or feature.prelude:
        return True
    return bool(locators.resolve(for_entity(feature.pick, str(entity.key), entity.name), page.observation))


def answerable(app: KnownApp, feature: Feature, entity: Entity | None) -> bool:
    """Whether the answer is a value that a person could say and that others do not share throughout."""
    answer = str(app.row(entity).get(feature.answer_column) or "") if entity else ""
    return bool(answer.strip()) and len(answer) <= 60


def draw_choice(
    app: KnownApp, feature: Feature, parameter: Parameter, entity: Entity | None, rng: random.Random, today: date
) -> Choice | None:
    """A value other than the present one; for a person's place, a person."""
    current = str(app.row(entity).get(bound_column(feature, parameter.key) or "", "")) if entity else parameter.default
    if parameter.kind in ("text", "search") and _takes_a_person(app, feature, parameter):
        others = [p for p in app.people if p != current]
        shown = rng.choice(others) if others else ""
    elif feature.operation == "search" and (known := sought(app, feature, parameter)):
        shown = rng.choice(known)
    elif feature.operation == "sort":
        shown = rng.choice(parameter.options)
    else:
        free = parameter.model_copy(update={"default": ""}) if parameter.kind in ("select", "radio") else parameter
        shown = plausible(free, rng, today)
        if parameter.kind == "checkbox":
            shown = "off" if _is_on(current, parameter) else "on"
    if not shown or (entity is not None and parameter.options and shown == entity.name):
        return None  # what a thing may not be to itself, its own list leaves out
    value = spellings(parameter, shown)[0]
    if current in (value, shown):
        return None
    typed = shown if parameter.kind == "checkbox" else ""
    return Choice(parameter=parameter.key, label=parameter.label, value=value, shown=shown, typed=typed)


def sought(app: KnownApp, feature: Feature, parameter: Parameter) -> list[str]:
    """What a search would find: values of the column it is called after, else words of what things are called.

    Things that have their places below the search's own come first, then those of its noun; what is called after no
    column at all looks among all.
    """
    kinds = [f.entity for f in app.features.values() if f.entity is not None]
    below = [k for k in kinds if k.location.startswith(feature.location.partition("?")[0].rstrip("/") + "/")]
    near = below or [k for k in kinds if k.noun == feature.noun]
    if not near and not any(parameter.key in r for k in kinds for r in _first_rows(app, k)):
        near = kinds
    found: dict[str, None] = {}
    for kind in near:
        table = app.start.tables.get(kind.table)
        for row in table.rows.values() if table else ():
            column = parameter.key if isinstance(row.get(parameter.key), str) else kind.name_column
            text = squeezed(str(row.get(column) or ""))
            words = (
                [w for w in text.split() if len(w) > 3 and w.isalpha() and w.lower() not in _SMALL]
                if " " in text
                else []
            )
            whole = column == parameter.key and column != kind.name_column
            found |= dict.fromkeys([text] if (whole or not words) and _typable(text) else words)
    return list(found)


def _first_rows(app: KnownApp, kind: EntityType) -> list[Row]:
    table = app.start.tables.get(kind.table)
    return list(table.rows.values())[:1] if table else []


def _typable(text: str) -> bool:
    return 2 < len(text) <= 40 and text.isprintable()


def _takes_a_person(app: KnownApp, feature: Feature, parameter: Parameter) -> bool:
    """Whether the value comes to stand where users of the application stand."""
    if feature.operation == "assign":
        return True
    bound = (
        (row.table, column)
        for row in feature.effects.rows
        for column, binding in {**row.key, **row.cells}.items()
        if isinstance(binding, FromParameter) and binding.parameter == parameter.key and not binding.prefix
    )
    return any(app.holds_people(table, column) for table, column in bound)


def _is_on(current: str, parameter: Parameter) -> bool:
    return current.lower() in box_spellings("on") or (not current and parameter.default == "on")


def bound_column(feature: Feature, parameter: str) -> str | None:
    """The column of the entity's row that carries the parameter."""
    for row in feature.effects.rows:
        if feature.entity is not None and row.table == feature.entity.table:
            for column, binding in row.cells.items():
                if isinstance(binding, FromParameter) and binding.parameter == parameter:
                    return column
    return None
