"""Equal goals whatever their wording, and domain values that survive their own JSON."""

from __future__ import annotations

import pytest
from pydantic import ValidationError
from small_app import book, goal, pages, part, sample_goals, shop

from pipeline.domain.action import Back
from pipeline.domain.exploration import Exploration, Page
from pipeline.domain.feature import Parameter, spellings
from pipeline.domain.goal import Choice, Goal
from pipeline.domain.observation import Element, Locator
from pipeline.domain.step import ActionOutcome, Step, Trajectory
from pipeline.domain.verdict import GATES, Proof, Verdict

GOALS = sample_goals()


def test_goals_of_one_meaning_are_equal_whatever_was_shown() -> None:
    one = GOALS["create"]
    first, second = one.parts[0].choices
    other = one.model_copy(update={"parts": (one.parts[0].model_copy(update={"choices": (second, first)}),)})
    assert other.fingerprint == one.fingerprint


def test_another_value_thing_or_feature_is_another_goal() -> None:
    made = {
        part("set-status", book(1), status="Lost"),
        part("set-status", book(1), status="Lent"),
        part("set-status", book(2), status="Lost"),
        part("set-genre", book(1), genre="Cooking"),
    }
    assert len({goal(p).fingerprint for p in made}) == 4


def test_a_goal_names_the_operation_of_each_part() -> None:
    assert GOALS["composite"].operations == ("create", "set")


@pytest.mark.parametrize("operation", GOALS)
def test_a_goal_survives_its_own_json(operation: str) -> None:
    again = Goal.model_validate_json(GOALS[operation].model_dump_json())
    assert again == GOALS[operation] and again.fingerprint == GOALS[operation].fingerprint


def test_an_exploration_survives_its_own_json() -> None:
    known = shop().exploration
    assert Exploration.model_validate_json(known.model_dump_json()) == known


def test_equal_elements_have_equal_json_whatever_the_order_of_their_states() -> None:
    one, other = (Element(ref="", role="x", states=frozenset(s)) for s in (("a", "b", "c"), ("c", "b", "a")))
    assert one.model_dump_json() == other.model_dump_json()


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        Page.model_validate({**pages()[0].model_dump(), "color": "red"})


@pytest.mark.parametrize(
    ("kind", "value", "written"),
    [("select", "Lost", ("l", "Lost")), ("checkbox", "on", ("1", "true", "on", "yes", "enabled")),
     ("checkbox", "off", ("0", "false", "off", "no", "disabled")), ("text", "Lost", ("Lost", "Lost"))],
)  # fmt: skip
def test_a_value_is_spelt_as_submitted_and_as_shown(kind: str, value: str, written: tuple[str, ...]) -> None:
    options = {"options": ("New", "Lost"), "option_values": ("n", "l")} if kind == "select" else {}
    parameter = Parameter.model_validate(
        {"key": "k", "label": "k", "kind": kind, "target": Locator(role="x"), **options}
    )
    assert spellings(parameter, value) == written


def test_a_trajectory_is_broken_at_its_first_problem() -> None:
    seen = pages()[0].observation

    def step(index: int, problem: str = "") -> Step:
        outcome = ActionOutcome.model_validate({"dispatched": not problem, "problem": problem})
        return Step(index=index, action=Back(), outcome=outcome, before=seen, after=seen, effect=True)

    assert Trajectory(steps=(step(0), step(1))).broken_at is None
    assert Trajectory(steps=(step(0), step(1, "not-found"), step(2, "covered"))).broken_at == 1


def test_the_reason_of_a_proof_is_its_first_gate_that_did_not_pass() -> None:
    verdicts = [Verdict(gate=g, finding="pass") for g in GATES[:3]]
    verdicts.append(Verdict(gate="novel", finding="fail", reason="equal-goal"))
    assert Proof(outcome="rejected", verdicts=tuple(verdicts)).reason == "equal-goal"
    assert Proof(outcome="accepted", verdicts=tuple(verdicts[:3])).reason == ""


@pytest.mark.parametrize(
    ("shown", "spoken"),
    [("--- Seeds", "Seeds"), ("> Roses", "Roses"), ("-18", "-18"), ("- 5", "- 5"), ("-05:00", "-05:00")],
)
def test_marks_of_depth_are_not_spoken_and_a_minus_is(shown: str, spoken: str) -> None:
    assert Choice(parameter="p", label="p", value=shown, shown=shown).spoken == spoken
