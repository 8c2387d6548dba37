"""From the executions of one trial to a feature: entity, effect model, operation, noun."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.domain import entities
from pipeline.domain.consequences import consequence_of
from pipeline.domain.effects import Sample, learn_effects
from pipeline.domain.entities import KeyColumn
from pipeline.domain.feature import (
    Binding,
    EffectModel,
    EntityType,
    Feature,
    Fixed,
    FromEntity,
    FromParameter,
    FromPrior,
    LocationEffect,
    Operation,
    Parameter,
    RowEffect,
    Volatile,
    spellings,
)
from pipeline.domain.observation import Locator
from pipeline.domain.routes import SLOT, canonical, split
from pipeline.domain.state import Row, StateSnapshot
from pipeline.domain.uigraph import slotted, with_slots
from pipeline.domain.values import fingerprint
from pipeline.explorers.executing import Attempt
from pipeline.explorers.nouns import created_noun, entity_noun, place_heading, says_create
from pipeline.explorers.units import Trial


@dataclass(frozen=True)
class Lesson:
    """What a trial taught: a feature, or why there is none, and which trials should follow."""

    feature: Feature | None = None
    problem: str = ""
    follow_ups: tuple[Trial, ...] = ()


def learn(unit: Trial, attempts: Sequence[Attempt], app: str, start: StateSnapshot) -> Lesson:
    """Compare the executions; the last one ran on a perturbed state."""
    broken = next((a.problem for a in attempts if a.problem), "")
    if broken:
        return Lesson(problem=broken)
    if not any(a.changes for a in attempts):
        return _learn_location(unit, attempts, app, EffectModel())
    entity = _entity(unit, attempts, start)
    if unit.pick_field and entity is None:
        return Lesson(problem="the rows that were picked are no known things")
    where = KeyColumn(entity.table, entity.key_column) if entity else None
    samples = [_sample(a, where, start) for a in attempts]
    learned = learn_effects(samples)
    if learned.problem:
        return Lesson(problem=learned.problem)
    follow_ups = _option_trials(unit, attempts[0], learned.effects)
    if follow_ups:
        return Lesson(problem="each option does something of its own", follow_ups=follow_ups)
    if not learned.effects.changes_state:
        return _learn_location(unit, attempts, app, learned.effects)
    if _goes_elsewhere(learned.effects):
        return Lesson(problem="a value does not go where its field says")
    feature = _feature(unit, attempts, app, entity, learned.effects)
    if feature.operation == "delete" and entity is None and not unit.parameters:
        return Lesson(problem="nothing says what is removed")
    if entity is None and (_about_one_thing(feature) or _about_one_of_many(feature, start)):
        return Lesson(problem="is about one thing that its place names, and no other such thing is known")
    if _leaves_the_deed_open(feature):
        return Lesson(problem="nothing that it changes tells what was done to which thing")
    if entity is None and not unit.pick_field and len({a.site.key for a in attempts}) > 1:
        return Lesson(problem="is about things that have no name")
    return Lesson(feature=feature)


def _goes_elsewhere(effects: EffectModel) -> bool:
    """Whether a value lands in a column while the one that bears its field's name takes on something else."""
    for row in effects.rows:
        given = {b.parameter for b in row.cells.values() if isinstance(b, FromParameter)}
        for parameter in given & row.cells.keys():
            own = row.cells[parameter]
            if not (isinstance(own, FromParameter) and own.parameter == parameter):
                return True
    return False


def _leaves_the_deed_open(feature: Feature) -> bool:
    """Whether a row changes in a way nothing explains, and all that is explained are lines of a log.

    What adds the like line, such as saving something unchanged, could not be told from it.
    """
    rows = feature.effects.meant
    unexplained = any(r.change == "changed" and not (r.optional or r.carries_meaning) for r in feature.effects.rows)
    bound = [b for row in rows for b in row.bindings]
    tied = any(isinstance(b, FromParameter | FromEntity | FromPrior) for b in bound) or any(r.each for r in rows)
    return (unexplained or feature.entity is not None) and not tied and all(row.change == "added" for row in rows)


def _about_one_thing(feature: Feature) -> bool:
    """Whether a row's key, or what a new row points to, stands in the location: an instruction had to name it."""
    segments = split(feature.location).segments
    slots = zip(segments, split(feature.route).segments, strict=False)
    keys = {segment for segment, template in slots if template == SLOT}
    return any(
        isinstance(b, Fixed) and str(b.value) in (keys if row.change == "added" else segments)
        for row in feature.effects.rows
        if row.carries_meaning
        for b in (row.cells if row.change == "added" else row.key).values()
    )


