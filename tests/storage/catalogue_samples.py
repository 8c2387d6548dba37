"""Small but complete values for the catalogue's tests."""

from __future__ import annotations

from datetime import UTC, datetime

from pipeline.domain.action import Click, Fill
from pipeline.domain.draft import Draft, Task
from pipeline.domain.evaluator import Evaluator, LocationIs, NothingElse
from pipeline.domain.exploration import Exploration, Page, Transition
from pipeline.domain.feature import EffectModel, Feature, Fixed, FromParameter, Parameter, RowEffect
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.observation import Box, Element, Locator, Observation, RegionPart
from pipeline.domain.state import RowMask
from pipeline.domain.step import ActionOutcome, Event, Step, Trajectory
from pipeline.domain.verdict import EvidenceItem, MutantResult, Proof, Verdict
from storage.records import RunInfo, UnitRecord

PICTURE = "sha256/ab/" + "c" * 62 + ".jpg"


def clock() -> datetime:
    return datetime(2024, 5, 1, 12, 0, tzinfo=UTC)


def run_info(name: str = "first", **more) -> RunInfo:
    return RunInfo(name=name, app="trac", seed=7, count=3, settings={"operations": ["create"], "workers": 2}, **more)


def observation(location: str, elements: int = 3) -> Observation:
    shown = tuple(
        Element(
            ref=f"e{i}",
            role="link",
            name=f"Ticket {i} of many",
            states=frozenset({"focused", "selected"}),
            region=(RegionPart(role="main", name="All tickets"),),
            leads_to=f"app:/ticket/{i}",
            box=Box(x=1, y=20.5 * i, width=100, height=20),
        )
        for i in range(elements)
    )
    return Observation(location=location, title="Tickets", elements=shown, text="Tickets\n" * elements, status=200)


def page(name: str, state: str = "list") -> Page:
    return Page(id=f"/{name}", location=f"/{name}", state_key=state, observation=observation(f"app:/{name}"), depth=1)


def edge(id: str, source: str = "/a", target: str = "/b", status: str = "inferred") -> Transition:
    return Transition(
        id=id, source=source, action=Click(target=Locator(role="link", name="Next")), target=target, status=status
    )


def feature(id: str = "create-ticket") -> Feature:
    return Feature(
        id=id,
        app="trac",
        operation="create",
        noun="ticket",
        route="/newticket",
        location="/newticket",
        parameters=(Parameter(key="summary", label="summary", kind="text", target=Locator(role="textbox")),),
        effects=EffectModel(
            rows=(
                RowEffect(
                    table="ticket",
                    change="added",
                    key={"id": Fixed(value=1)},
                    cells={"summary": FromParameter(parameter="summary")},
                ),
            ),
            executions=2,
        ),
        evidence=("t1", "t2"),
    )


def exploration() -> Exploration:
    return Exploration(
        app="trac",
        template_hash="hash",
        home="/wiki",
        user="admin",
        pages=(page("b"), page("a"), page("c", "form")),
        transitions=(edge("t2"), edge("t1", status="observed")),
        features=(feature(), feature("edit-ticket")),
        masks=(RowMask(table="session", key={"sid": "x"}, columns=("last_visit",), reason="looking"),),
        actions=40,
        forms=2,
        routes=2,
        stopped_by="frontier",
    )


def unit(key: str, wave: int = 0, position: int = 0) -> UnitRecord:
    return UnitRecord(key=key, kind="page", wave=wave, position=position, actions=2, result={"links": [key, 1, None]})


def draft(n: int = 0, *, value: str | None = None, feature_id: str = "create-ticket") -> Draft:
    summary = value or f"Summary {n}"
    return Draft(
        id=f"d{n:05d}",
        app="trac",
        index=n,
        goal=Goal(
            app="trac",
            shape="single",
            parts=(
                GoalPart(
                    feature=feature_id,
                    operation="create",
                    choices=(Choice(parameter="summary", label="summary", value=summary, shown=summary),),
                ),
            ),
        ),
        instruction=f"Create a ticket called “{summary}”.",
        start_location="/wiki",
        oracle=(Fill(target=Locator(role="textbox", name="Summary"), text=summary),),
        evaluator=Evaluator(conditions=(LocationIs(path="/ticket/1"), NothingElse())),
        evidence=("t1",),
    )


def trajectory(steps: int = 3, elements: int = 3) -> Trajectory:
    seen = [observation(f"app:/step/{i}", elements) for i in range(steps + 1)]
    return Trajectory(
        steps=tuple(
            Step(
                index=i,
                action=Fill(target=Locator(role="textbox", name="Summary"), text=f"text {i}"),
                outcome=ActionOutcome(dispatched=True, events=(Event(kind="dialog", text="Sure?", answer="accept"),)),
                before=seen[i],
                after=seen[i + 1],
                effect=True,
                picture_before=PICTURE if i == 0 else "",
            )
            for i in range(steps)
        ),
        answer="42",
    )


def proof(outcome: str = "accepted", reason: str = "") -> Proof:
    last = Verdict(
        gate="oracle",
        finding={"accepted": "pass", "rejected": "fail", "unscored": "unscored"}[outcome],
        reason=reason,
        explanation="Seen three times.",
        evidence=(
            EvidenceItem(kind="picture", text="at the end", ref="sha256/cd/" + "e" * 62 + ".jpg"),
            EvidenceItem(kind="diff", text="1 row added"),
        ),
    )
    return Proof(
        outcome=outcome,
        verdicts=(Verdict(gate="well-formed", finding="pass"), last),
        mutants=(MutantResult(kind="no_op", result="killed"), MutantResult(kind="one_short", result="killed")),
        oracle_runs=3,
        oracle_passes=3,
        runs=9,
    )


def task(of: Draft, way: Trajectory | None = None) -> Task:
    return Task(
        id=f"task-{of.goal.fingerprint}",
        draft=of,
        proof=proof(),
        trajectory=way or trajectory(),
        provenance={"template": "hash", "seed": 7},
    )
