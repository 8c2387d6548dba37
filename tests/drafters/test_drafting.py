"""Drafts in their order: the same for the same inputs, no goal twice, nothing that exists already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from small_app import TODAY, shop, snapshot

from pipeline.domain.draft import Draft
from pipeline.domain.feature import Feature
from pipeline.domain.goal import Goal
from pipeline.domain.known_app import KnownApp
from pipeline.drafters.drafting import MIX, Past, Wanted, drafts, make_draft, slot_of

WANTED = Wanted()


def _drafts(
    count: int = 30, seed: int = 7, wanted: Wanted = WANTED, app: KnownApp | None = None, **past: Any
) -> list[Draft]:
    return list(islice(_all(seed, wanted, app, **past), count))


def _all(seed: int, wanted: Wanted, app: KnownApp | None = None, **past: Any) -> Iterator[Draft]:
    return drafts(app or shop(), wanted, seed, TODAY, Past(**past))


def test_the_same_inputs_give_the_same_drafts() -> None:
    assert _drafts() == _drafts()


def test_another_seed_gives_other_drafts() -> None:
    assert {d.id for d in _drafts(seed=8)}.isdisjoint({d.id for d in _drafts(seed=7)})


def test_no_two_drafts_have_equal_goals() -> None:
    found = _drafts(60)
    assert len({d.goal.fingerprint for d in found}) == len({d.id for d in found}) == len(found)


def test_indexes_follow_one_another_from_where_the_past_ended() -> None:
    assert [d.index for d in _drafts(5, index=12)] == [12, 13, 14, 15, 16]


def test_a_goal_of_the_past_is_not_drafted_again() -> None:
    first = {d.goal.fingerprint for d in _drafts(20)}
    assert first.isdisjoint({d.goal.fingerprint for d in _drafts(20, goals=frozenset(first))})


def test_what_another_form_does_as_well_is_asked_for_once() -> None:
    """The same change by a second form is the same end."""
    known = shop().features
    twin = known["set-status"].model_copy(update={"id": "set-status-elsewhere"})
    features = (known["set-status"], twin)
    app = KnownApp(shop().exploration.model_copy(update={"features": features}), shop().start, shop().people)
    one = KnownApp(shop().exploration.model_copy(update={"features": features[:1]}), shop().start, shop().people)
    singles = [d for d in _drafts(60, app=app) if len(d.goal.parts) == 1]
    assert len(singles) == len({d.end for d in singles}) == len([d for d in _drafts(60, app=one)])


def test_an_end_of_the_past_is_not_drafted_again() -> None:
    first = frozenset(d.end for d in _drafts(20))
    assert first.isdisjoint({d.end for d in _drafts(20, ends=first)})


def test_a_tired_feature_is_not_drafted() -> None:
    used = {p.feature for d in _drafts(30, tired=frozenset({"edit-title", "read-owner"})) for p in d.goal.parts}
    assert used and not used & {"edit-title", "read-owner"}


def test_features_used_least_come_first() -> None:
    used = {"set-status": 9}
    [first] = _drafts(1, wanted=Wanted(operations=("set",)), used=used)
    assert first.goal.parts[0].feature == "set-genre"


def test_only_wanted_operations_are_drafted() -> None:
    found = _drafts(12, wanted=Wanted(operations=("search", "read")))
    assert {o for d in found for o in d.goal.operations} == {"search", "read"}


@pytest.mark.parametrize("name", ["set-genre", "genre"])
def test_wanted_features_are_named_by_id_or_noun(name: str) -> None:
    found = _drafts(10, wanted=Wanted(features=(name,)))
    ids = {p.feature for d in found for p in d.goal.parts}
    assert ids == ({"set-genre"} if name == "set-genre" else {"create-genre", "delete-genre"})


def test_drafting_ends_when_every_goal_is_drafted() -> None:
    found = list(_all(7, Wanted(operations=("navigate", "sort", "delete"))))
    kinds = Counter(d.goal.operations for d in found if len(d.goal.parts) == 1)
    assert kinds == {("navigate",): 1, ("sort",): 2, ("delete",): 3}


def test_an_application_without_features_yields_nothing() -> None:
    empty = KnownApp(shop().exploration.model_copy(update={"features": ()}), snapshot())
    assert _drafts(app=empty) == []


def _slots(count: int, **past: Any) -> Counter[str]:
    return Counter(slot_of(d.goal) for d in _drafts(count, **past))


def test_a_run_mixes_operations_by_their_shares() -> None:
    slots = _slots(22)
    assert slots["composite"] >= 22 // 4
    assert all(slots[o] >= 2 for o in ("create", "edit", "set", "read", "search", "assign", "delete"))


def test_what_lags_behind_its_share_comes_next() -> None:
    ahead = dict.fromkeys(MIX, 10.0) | {"search": 0.0}
    assert _slots(3, made=ahead) == {"search": 3}
    assert "create" not in _slots(8, made={"create": 10.0})


def test_no_drafted_value_is_the_present_one() -> None:
    for draft in _drafts(60):
        for part in draft.goal.parts:
            row = shop().row(part.entity) if part.entity else {}
            assert all(row.get(c.parameter) != c.value for c in part.choices)


def _consequence(**update: Any) -> str:
    def changed(feature: Feature) -> Feature:
        return feature.model_copy(update=update) if feature.id == "create-genre" else feature

    known = shop().exploration
    app = KnownApp(known.model_copy(update={"features": tuple(map(changed, known.features))}), shop().start)
    [draft] = _drafts(1, wanted=Wanted(features=("create-genre",)), app=app)
    return draft.consequence


def test_a_draft_is_classed_by_the_gravest_of_its_parts() -> None:
    assert _consequence() == "reversible"
    assert _consequence(heading="Permissions") == "permission"
    assert _consequence(consequence="payment") == "payment"
    for draft in _drafts(60):
        if "delete" in draft.goal.operations:
            assert draft.consequence == "destructive"
        elif not draft.evaluator.changes_state:
            assert draft.consequence == "none"


def test_a_goal_without_a_way_makes_no_draft() -> None:
    far = KnownApp(shop().exploration.model_copy(update={"transitions": ()}), shop().start)
    asked: Goal = _drafts(1, wanted=Wanted(operations=("edit",)))[0].goal
    assert make_draft(far, asked, 0, 7) is None


def test_a_draft_carries_what_it_was_made_from() -> None:
    draft = _drafts(1)[0]
    assert (draft.app, draft.user, draft.start_location, draft.seed) == ("shop", "ann", "/", 7)
    assert draft.evidence and draft.oracle and draft.instruction
