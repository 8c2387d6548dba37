"""From a goal to its evaluator, before anything ran: what the effect models predict for these values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pipeline.domain.compare import url_parts
from pipeline.domain.effects import Given, predict
from pipeline.domain.evaluator import AnswerIs, CellRef, Condition, Evaluator, LocationIs, NothingElse, Shown
from pipeline.domain.feature import Feature, Fixed, FromParameter, box_spellings
from pipeline.domain.goal import Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.values import Cell
from pipeline.domain.wording import plain_heading


def expected(app: KnownApp, goal: Goal) -> Evaluator:
    """The evaluator of a goal: its parts' conditions and, where state can be read, that the rest stays as it was."""
    conditions: list[Condition] = []
    for number, part in enumerate(goal.parts):
        last = number == len(goal.parts) - 1
        conditions += part_conditions(app, part, last=last, untouched=not _touched(app, part, goal.parts[:number]))
    if app.start.tables:
        conditions.append(NothingElse(masks=app.masks))
    return Evaluator(conditions=tuple(conditions))


def _touched(app: KnownApp, part: GoalPart, earlier: Sequence[GoalPart]) -> bool:
    """Whether an earlier part may have changed the thing that this one is about."""
    rows = (row for p in earlier for row in app.features[p.feature].effects.rows)
    return part.entity is not None and any(row.table == part.entity.table for row in rows)


def part_conditions(app: KnownApp, part: GoalPart, *, last: bool, untouched: bool = True) -> list[Condition]:
    """Conditions of one part. Where a run ended is asked of the last part only.

    ``untouched`` is false where an earlier part may have changed its thing: what that held before is not known then.
    """
    feature = app.features[part.feature]
    if feature.operation == "read":
        return [_answer(app, feature, part)]
    entity = app.row(part.entity) if part.entity else {}
    given = Given(spellings=_spellings(part), entity=entity, start=app.start, untouched=untouched)
    rows: list[Condition] = [*predict(feature.effects, given)]
    return rows if feature.effects.changes_state or not last else [*_arrival(app, feature, part), *rows]


def _answer(app: KnownApp, feature: Feature, part: GoalPart) -> AnswerIs:
    assert part.entity is not None  # read features have an entity
    key: dict[str, Cell] = {part.entity.key_column: part.entity.key}
    row, table = app.row(part.entity), app.start.tables.get(part.entity.table)
    if table is not None:  # of several versions the one that is shown
        key |= {c: row[c] for c in table.key_columns if c in row}
    return AnswerIs(cell=CellRef(table=part.entity.table, key=key, column=feature.answer_column))


def _spellings(part: GoalPart) -> Mapping[str, tuple[str, ...]]:
    return {c.parameter: box_spellings(c.typed) if c.typed else (c.value, c.shown) for c in part.choices}


def _arrival(app: KnownApp, feature: Feature, part: GoalPart) -> list[Condition]:
    if feature.operation == "navigate":
        page = app.graph.pages[feature.location]
        heading = next((h for h in page.observation.headings() if plain_heading(h.name) == feature.heading), None)
        arrived: list[Condition] = [LocationIs(path=url_parts(feature.location)[1])]
        return [*arrived, Shown(role="heading", text=heading.name)] if heading else arrived
    effect = feature.effects.location
    if effect is None or not isinstance(effect.path, Fixed):
        return []
    values = _spellings(part)
    query = {}
    for name, binding in effect.query.items():
        if isinstance(binding, FromParameter) and binding.parameter in values:
            query[name] = binding.prefix + values[binding.parameter][binding.spelling] + binding.suffix
    return [LocationIs(path=str(effect.path.value), query=query)]
