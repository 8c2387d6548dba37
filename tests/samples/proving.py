"""Drafts on the small application, run records of what happened, and a workbench with a queue and a history."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from drawn_pages import element, heading, page
from small_app import BOOKS, GENRES, TODAY, sample_goals, shop

from pipeline.checks.context import Scene, Seen
from pipeline.domain.action import Action, Answer, Back
from pipeline.domain.draft import Draft
from pipeline.domain.environment import ServerFault, Traffic
from pipeline.domain.evaluator import AnswerIs, Evaluator, Facts, LocationIs, NothingElse, Shown
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Observation
from pipeline.domain.rowtests import CellTest, Equals, RowCondition
from pipeline.domain.state import RowChange, StateDiff
from pipeline.domain.step import ActionOutcome, Step, Trajectory
from pipeline.domain.values import Cell, canonical_json
from pipeline.drafters.drafting import make_draft
from pipeline.live.workbench import RunRecord

NAMED = ((BOOKS, "title"), (GENRES, "name"))
SEEN = page(
    "/",
    element("term", "Owner:"),
    element("definition", "cid"),
    text="\n".join(str(row[column]) for rows, column in NAMED for row in rows),
)
"""A page that names every thing, and shows whose the read one is."""


def draft(operation: str = "edit", **update: Any) -> Draft:
    """The draft of a sample goal, with some of its fields replaced."""
    made = make_draft(shop(), sample_goals()[operation], 0, 7)
    assert made is not None
    return made.model_copy(update=update)


def scene(app: KnownApp | None = None, **more: Any) -> Scene:
    given: dict[str, Any] = {"disposable": True, "resettable": True, "today": TODAY}
    return Scene(app=app or shop(), **(given | more))


def step(index: int, action: Action, effect: bool = True, problem: str = "") -> Step:
    outcome = ActionOutcome.model_validate({"dispatched": not problem, "problem": problem})
    return Step(index=index, action=action, outcome=outcome, before=SEEN, after=SEEN, effect=effect)


def trajectory(actions: Iterable[Action], idle: Sequence[int] = (), broken: int | None = None) -> Trajectory:
    """Steps that all went well, save those without effect and the one that could not be done."""
    steps = []
    for n, action in enumerate(actions):
        steps.append(step(n, action, n not in idle, "not-found" if n == broken else ""))
        if n == broken:
            break
    answer = next((s.action.text for s in steps if isinstance(s.action, Answer)), None)
    return Trajectory(steps=tuple(steps), answer=answer)


def record(facts: Facts, done: Trajectory | None = None) -> RunRecord:
    return RunRecord(done or trajectory([Back()]), facts, shop().start, 0.0)


def broke(during: RunRecord, path: str = "/save") -> RunRecord:
    """The run, the server having answered a form in it with status 500."""
    return replace(during, server_faults=(ServerFault(method="POST", status=500, path=path),))


def nothing(of: Draft, **more: Any) -> RunRecord:
    """A run after which everything is as it was."""
    given: dict[str, Any] = {"diff": StateDiff(), "final": SEEN, "start_cells": _cells(of.evaluator)}
    return record(Facts(**(given | more)))


def unreadable(of: Draft) -> RunRecord:
    """A run of which nothing could be collected."""
    return record(Facts())


def reached(of: Draft, *extra: RowChange, clock: Cell = 900, **done: Any) -> RunRecord:
    """A run that did exactly what the evaluator asks for, and ``extra``; ``clock`` stands in every open cell."""
    answer = next((a.text for a in of.oracle if isinstance(a, Answer)), None)
    rows = [c for c in of.evaluator.conditions if isinstance(c, RowCondition) and c.required]
    changes = (*(_fulfilled(c, clock) for c in rows), *extra)
    facts = Facts(
        diff=StateDiff(changes=changes), final=_final(of.evaluator), answer=answer, start_cells=_cells(of.evaluator)
    )
    return record(facts, trajectory(of.oracle, **done))


def _fulfilled(condition: RowCondition, clock: Cell) -> RowChange:
    key, cells = _values(condition.key, clock), _values(condition.cells, clock)
    before = next(shop().start.matching(condition.table, key), key)
    return RowChange(
        table=condition.table,
        change=condition.change,
        key=key,
        before=None if condition.change == "added" else dict(before),
        after=None if condition.change == "removed" else {**before, **key, **cells},
    )


def _values(tests: Mapping[str, CellTest], clock: Cell) -> dict[str, Cell]:
    return {c: t.value if isinstance(t, Equals) else clock for c, t in tests.items()}


def _cells(evaluator: Evaluator) -> dict[str, Cell]:
    refs = [c.cell for c in evaluator.conditions if isinstance(c, AnswerIs)]
    return {canonical_json(r): shop().start.cell(r.table, r.key, r.column) for r in refs}


def _final(evaluator: Evaluator) -> Observation:
    place = next((c for c in evaluator.conditions if isinstance(c, LocationIs)), LocationIs(path="/"))
    query = "&".join(f"{k}={v}" for k, v in place.query.items())
    heads = [heading(c.text) for c in evaluator.conditions if isinstance(c, Shown)]
    return page(place.path + (f"?{query}" if query else ""), *heads, text="everything on the page")


def stray(name: str = "Stray") -> RowChange:
    """A change that nobody asked for, of a kind that creating a genre makes."""
    return RowChange(table="genre", change="added", key={"name": name}, after={"name": name, "description": "?"})


def elsewhere(of: Draft) -> RunRecord:
    """A run after which something else has changed."""
    return nothing(of, diff=StateDiff(changes=(stray(),)))


class QueuedBench:
    """Answers every run with the next record of its queue, then with ``after``; remembers what it was asked to do.

    With ``oracle`` given, a run of just its actions is answered with it once the queue is empty.
    """

    def __init__(
        self,
        *queue: RunRecord | Exception,
        after: RunRecord | Exception | None = None,
        oracle: RunRecord | None = None,
        observable: bool = True,
    ) -> None:
        self.oracle = oracle
        self.queue = deque(queue)
        self.after = after
        self.history: list[tuple[Action, ...]] = []
        self.starts: list[str] = []
        self.disturbed: list[tuple[Action, ...]] = []
        self.sign_outs = 0
        self.environment = SimpleNamespace(traffic=Traffic())
        self.profile = SimpleNamespace(observable=observable)

    async def run(
        self, actions: Sequence[Action], user: str, location: str, evaluator: Evaluator, *more: object
    ) -> RunRecord:
        self.history.append(tuple(actions))
        self.starts.append(location)
        found = self.queue.popleft() if self.queue else self._afterwards(actions)
        assert found is not None, f"run {len(self.history)} was not expected: {[a.kind for a in actions]}"
        if isinstance(found, Exception):
            raise found
        return found

    def _afterwards(self, actions: Sequence[Action]) -> RunRecord | Exception | None:
        oracle = self.oracle
        again = oracle is not None and [s.action for s in oracle.trajectory.steps] == list(actions)
        return oracle if again else self.after

    async def fresh(self, user: str, location: str) -> Observation:
        self.starts.append(location)
        return SEEN

    async def perform(self, actions: Sequence[Action], *more: object, **named: object) -> Trajectory:
        self.disturbed.append(tuple(actions))
        return trajectory(actions)


def seen(of: Draft, oracle: RunRecord | None = None) -> Seen:
    """What the live gates know after the oracle gate passed."""
    shown = oracle or reached(of)
    return Seen(of, start=nothing(of), oracle=shown, usual_faults=frozenset(shown.server_faults))


def without_rest(of: Draft) -> Draft:
    """The draft, its evaluator not holding everything else still."""
    kept = tuple(c for c in of.evaluator.conditions if not isinstance(c, NothingElse))
    return of.model_copy(update={"evaluator": Evaluator(conditions=kept)})