def _about_one_of_many(feature: Feature, start: StateSnapshot) -> bool:
    """Whether one numbered row of several is changed at a place that is one of several."""
    if SLOT not in feature.route.partition("?")[0]:
        return False
    changed = [row for row in feature.effects.rows if row.carries_meaning and row.change != "added"]
    numbered = [
        row for row in changed if any(isinstance(b, Fixed) and isinstance(b.value, int) for b in row.key.values())
    ]
    return any(row.table in start.tables and len(start.tables[row.table].rows) > 1 for row in numbered)


def _entity(unit: Trial, attempts: Sequence[Attempt], start: StateSnapshot) -> EntityType | None:
    """The kind of thing the form's page belongs to, or that is picked in a list."""
    keys = [a.site.key or a.site.row for a in attempts[:2]]
    if not all(keys) or len(set(keys)) == 1:
        return None  # one thing alone does not tell what is its own
    named = dict(zip(keys, attempts, strict=False))
    seen_as = {k: [a.site.row] if a.site.row else [*a.site.names, *_headings(a)] for k, a in named.items()}
    headings = {k: _headings(a) for k, a in named.items()}
    values = {k: [e.value for e in a.arrived.elements if e.value] for k, a in named.items()}
    thing = entities.known_thing(start, keys, [a.changes for a in attempts[:2]], seen_as, headings, values)
    if thing is None or thing.name is None:
        return None
    where, name = thing.where, thing.name
    site = attempts[0].site
    location = slotted(canonical(site.location), site.key, unit.route) if site.key else canonical(site.location)
    called = str(entities.row_of(start, where, keys[0]).get(name, ""))
    noun = entity_noun(attempts[0].arrived, unit.route, bool(site.key), [called], where.table)
    return EntityType(noun=noun, table=where.table, key_column=where.column, name_column=name, location=location)


def _headings(attempt: Attempt) -> list[str]:
    return [*(h.name for h in attempt.arrived.headings()[:3]), attempt.arrived.title]


def _sample(attempt: Attempt, where: KeyColumn | None, start: StateSnapshot) -> Sample:
    key = attempt.site.key or attempt.site.row
    entity: Row = entities.row_of(start, where, key) if where else {}
    prior: Row = entities.row_of(attempt.before, where, key) if where else {}
    return Sample(spellings_of(attempt), attempt.changes, entity, prior, attempt.before)


def spellings_of(attempt: Attempt) -> dict[str, tuple[str, ...]]:
    """How each value may be written in a cell: as submitted, and as shown."""
    assert attempt.reading is not None  # an attempt without a form has a problem and never comes here
    by_key = {p.key: p for p in attempt.reading.parameters}
    return {key: spellings(by_key[key], value) for key, value in attempt.values.items() if key in by_key}


def _option_trials(unit: Trial, attempt: Attempt, effects: EffectModel) -> tuple[Trial, ...]:
    """One trial an option, where a choice has effects that no cell carries."""
    if len(unit.parameters) != 1 or unit.pinned or attempt.reading is None:
        return ()
    key = unit.parameters[0]
    parameter = next((p for p in attempt.reading.parameters if p.key == key), None)
    carried = any(
        isinstance(b, FromParameter) for row in effects.rows for b in [*row.cells.values(), *row.key.values()]
    )
    if parameter is None or parameter.kind not in ("radio", "select") or carried:
        return ()
    options = [o for o in parameter.options if o and o != parameter.default][:4]
    return tuple(unit.model_copy(update={"parameters": (), "pinned": ((key, o),)}) for o in options)


def _feature(
    unit: Trial, attempts: Sequence[Attempt], app: str, entity: EntityType | None, effects: EffectModel
) -> Feature:
    first = attempts[0]
    assert first.reading is not None  # learned from it
    sample_key, sample_name = first.site.key, _sample_name(first, entity)
    used = set(first.values)  # a parameter that nothing plausible was found for was left as it is
    parameters = tuple(
        p.model_copy(update={"target": with_slots(p.target, sample_key, sample_name)})
        for p in first.reading.parameters
        if p.key in used
    )
    submit = next(s.target for s in first.reading.submits if s.name == unit.submit)
    operation = classify(unit, effects, entity, parameters, first)
    noun = entity.noun if entity and operation != "create" else created_noun(first.arrived, unit, parameters)
    location = canonical(first.site.location)
    return Feature(
        id=fingerprint([app, unit.key], 12),
        app=app,
        operation=operation,
        noun=noun,
        route=unit.route,
        location=slotted(location, sample_key, unit.route) if entity and sample_key else location,
        prelude=tuple(
            c.model_copy(update={"target": with_slots(c.target, sample_key, sample_name)}) for c in unit.prelude
        ),
        parameters=parameters,
        pinned=unit.pinned,
        pick=_pick(unit, first),
        submit=with_slots(submit, sample_key, sample_name),
        entity=entity,
        sample=(sample_key, sample_name),
        effects=effects,
        consequence=consequence_of(unit.submit) if operation != "delete" else "destructive",
        evidence=(fingerprint([app, unit.key], 12),),
        heading=place_heading(first.arrived),
    )


