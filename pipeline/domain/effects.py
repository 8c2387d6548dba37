"""Learning what an operation does to state, and predicting it for values that were never tried.

From executions with different values (and, where there are entities, on different ones) every cell of every changed
row gets the first explanation that holds in all of them: equal everywhere, carries a parameter, a column of the
entity's row, a column's value from before; what nothing explains is volatile. One execution runs on a state that
another had changed, which tells ids and counters from constants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.domain.feature import (
    Binding,
    EachRow,
    EffectModel,
    Fixed,
    FromEntity,
    FromParameter,
    FromPrior,
    RowEffect,
    Volatile,
)
from pipeline.domain.rowtests import AnyValue, CellTest, Equals, RowCondition
from pipeline.domain.state import Row, RowChange, StateSnapshot
from pipeline.domain.values import Cell, canonical_json, is_hidden, normal_text

RowKind = tuple[str, str]

_NOTHING = frozenset({"", "0", "-1", "none", "null"})
"""What forms submit for a choice of nothing."""


@dataclass(frozen=True)
class Sample:
    """One execution as the learner sees it."""

    spellings: Mapping[str, tuple[str, ...]]
    """By parameter: how its value may be written in a cell (as typed, as submitted, as shown)."""
    changes: Sequence[RowChange]
    entity: Row = field(default_factory=dict)
    """The entity's row in the start state."""
    prior: Row = field(default_factory=dict)
    """The entity's row right before this execution."""
    before: StateSnapshot = field(default_factory=StateSnapshot)
    """The whole state right before this execution."""


@dataclass(frozen=True)
class Learned:
    """An effect model, or why there is none."""

    effects: EffectModel
    problem: str = ""


def learn_effects(samples: Sequence[Sample]) -> Learned:
    """Explain the changes of all samples by one model; needs at least two samples, the perturbed one last."""
    grouped = [_grouped(c) for c in _alike([s.changes for s in samples])]
    kinds = sorted({k for g in grouped for k in g})
    rows: list[RowEffect] = []
    uneven: list[RowKind] = []
    for kind in kinds:
        groups = [g.get(kind, []) for g in grouped]
        counts = {len(g) for g in groups}
        cascade = _cascade(kind, groups, samples) if counts != {1} else None
        some = _some_of_it(kind, groups, samples) if cascade is None else None
        if cascade is not None:
            rows.append(cascade)
        elif some is not None and (len(counts) > 1 or not _told_apart(kind, groups, samples)):
            rows.append(some)
        elif len(counts) == 1:
            rows += [_row_effect(kind, aligned, samples) for aligned in _aligned(groups)]
        elif _comes_along(kind, groups):
            rows += _sometimes(kind, groups)
        else:
            uneven.append(kind)
    for kind in uneven:
        beside = _beside(kind, [g.get(kind, []) for g in grouped])
        if kind[1] == "removed" or not _says_all(rows, samples) or (kind[1] == "changed" and not _says_any(beside[0])):
            return Learned(EffectModel(), f"the number of rows {kind[1]} in {kind[0]} differs between executions")
        rows += beside
    return Learned(EffectModel(rows=tuple(rows), executions=len(samples)))


def _says_any(row: RowEffect) -> bool:
    """Whether an effect says anything about its row: any change of any row of a table is no declared effect."""
    return any(not isinstance(b, Volatile) for b in row.bindings)


def _says_all(rows: Sequence[RowEffect], samples: Sequence[Sample]) -> bool:
    """Whether rows that every execution touched carry all the values: what else there is only comes with them."""
    bound = [b for r in rows if r.carries_meaning for b in r.bindings]
    given = {b.parameter for b in bound if isinstance(b, FromParameter)}
    return bool(given) and given >= set(samples[0].spellings)


def _beside(kind: RowKind, groups: Sequence[Sequence[RowChange]]) -> list[RowEffect]:
    """Rows that come with the effect in varying number, as notices to others do: as many as were seen, none needed."""
    seen = [c for g in groups for c in g]
    columns = sorted(frozenset().union(*(c.changed_columns for c in seen)))
    same = {c: {canonical_json(_whole(r).get(c)) for r in seen} for c in {*columns, *seen[0].key}}
    bound: dict[str, Binding] = {
        c: _constant(_whole(seen[0]).get(c)) if len(values) == 1 and len(seen) > 1 else Volatile()
        for c, values in sorted(same.items())
    }
    key = {c: b for c, b in bound.items() if c in seen[0].key}
    cells = {c: b for c, b in bound.items() if c not in key}
    effect = RowEffect(table=kind[0], change=seen[0].change, key=key, cells=cells, optional=True)
    return [effect] * max(len(g) for g in groups)


