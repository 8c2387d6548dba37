"""Goals of two parts: the second uses what the first made, or both change something on their own."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date

from pipeline.domain.drawing import draw_part
from pipeline.domain.feature import Feature, Fixed, FromParameter, Parameter
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.values import canonical_json


def composites(app: KnownApp, features: Sequence[Feature], rng: random.Random, today: date) -> Iterator[Goal]:
    """Alternates make-then-use with two independent changes; ends after a long run of failed draws."""
    changing = [f for f in features if f.effects.changes_state and _asks_for_something(f)]
    makers = [pair for pair in _chains(app, changing)]
    seen: set[str] = set()
    misses = 0
    while misses < 200 and changing:
        drawn = None
        if makers and rng.random() < 0.5:
            drawn = _chained(app, rng.choice(makers), rng, today)
        else:
            drawn = _side_by_side(app, rng.sample(changing, min(2, len(changing))), rng, today)
        if drawn is None or drawn.fingerprint in seen:
            misses += 1
            continue
        misses = 0
        seen.add(drawn.fingerprint)
        yield drawn


def _asks_for_something(feature: Feature) -> bool:
    """Whether a thing or a value is named, which could be a wrong one; one other part would hide that there is none."""
    return feature.entity is not None or bool(feature.parameters or feature.pinned)


def _chains(app: KnownApp, features: Sequence[Feature]) -> list[tuple[Feature, Feature]]:
    """Pairs in which the first makes a thing that the second's choice lists."""
    pairs = []
    for maker in features:
        column = _names_column(maker) if maker.operation == "create" else None
        if column is None:
            continue
        names = _known_names(app, column)
        for user in features:
            free = [p for p in user.parameters if p.key not in dict(user.pinned)]
            if user.operation in ("set", "assign", "create") and user.id != maker.id:
                for parameter in free:
                    if _lists(parameter, names):
                        pairs.append((maker, user))
                        break
    return pairs


def _known_names(app: KnownApp, column: tuple[str, str]) -> set[str]:
    """What the things are called that exist already; none where the table is made with the first of them."""
    table = app.start.tables.get(column[0])
    return {str(r.get(column[1])) for r in table.rows.values()} if table else set()


def _lists(parameter: Parameter, names: set[str]) -> bool:
    """Whether a select offers all those things, each stored under its own name, so that a new one is foreseeable."""
    if parameter.kind != "select" or len(names) < 2 or not names <= set(parameter.options):
        return False
    return all(o == v for o, v in zip(parameter.options, parameter.option_values, strict=False) if o in names)


def _names_column(maker: Feature) -> tuple[str, str] | None:
    """Table and column that take the new thing's name."""
    for row in maker.effects.rows:
        if row.change != "added":
            continue
        for column, binding in {**row.key, **row.cells}.items():
            if not isinstance(binding, FromParameter) or binding.prefix or binding.suffix:
                continue
            if any(p.key == binding.parameter and p.kind == "text" for p in maker.parameters):
                return row.table, column
    return None


def _chained(app: KnownApp, pair: tuple[Feature, Feature], rng: random.Random, today: date) -> Goal | None:
    maker, user = pair
    first, second = draw_part(app, maker, rng, today), draw_part(app, user, rng, today)
    column = _names_column(maker)
    if first is None or second is None or column is None:
        return None
    name = next((c for c in first.choices if _carries_name(maker, column, c)), None)
    if name is None:
        return None
    names = _known_names(app, column)
    swapped = []
    used = False
    for choice in second.choices:
        parameter = next(p for p in user.parameters if p.key == choice.parameter)
        if not used and _lists(parameter, names):
            choice = choice.model_copy(update={"value": name.value, "shown": name.value})
            used = True
        swapped.append(choice)
    part = second.model_copy(update={"choices": tuple(swapped)})
    return Goal(app=maker.app, shape="composite", parts=(first, part)) if used else None


def _carries_name(maker: Feature, column: tuple[str, str], choice: Choice) -> bool:
    for row in maker.effects.rows:
        binding = {**row.key, **row.cells}.get(column[1]) if row.table == column[0] else None
        if isinstance(binding, FromParameter) and binding.parameter == choice.parameter:
            return True
    return False


def _side_by_side(app: KnownApp, pair: Sequence[Feature], rng: random.Random, today: date) -> Goal | None:
    # settings come last: another language or a changed default shows on every screen behind it
    ordered = sorted(pair, key=_is_setting)
    parts = [draw_part(app, f, rng, today) for f in ordered]
    if len(parts) != 2 or parts[0] is None or parts[1] is None or _collide(app, parts[0], parts[1]):
        return None
    return Goal(app=pair[0].app, shape="composite", parts=(parts[0], parts[1]))


def _collide(app: KnownApp, first: GoalPart, second: GoalPart) -> bool:
    """Whether the two work on the same thing, or one removes what the other needs."""
    if first.entity and second.entity and first.entity.name == second.entity.name:
        return True
    operations = {first.operation, second.operation}
    if "delete" in operations and first.entity and second.entity:
        gone, kept = (first, second) if first.operation == "delete" else (second, first)
        assert gone.entity is not None and kept.entity is not None  # checked above
        row = app.row(kept.entity)
        return gone.entity.name in {str(v) for v in row.values()} or any(
            c.shown == gone.entity.name for c in kept.choices
        )
    one, other = app.features[first.feature], app.features[second.feature]
    return bool(_fixed_rows(one) & _fixed_rows(other))


def _is_setting(feature: Feature) -> bool:
    """Whether the very same row is written whatever the values: one of a person's or of the application's own."""
    return any(row.key and all(isinstance(b, Fixed) for b in row.key.values()) for row in feature.effects.meant)


def _fixed_rows(feature: Feature) -> set[str]:
    """Rows that a feature changes whatever its values: two such changes cannot be told apart."""
    rows = set()
    for row in feature.effects.rows:
        if row.change == "changed" and row.carries_meaning and all(isinstance(b, Fixed) for b in row.key.values()):
            rows.add(row.table + canonical_json({c: b.value for c, b in row.key.items() if isinstance(b, Fixed)}))
        if row.table.startswith("file:"):
            rows.add(row.table)
    return rows
