"""From a goal to actions: the clicks that lead there, the values, the submission."""

from __future__ import annotations

import pytest
from small_app import book, genre, goal, part, sample_goals, shop

from pipeline.domain.action import Action, Answer, Check, Click, Fill, Open, Select
from pipeline.domain.feature import Parameter
from pipeline.domain.goal import Goal
from pipeline.domain.observation import Locator
from pipeline.domain.script import DIRECT, Way, choose, reach, script

GOALS = sample_goals()


def _short(action: Action) -> str:
    match action:
        case Click():
            return f"click {action.target.name}"
        case Fill():
            return f"fill {action.target.name}={action.text}"
        case Select():
            return f"select {action.target.name}={action.option}"
        case Check():
            return f"check {action.target.name} {action.on}"
        case Open():
            return f"open {action.location}"
        case Answer():
            return f"answer {action.text}"
    return action.kind


def _said(which: str | Goal, way: Way | None = None) -> list[str]:
    asked = GOALS[which] if isinstance(which, str) else which
    actions = script(shop(), asked, way or Way())
    assert actions is not None
    return [_short(a) for a in actions]


SAGAS = ["fill Name:=Sagas", "fill Description:=Long tales", "click Add"]


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        ("create", ["click Genres", *SAGAS]),
        ("edit", ["click Books", "click River Songs", "fill Title=Amber Harbor", "click Save changes"]),
        ("set", ["click Winter Tales", "select Status=Lost", "click Save changes"]),
        ("delete", ["click Genres", "check Cooking True", "click Remove selected"]),
        ("search", ["click Search", "fill Words=Copper Mill", "click Search"]),
        ("sort", ["click Books", "click Owner"]),
        ("navigate", ["click About"]),
        ("read", ["click Books", "click Old Maps", "answer cid"]),
    ],
)
def test_a_goal_becomes_the_clicks_of_a_person(operation: str, said: list[str]) -> None:
    assert _said(operation) == said


def test_a_part_that_starts_with_a_link_of_every_page_goes_on_from_where_the_first_ended() -> None:
    assert _said("composite") == [
        "click Genres", *SAGAS, "click Books", "click River Songs", "select Genre=Sagas", "click Save changes",
    ]  # fmt: skip


def test_any_other_part_goes_back_to_the_start_place_first() -> None:
    twice = goal(part("set-status", book(2), status="New"), part("set-status", book(1), status="Lost"))
    assert _said(twice)[4:6] == ["open /", "click Winter Tales"]


def test_the_direct_way_opens_the_place() -> None:
    assert _said("set", DIRECT) == ["open /books/1", "select Status=Lost", "click Save changes"]
    assert _said("delete", DIRECT)[0] == "open /genres"


def test_a_closed_transition_makes_another_way() -> None:
    last = (reach(shop(), GOALS["set"].parts[0]) or ())[-1].edge
    assert _said("set", Way(avoid=frozenset({last})))[:2] == ["click Books", "click Winter Tales"]


def test_where_no_way_is_left_there_is_no_script() -> None:
    edges = frozenset(shop().graph.transitions)
    assert script(shop(), GOALS["edit"], Way(avoid=edges)) is None


def test_the_submission_of_a_form_accepts_its_question() -> None:
    actions = script(shop(), goal(part("delete-genre", genre("Poetry")))) or ()
    assert isinstance(actions[-1], Click) and actions[-1].dialog == "accept"


def test_a_pinned_choice_is_made_as_it_was_learned() -> None:
    feature = shop().features["set-status"].model_copy(update={"pinned": (("status", "Lent"),)})
    app = shop().__class__(shop().exploration.model_copy(update={"features": (feature,)}), shop().start)
    bare = GOALS["set"].parts[0].model_copy(update={"choices": ()})
    assert "select Status=Lent" in [_short(a) for a in script(app, goal(bare)) or ()]


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("select", "Lost", "select K=Lost"),
        ("radio", "Friends", "check Friends True"),
        ("checkbox", "on", "check K True"),
        ("checkbox", "off", "check K False"),
        ("multiline", "two\nlines", "fill K=two\nlines"),
    ],
)
def test_each_kind_of_control_takes_its_value_its_own_way(kind: str, value: str, said: str) -> None:
    parameter = Parameter.model_validate(
        {"key": "k", "label": "k", "kind": kind, "target": Locator(role="x", name="K")}
    )
    assert _short(choose(parameter, value)) == said