def _alike(executions: Sequence[Sequence[RowChange]]) -> list[list[RowChange]]:
    """Settings that are added once and changed from then on: the perturbed execution's change counts as an addition."""
    added = {(c.table, canonical_json(c.key)) for e in executions[:-1] for c in e if c.change == "added"}
    last = [
        c.model_copy(update={"change": "added", "before": None})
        if c.change == "changed" and (c.table, canonical_json(c.key)) in added
        else c
        for c in executions[-1]
    ]
    return [*(list(e) for e in executions[:-1]), last]


def _comes_along(kind: RowKind, groups: Sequence[Sequence[RowChange]]) -> bool:
    """Rows missing in some executions that are always the same rows; added ones with always the same content."""
    if kind[1] == "removed" or all(groups):
        return False
    seen = [c for g in groups for c in g]
    keys = {canonical_json(c.key) for c in seen}
    contents = {canonical_json(c.after) for c in seen}
    return kind[1] == "changed" or len(contents) == len(keys)


def _cascade(kind: RowKind, groups: Sequence[Sequence[RowChange]], samples: Sequence[Sample]) -> RowEffect | None:
    """One effect for all rows that point to the entity, where exactly those changed or went."""
    if kind[1] == "added" or not any(groups):
        return None
    first = next(c for g in groups for c in g)
    for column in sorted(_whole(first)):
        for name in sorted(samples[0].entity):
            if all(_reached(kind[0], column, s.prior.get(name), s, g) for s, g in zip(samples, groups, strict=True)):
                return _cascade_effect(kind, groups, samples, EachRow(column=column, entity_column=name))
    return None


def _some_of_it(kind: RowKind, groups: Sequence[Sequence[RowChange]], samples: Sequence[Sample]) -> RowEffect | None:
    """Changed rows that all point to the entity, though not all that do changed: they may change, none has to.

    Only what holds for two things at least is taken for such: numbers are often equal by chance.
    """
    pairs = [(s, c) for s, g in zip(samples, groups, strict=True) for c in g]
    if kind[1] != "changed" or len({canonical_json(s.entity) for s, _ in pairs}) < 2:
        return None
    held = [{**(c.before or {}), **c.key} for _, c in pairs]
    columns = sorted(frozenset().union(*(c.changed_columns for _, c in pairs)))
    for column in sorted(frozenset(held[0]) - frozenset(columns)):
        for name in sorted(samples[0].entity):
            told = {canonical_json(s.prior.get(name)) for s, _ in pairs}
            if len(told) > 1 and all(h.get(column) == s.prior.get(name) for h, (s, _) in zip(held, pairs, strict=True)):
                cells = _cells_of(pairs)
                each = EachRow(column=column, entity_column=name)
                return RowEffect(table=kind[0], change="changed", key={}, cells=cells, optional=True, each=each)
    return None


def _told_apart(kind: RowKind, groups: Sequence[list[RowChange]], samples: Sequence[Sample]) -> bool:
    """Whether something says which rows these are, or a value shows in them."""
    effects = [_row_effect(kind, aligned, samples) for aligned in _aligned(groups)]
    return all(
        any(not isinstance(b, Volatile) for b in e.key.values())
        or any(isinstance(b, FromParameter) for b in e.cells.values())
        for e in effects
    )


def _reached(table: str, column: str, value: Cell, sample: Sample, group: Sequence[RowChange]) -> bool:
    """Whether the rows that held the value are the rows of the group."""
    if value in (None, "") or table not in sample.before.tables:
        return False
    held = sample.before.tables[table]
    rows = {canonical_json(list(k)) for k, r in held.rows.items() if r.get(column) == value}
    return rows == {canonical_json([c.key[k] for k in held.key_columns]) for c in group}


def _cascade_effect(
    kind: RowKind, groups: Sequence[Sequence[RowChange]], samples: Sequence[Sample], each: EachRow
) -> RowEffect:
    pairs = [(s, c) for s, g in zip(samples, groups, strict=True) for c in g]
    cells = _cells_of(pairs) if kind[1] == "changed" else {}
    return RowEffect(table=kind[0], change=pairs[0][1].change, key={}, cells=cells, each=each)


