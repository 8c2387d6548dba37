"""One field more than was asked for, where the evaluator leaves a cell open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proving import QueuedBench, nothing, reached, scene, seen, unreadable
from small_app import shop

from pipeline.checks.context import Seen
from pipeline.checks.mutants import mutants
from pipeline.checks.surplus import Surplus, surpluses
from pipeline.domain.action import Fill
from pipeline.domain.draft import Draft
from pipeline.domain.feature import Volatile
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.verdict import MutantResult
from pipeline.drafters.drafting import make_draft


def _only_named() -> KnownApp:
    """Genres are made by name alone; what their description becomes was never explained."""
    known = dict(shop().features)
    create = known["create-genre"]
    row = create.effects.rows[0].model_copy(update={"cells": {"description": Volatile()}})
    effects = create.effects.model_copy(update={"rows": (row, *create.effects.rows[1:])})
    known["create-genre"] = create.model_copy(update={"parameters": create.parameters[:1], "effects": effects})
    return KnownApp(shop().exploration.model_copy(update={"features": tuple(known.values())}), shop().start)


APP = _only_named()


def _draft() -> Draft:
    choice = Choice(parameter="name", label="name", value="Travel", shown="Travel")
    part = GoalPart(feature="create-genre", operation="create", choices=(choice,))
    made = make_draft(APP, Goal(app="shop", shape="single", parts=(part,)), 0, 7)
    assert made is not None
    return made


def _known(default: Any = "") -> Seen:
    of = _draft()
    record = reached(of, clock=default)
    known = seen(of, record)
    known.passing += [record.facts] * 3
    known.mutants.append(MutantResult(kind="no_op", result="killed"))
    return known


def _surplus(known: Seen) -> Surplus:
    [found] = surpluses(known, scene(APP), scene(APP).rng(known.draft, "surplus"))
    return found


async def _judged(known: Seen, *queue: Any) -> Any:
    bench = QueuedBench(*queue, after=nothing(known.draft))
    return await mutants(known, scene(APP), bench)  # type: ignore[arg-type]


def _condition(known: Seen) -> RowCondition:
    [row] = [c for c in known.draft.evaluator.conditions if isinstance(c, RowCondition) and c.required]
    return row


def test_the_field_that_is_called_as_the_open_cell_is_filled_before_the_form_is_submitted() -> None:
    surplus = _surplus(_known())
    fills = [a for a in surplus.actions if isinstance(a, Fill)]
    assert [f.target.name for f in fills] == ["Name:", "Description:"]
    assert (surplus.column, surplus.actions[-1].kind) == ("description", "click")


async def test_an_evaluator_that_lets_it_pass_is_made_stricter() -> None:
    known = _known()
    [text] = _surplus(known).written[:1]
    assert isinstance(_condition(known).cells["description"], AnyValue)
    await _judged(known, reached(known.draft, clock=text))
    assert _condition(known).cells["description"] == Equals(value="")
    assert [(m.kind, m.result) for m in known.mutants[1:2]] == [("one_more", "killed")]


async def test_where_runs_of_the_oracle_differ_in_that_cell_the_draft_falls() -> None:
    known = _known()
    known.passing.append(reached(known.draft, clock="another").facts)
    [text] = _surplus(known).written[:1]
    verdict = await _judged(known, reached(known.draft, clock=text))
    assert (verdict.finding, verdict.reason) == ("fail", "mutant-survived")


async def test_a_field_that_does_not_reach_the_cell_is_another_way() -> None:
    known = _known()
    await _judged(known, reached(known.draft, clock="made up by the application"))
    assert [m.result for m in known.mutants[1:2]] == ["equivalent"]
    assert isinstance(_condition(known).cells["description"], AnyValue)


async def test_a_run_whose_end_cannot_be_read_decides_nothing() -> None:
    known = _known()
    assert (await _judged(known, unreadable(known.draft))).finding == "unscored"


def test_a_clock_has_no_field() -> None:
    known = _known()
    create = APP.features["create-genre"]
    row = create.effects.rows[0].model_copy(update={"cells": {"made_at": Volatile()}})
    effects = create.effects.model_copy(update={"rows": (row,)})
    features = (create.model_copy(update={"effects": effects}),)
    app = KnownApp(shop().exploration.model_copy(update={"features": features}), shop().start)
    around = replace(scene(APP), app=app)
    assert not list(surpluses(known, around, around.rng(known.draft, "surplus")))