def _sample_name(attempt: Attempt, entity: EntityType | None) -> str:
    if entity is None:
        return ""
    where = KeyColumn(entity.table, entity.key_column)
    row = entities.row_of(attempt.before, where, attempt.site.key or attempt.site.row)
    return str(row.get(entity.name_column, ""))


def _pick(unit: Trial, attempt: Attempt) -> Locator | None:
    if not unit.pick_field or attempt.reading is None:
        return None
    pick = next(p for p in attempt.reading.picks if p.field == unit.pick_field)
    return with_slots(dict(pick.targets)[attempt.site.row], "", attempt.site.row)


def classify(
    unit: Trial,
    effects: EffectModel,
    entity: EntityType | None,
    parameters: Sequence[Parameter],
    attempt: Attempt,
) -> Operation:
    """What the operation does, by what happens to rows and where the values go."""
    rows = effects.meant
    kinds = {p.key: p.kind for p in parameters}
    changed = _carried_by(rows, "changed") | {k for r in rows if r.table.startswith("file:") for k in _carried(r.cells)}
    added = _carried_by(rows, "added")
    if any(r.change == "removed" and not r.table.startswith("file:") for r in rows) and not changed and not added:
        return "delete"
    if entity and any(r.change == "added" and r.table == entity.table for r in rows):
        return "edit"  # a new version of the thing
    if changed:
        return "set" if all(kinds.get(k) in ("select", "radio", "checkbox") for k in changed) else "edit"
    if added:
        setting = all(kinds.get(k) in ("select", "radio", "checkbox") for k in added)
        if setting and entity is None and not says_create(attempt.arrived, unit, parameters):
            return "set"
        new = entity is None and _makes_something(rows)
        return "create" if new or says_create(attempt.arrived, unit, parameters) else "edit"
    return "set"


def _makes_something(rows: Sequence[RowEffect]) -> bool:
    """Whether all that carries a value is a row of its own each time; a setting or a version has a key that stays."""
    carrying = [row for row in rows if _carried(row.cells) | _carried(row.key)]
    return bool(carrying) and all(
        row.change == "added"
        and not row.table.startswith("file:")
        and all(isinstance(b, Volatile | FromParameter) for b in row.key.values())
        for row in carrying
    )


def _carried_by(rows: Sequence[RowEffect], change: str) -> set[str]:
    return {k for row in rows if row.change == change for k in _carried(row.cells) | _carried(row.key)}


def _carried(cells: Mapping[str, object]) -> set[str]:
    return {b.parameter for b in cells.values() if isinstance(b, FromParameter)}


def _learn_location(unit: Trial, attempts: Sequence[Attempt], app: str, beside: EffectModel) -> Lesson:
    """A form that changes nothing but leads to a place that carries its values: searching and filtering."""
    first = attempts[0]
    paths = {"/" + "/".join(split(a.end.location).segments) for a in attempts}
    if len(paths) != 1 or first.reading is None or not unit.parameters:
        return Lesson(problem="leads to different places")
    query = _location_query(attempts)
    carried = {b.parameter for b in query.values() if isinstance(b, FromParameter)}
    if not set(unit.parameters) <= carried:
        return Lesson(problem="its place does not carry the values")
    place = LocationEffect(path=Fixed(value=paths.pop()), query=query)
    effects = beside.model_copy(update={"location": place, "executions": len(attempts)})
    feature = _feature(unit, attempts, app, None, effects)
    typed = any(p.kind == "search" or (p.kind == "text" and _searches(unit, p)) for p in feature.parameters)
    return Lesson(feature=feature.model_copy(update={"operation": "search" if typed else "filter"}))


_SEARCH = re.compile(r"search|find|query|\bq\b|keyword|such|suche|recherch|buscar|搜索|查找|検索", re.IGNORECASE)


def _searches(unit: Trial, parameter: Parameter) -> bool:
    return bool(_SEARCH.search(f"{parameter.label} {parameter.key} {unit.submit}"))


def _location_query(attempts: Sequence[Attempt]) -> dict[str, Binding]:
    found: dict[str, Binding] = {}
    queries = [dict(split(a.end.location).query) for a in attempts]
    for name in sorted(set.intersection(*(set(q) for q in queries))):
        values = [q[name] for q in queries]
        bound = next(
            (
                FromParameter(parameter=p, spelling=position)
                for p in attempts[0].values
                for position in (0, 1)
                if all(_spelt(a, p, position) == v for a, v in zip(attempts, values, strict=True))
            ),
            None,
        )
        if bound is not None:
            found[name] = bound
    return found


def _spelt(attempt: Attempt, parameter: str, position: int) -> str:
    return spellings_of(attempt).get(parameter, ("", ""))[position]