def _cells_of(pairs: Sequence[tuple[Sample, RowChange]]) -> dict[str, Binding]:
    """What explains the cells of rows that changed together."""
    own = [s for s, _ in pairs]
    told = (
        len({canonical_json(s.spellings or s.entity) for s in own}) > 1
    )  # what one value gave everywhere is no constant
    columns = sorted(frozenset().union(*(c.changed_columns for _, c in pairs)))
    return {c: _explain(c, [(row.after or {}).get(c) for _, row in pairs], own, told) for c in columns}


def _grouped(changes: Sequence[RowChange]) -> dict[RowKind, list[RowChange]]:
    groups: dict[RowKind, list[RowChange]] = defaultdict(list)
    for change in changes:
        groups[change.table, change.change].append(change)
    return groups


def _sometimes(kind: RowKind, groups: Sequence[Sequence[RowChange]]) -> list[RowEffect]:
    """Rows that changed in some executions only: may come along, prove nothing."""
    effects: dict[str, RowEffect] = {}
    for change in (c for g in groups for c in g):
        cells: dict[str, Binding] = {c: Volatile() for c in sorted(change.changed_columns)}
        key: dict[str, Binding] = {c: _constant(v) for c, v in change.key.items()}
        cells = {c: b for c, b in cells.items() if c not in key}
        effect = RowEffect(table=kind[0], change=change.change, key=key, cells=cells, optional=True)
        known = effects.get(canonical_json(change.key))
        if known:
            effect = known.model_copy(update={"cells": {**known.cells, **cells}})
        effects[canonical_json(change.key)] = effect
    return list(effects.values())


def _aligned(groups: Sequence[list[RowChange]]) -> list[list[RowChange]]:
    """Bring the rows of all executions into one order: by a column that tells them apart in the same way everywhere."""
    if len(groups[0]) == 1:
        return [[g[0] for g in groups]]
    columns = sorted(_whole(groups[0][0]))
    for column in columns:
        seen = [[canonical_json(_whole(r).get(column)) for r in g] for g in groups]
        if len(set(seen[0])) == len(seen[0]) and all(sorted(s) == sorted(seen[0]) for s in seen):
            ordered = [sorted(g, key=lambda r, c=column: canonical_json(_whole(r).get(c))) for g in groups]  # type: ignore[misc]  # mypy cannot type a default in a lambda
            return [list(rows) for rows in zip(*ordered, strict=True)]
    stable = [c for c in columns if len({canonical_json([_whole(r).get(c) for r in g]) for g in groups}) == 1]
    ordered = [sorted(g, key=lambda r: canonical_json([_whole(r).get(c) for c in stable])) for g in groups]
    return [list(rows) for rows in zip(*ordered, strict=True)]


def _whole(change: RowChange) -> dict[str, Cell]:
    return {**(change.after or change.before or {}), **change.key}


def _row_effect(kind: RowKind, rows: Sequence[RowChange], samples: Sequence[Sample]) -> RowEffect:
    key = {c: _explain(c, [r.key[c] for r in rows], samples) for c in rows[0].key}
    cells: dict[str, Binding] = {}
    if kind[1] != "removed":
        columns = sorted(frozenset().union(*(r.changed_columns for r in rows)) - set(key))
        cells = {c: _explain(c, [(r.after or {}).get(c) for r in rows], samples) for c in columns}
    return RowEffect(table=kind[0], change=rows[0].change, key=key, cells=cells)


def _constant(value: Cell) -> Binding:
    """What is the same everywhere; of what a secret was taken out of, nobody knows whether it is."""
    return Volatile() if is_hidden(value) else Fixed(value=value)


def _explain(column: str, cells: Sequence[Cell], samples: Sequence[Sample], told: bool = True) -> Binding:
    """The first explanation that holds in all executions; ``told`` says whether several took part."""
    if any(map(is_hidden, cells)):
        return Volatile()
    if told and len({canonical_json(c) for c in cells}) == 1:
        return Fixed(value=cells[0])
    parameters = sorted(samples[0].spellings, key=lambda p: (p != column, p))
    for parameter in parameters:
        for position in range(max(len(s.spellings.get(parameter, ())) for s in samples)):
            bound = _carries(parameter, position, cells, samples)
            if bound is not None:
                return bound
    for name in sorted(samples[0].entity, key=lambda c: (c != column, c)):
        if all(_still(s.entity.get(name), c) for s, c in zip(samples, cells, strict=True)):
            return FromEntity(column=name)
    for name in sorted(samples[0].prior, key=lambda c: (c != column, c)):
        if all(_still(s.prior.get(name), c) for s, c in zip(samples, cells, strict=True)):
            return FromPrior(column=name)
    return Volatile()


