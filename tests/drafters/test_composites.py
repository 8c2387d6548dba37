"""Goals of two parts: one uses what the other made, or both change something and do not meet."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from small_app import TODAY, shop, start

from pipeline.domain.feature import Feature, Fixed, FromParameter, RowEffect
from pipeline.domain.goal import Goal
from pipeline.domain.known_app import KnownApp
from pipeline.domain.state import StateSnapshot
from pipeline.drafters.composites import composites


def _goals(count: int = 40, seed: int = 1, app: KnownApp | None = None, **only: Any) -> list[Goal]:
    known = app or shop()
    features = [f for f in known.features.values() if f.id in only.get("features", known.features)]
    return list(islice(composites(known, features, random.Random(seed), TODAY), count))


def _with(*features: Feature, state: StateSnapshot | None = None) -> KnownApp:
    return KnownApp(shop().exploration.model_copy(update={"features": features}), state or start(), shop().people)


def _chained(goals: list[Goal]) -> list[Goal]:
    return [g for g in goals if [p.feature for p in g.parts] == ["create-genre", "set-genre"]]


def test_the_same_seed_gives_the_same_goals() -> None:
    assert _goals() == _goals()


def test_every_part_changes_state() -> None:
    for goal in _goals():
        assert goal.shape == "composite" and len(goal.parts) == 2
        assert all(shop().features[p.feature].effects.changes_state for p in goal.parts)


def test_what_names_neither_thing_nor_value_is_no_part() -> None:
    """Alone it is refused, since nothing could be a wrong one; the other part's wrong ones would hide that."""
    done = (
        shop()
        .features["set-status"]
        .model_copy(update={"id": "done", "entity": None, "parameters": (), "location": "/books", "deed": "Mark done"})
    )
    goals = _goals(app=_with(*shop().features.values(), done))
    assert goals and all(p.feature != "done" for g in goals for p in g.parts)


def test_no_goal_comes_twice() -> None:
    found = [g.fingerprint for g in _goals(60)]
    assert len(set(found)) == len(found)


def test_what_the_first_part_makes_the_second_chooses() -> None:
    for goal in _chained(_goals()):
        if goal.parts[1].choices[0].shown not in ("Cooking", "History", "Poetry"):
            assert goal.parts[1].choices[0].shown == goal.parts[0].choices[0].shown
    assert any(g.parts[1].choices[0].shown == g.parts[0].choices[0].shown for g in _chained(_goals()))


def test_a_select_that_stores_numbers_cannot_foresee_the_new_things_own() -> None:
    user = shop().features["set-genre"]
    numbered = user.parameters[0].model_copy(update={"option_values": ("1", "2", "3")})
    app = _with(shop().features["create-genre"], user.model_copy(update={"parameters": (numbered,)}))
    for goal in _chained(_goals(app=app)):
        assert goal.parts[1].choices[0].shown != goal.parts[0].choices[0].shown


def test_a_maker_whose_table_does_not_exist_yet_makes_no_chain() -> None:
    bare = StateSnapshot({n: t for n, t in start().tables.items() if n != "genre"})
    app = _with(shop().features["create-genre"], shop().features["set-status"], state=bare)
    assert _goals(5, app=app)


def test_both_parts_never_work_on_the_same_thing() -> None:
    for goal in _goals(80):
        one, other = goal.parts
        assert one.entity is None or other.entity is None or one.entity.name != other.entity.name


def test_nothing_is_removed_that_the_other_part_needs() -> None:
    for goal in _goals(80, features=("delete-genre", "set-genre", "set-status")):
        gone = next((p.entity.name for p in goal.parts if p.operation == "delete" and p.entity), None)
        kept = next(p for p in goal.parts if p.operation != "delete")
        if gone and kept.entity:
            assert gone not in [*map(str, shop().row(kept.entity).values()), *(c.shown for c in kept.choices)]


def test_two_changes_of_one_fixed_row_are_not_put_together() -> None:
    row = RowEffect(table="file:shop.ini", change="changed", key={"n": Fixed(value=1)}, cells={"a": Fixed(value="x")})
    effects = shop().features["create-genre"].effects.model_copy(update={"rows": (row,)})
    twins = [shop().features["create-genre"].model_copy(update={"id": n, "effects": effects}) for n in ("one", "two")]
    assert _goals(5, app=_with(*twins)) == []


def test_one_changing_feature_alone_makes_no_composite() -> None:
    assert _goals(5, features=("set-status",)) == []


def test_a_setting_of_ones_own_comes_after_what_is_done_to_a_thing() -> None:
    """Another language or a changed default shows on every screen behind it."""
    made = shop().features["create-genre"]
    mine = RowEffect(
        table="settings",
        change="added",
        key={"who": Fixed(value="ann"), "name": Fixed(value="theme")},
        cells={"value": FromParameter(parameter=made.parameters[0].key)},
    )
    told = {"id": "theme", "operation": "edit", "effects": made.effects.model_copy(update={"rows": (mine,)})}
    app = _with(shop().features["edit-title"], made.model_copy(update=told))
    pairs = {tuple(p.feature for p in g.parts) for g in _goals(app=app, features=("edit-title", "theme"))}
    assert pairs == {("edit-title", "theme")}
