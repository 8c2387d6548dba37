"""One value too many: a field that nobody asked for, set in the same form, aimed at an open cell.

A cell that no value explains may hold anything: rightly so where it is a clock or a counter, wrongly where it is what
the application fills in when a field is left alone. The run with that field filled tells which; then the cell has to
hold what the oracle's run left in it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.checks.context import Scene, Seen
from pipeline.domain.action import Action
from pipeline.domain.evaluator import Evaluator, Facts, evaluate
from pipeline.domain.feature import Feature, Parameter, Volatile, spellings
from pipeline.domain.forms import read_forms
from pipeline.domain.goal import GoalPart
from pipeline.domain.plausible import plausible
from pipeline.domain.rowmatch import match_rows
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.script import DIRECT, choose, part_script
from pipeline.domain.uigraph import for_entity, with_slots
from pipeline.domain.values import Cell, squeezed

DRAWS = 20


@dataclass(frozen=True)
class Surplus:
    """A run with one field more, and what it puts into which column."""

    actions: tuple[Action, ...]
    table: str
    column: str
    written: tuple[str, ...]
    """How the value may stand in the cell."""

    def stands_in(self, cell: Cell) -> bool:
        """Whether a cell holds the value."""
        return squeezed(str(cell)) in {squeezed(w) for w in self.written}

    def shows_in(self, evaluator: Evaluator, facts: Facts) -> bool:
        """Whether the value came to stand in an open cell."""
        return any(self.stands_in(cell) for cell in _open_values(evaluator, self, facts).values())


def surpluses(seen: Seen, scene: Scene, rng: random.Random) -> Iterator[Surplus]:
    """One for every open cell that a field of the part's own form is named after."""
    for index, part in enumerate(seen.draft.goal.parts):
        feature = scene.app.features[part.feature]
        for table, column in _open_cells(feature):
            found = _field_for(scene, feature, column)
            surplus = _built(seen, scene, index, found, (table, column), rng) if found else None
            if surplus is not None:
                yield surplus


def tightened(seen: Seen, surplus: Surplus, mutant: Facts) -> Evaluator | None:
    """The evaluator with the open cell bound to what the oracle left there; None where that tells nothing apart.

    Every run that passed so far still has to pass.
    """
    assert seen.oracle is not None  # the oracle gate passed
    evaluator = seen.draft.evaluator
    usual, other = (_open_values(evaluator, surplus, facts) for facts in (seen.oracle.facts, mutant))
    conditions = list(evaluator.conditions)
    for at, value in usual.items():
        condition = conditions[at]
        told = surplus.stands_in(other.get(at)) and not surplus.stands_in(value)
        if isinstance(condition, RowCondition) and told:
            cells = {**condition.cells, surplus.column: Equals(value=value)}
            conditions[at] = condition.model_copy(update={"cells": cells})
    stricter = Evaluator(conditions=tuple(conditions))
    passing = all(evaluate(stricter, facts).outcome == "passed" for facts in seen.passing)
    return stricter if passing and evaluate(stricter, mutant).outcome == "failed" else None


def _open_cells(feature: Feature) -> list[tuple[str, str]]:
    rows = feature.effects.meant
    return sorted({(r.table, c) for r in rows for c, b in r.cells.items() if isinstance(b, Volatile)})


def _field_for(scene: Scene, feature: Feature, column: str) -> Parameter | None:
    """A field of the form, not among the feature's own, whose name or label is the column's."""
    page = scene.app.graph.pages.get(scene.app.graph.located(feature.location, feature.sample[0]))
    if page is None or feature.submit is None or feature.pick is not None:
        return None
    own = {p.key for p in feature.parameters}
    for reading in read_forms(page.observation):
        keys = {p.key for p in reading.parameters}
        if own <= keys and any(s.name == feature.submit.name for s in reading.submits):
            fields = [p for p in reading.parameters if p.key not in own and p.kind != "checkbox"]
            return next((p for p in fields if _is_called(p, column)), None)
    return None


def _is_called(parameter: Parameter, column: str) -> bool:
    wanted = _words(column)[-1:] if _words(column) else []
    plain = [w for w in _words(column) if w != "id"] or wanted
    return _words(parameter.label) == plain or _words(parameter.key)[-len(plain) :] == plain


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", squeezed(name).lower())


def _built(
    seen: Seen, scene: Scene, index: int, field: Parameter, cell: tuple[str, str], rng: random.Random
) -> Surplus | None:
    goal = seen.draft.goal
    free = field.model_copy(update={"default": ""})
    drawn = (plausible(free, rng, scene.today) for _ in range(DRAWS))
    value = next((v for v in drawn if v and v != field.default), "")
    actions: list[Action] = []
    for number, part in enumerate(goal.parts):
        steps = part_script(scene.app, part, DIRECT)
        if steps is None or not value:
            return None
        extra = (_filled(scene, part, field, value),) if number == index else ()
        actions += [*steps[:-1], *extra, steps[-1]]
    return Surplus(tuple(actions), *cell, spellings(field, value))


def _filled(scene: Scene, part: GoalPart, field: Parameter, value: str) -> Action:
    feature = scene.app.features[part.feature]
    action = choose(field, value)
    target = getattr(action, "target", None)
    if part.entity is None or target is None:
        return action
    here = for_entity(with_slots(target, *feature.sample), str(part.entity.key), part.entity.name)
    return action.model_copy(update={"target": here})


def _open_values(evaluator: Evaluator, surplus: Surplus, facts: Facts) -> dict[int, Cell]:
    """By condition: what the open cell holds in the row that fulfils it."""
    numbered = [(i, c) for i, c in enumerate(evaluator.conditions) if isinstance(c, RowCondition)]
    changes = facts.diff.changes if facts.diff else ()
    matched = match_rows([c for _, c in numbered], changes)
    found: dict[int, Cell] = {}
    for position, (at, condition) in enumerate(numbered):
        row = matched.row_for(position)
        is_open = isinstance(condition.cells.get(surplus.column), AnyValue)
        if row is not None and condition.table == surplus.table and is_open:
            found[at] = (changes[row].after or {}).get(surplus.column)
    return found