def _still(held: Cell, cell: Cell) -> bool:
    """Whether a cell holds what another held; a form that was sent back changes line ends and nothing more."""
    if isinstance(held, str) and isinstance(cell, str):
        return normal_text(held) == normal_text(cell)
    return cell is not None and held == cell


def _carries(parameter: str, position: int, cells: Sequence[Cell], samples: Sequence[Sample]) -> FromParameter | None:
    """The parameter's value with one constant prefix and suffix in every cell, at one kind of spelling.

    A choice of nothing may be kept as null, but one value at least has to be there.
    """
    affixes = set()
    nothing = set()
    for cell, sample in zip(cells, samples, strict=True):
        spellings = sample.spellings.get(parameter, ())
        if position >= len(spellings) or (cell is None and spellings[0].strip().casefold() not in _NOTHING):
            return None
        if cell is None:
            nothing.add(spellings[position])
            continue
        text, value = normal_text(str(cell)), normal_text(spellings[position])
        if text == value:
            affixes.add(("", ""))
        elif len(value) >= 3 and text.count(value) == 1:
            before, after = text.split(value)
            affixes.add((before, after))
        else:
            return None
    if len(affixes) != 1:
        return None
    prefix, suffix = affixes.pop()
    return FromParameter(
        parameter=parameter, spelling=position, prefix=prefix, suffix=suffix, nothing=tuple(sorted(nothing))
    )


@dataclass(frozen=True)
class Given:
    """What a goal binds an effect model to."""

    spellings: Mapping[str, tuple[str, ...]]
    entity: Row = field(default_factory=dict)
    start: StateSnapshot = field(default_factory=StateSnapshot)
    untouched: bool = True
    """False where an earlier part of the goal may have changed the entity: prior values are then unknown."""


def predict(effects: EffectModel, given: Given) -> tuple[RowCondition, ...]:
    """The row conditions of a goal, before anything ran."""
    conditions: list[RowCondition] = []
    for row in effects.rows:
        cells = {c: _test(b, given) for c, b in row.cells.items()}
        if row.each is not None:
            conditions += _each(row, row.each, cells, given)
            continue
        key = {c: _test(b, given) for c, b in row.key.items()}
        required = row.carries_meaning
        conditions.append(RowCondition(table=row.table, change=row.change, key=key, cells=cells, required=required))
    # a log's line of which nothing is known comes along with what is known; alone it would be all there is to ask for
    known = any(c.required and c.says_something for c in conditions)
    return tuple(c if c.says_something or not known else c.model_copy(update={"required": False}) for c in conditions)


def _each(row: RowEffect, each: EachRow, cells: dict[str, CellTest], given: Given) -> list[RowCondition]:
    """One condition for every row that the cascade reaches."""
    table = given.start.tables.get(row.table)
    value = given.entity.get(each.entity_column)
    reached = [k for k, r in table.rows.items() if r.get(each.column) == value] if table else []
    names = table.key_columns if table else ()
    return [
        RowCondition(
            table=row.table,
            change=row.change,
            key={c: Equals(value=v) for c, v in zip(names, key, strict=True)},
            cells={c: t for c, t in cells.items() if c not in names},
            required=not row.optional,
        )
        for key in reached
    ]


def _test(binding: Binding, given: Given) -> CellTest:
    match binding:
        case FromParameter():
            spellings = given.spellings.get(binding.parameter)
            if spellings is None:
                return AnyValue()
            value = spellings[min(binding.spelling, len(spellings) - 1)]
            return Equals(value=None if value in binding.nothing else binding.prefix + value + binding.suffix)
        case FromEntity():
            return Equals(value=given.entity.get(binding.column))
        case FromPrior():
            return Equals(value=given.entity.get(binding.column)) if given.untouched else AnyValue()
        case Fixed():
            return Equals(value=binding.value)
        case Volatile():
            return AnyValue()
