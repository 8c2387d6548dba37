"""A small finished run as values, and put into a catalogue: three accepted tasks, two rejected drafts, one unscored."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from pipeline.domain.action import Click, Fill
from pipeline.domain.draft import Draft, Task
from pipeline.domain.evaluator import Evaluator, NothingElse
from pipeline.domain.exploration import Exploration, Page, Transition
from pipeline.domain.feature import Feature
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.observation import Locator, Observation
from pipeline.domain.rowtests import Equals, RowCondition
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import EvidenceItem, MutantResult, Proof, RunCost, Verdict
from storage.records import RunInfo
from storage.store import Store


def clock() -> datetime:
    return datetime(2026, 3, 2, 10, tzinfo=UTC)


def run_info(name: str = "first", **more: Any) -> RunInfo:
    given: dict[str, Any] = {"app": "trac", "seed": 7, "count": 3, "prove_s": 36.0, "wall_s": 50.0}
    given |= {"stopped_by": "count", "settings": {"template_hash": "hash", "explore_actions": 50}}
    return RunInfo(name=name, **(given | more))


def part(operation: str, value: str) -> GoalPart:
    choice = Choice(parameter="summary", label="summary", value=value, shown=value)
    return GoalPart(feature=f"{operation}-ticket", operation=operation, choices=(choice,))


def draft(index: int, *operations: str, value: str = "", instruction: str = "") -> Draft:
    shown = value or ("Printer", "Invoice", "Meeting room", "Coffee", "Garden", "Bicycle")[index % 6]
    parts = tuple(part(o, shown) for o in operations or ("create",))
    shape = "composite" if len(parts) > 1 else "query" if parts[0].operation == "read" else "single"
    row = RowCondition(table="ticket", change="added", cells={"summary": Equals(value=shown)})
    return Draft(
        id=f"d{index:05d}",
        app="trac",
        index=index,
        goal=Goal(app="trac", shape=shape, parts=parts),
        instruction=instruction or f"Report that the {shown} needs looking after.",
        user="admin",
        start_location="/wiki",
        oracle=(
            Click(target=Locator(role="link", name="New Ticket")),
            Fill(target=Locator(role="textbox", name="Summary"), text=shown),
        ),
        evaluator=Evaluator(conditions=(row, NothingElse())),
        consequence="reversible",
        evidence=("t1",),
        seed=7,
    )


def proof(outcome: str = "accepted", reason: str = "", **more: Any) -> Proof:
    finding = {"accepted": "pass", "rejected": "fail", "unscored": "unscored"}[outcome]
    picture = EvidenceItem(kind="picture", text="at the end", ref="sha256/ab/" + "c" * 62 + ".jpg")
    last = Verdict(gate="oracle", finding=finding, reason=reason, explanation="Seen live.", evidence=(picture,))
    given: dict[str, Any] = {"oracle_runs": 3, "oracle_passes": 3, "runs": 8}
    return Proof(outcome=outcome, verdicts=(Verdict(gate="well-formed", finding="pass"), last), **(given | more))


MUTANTS = (
    MutantResult(kind="no_op", result="killed"),
    MutantResult(kind="one_short", result="killed"),
    MutantResult(kind="done_twice", result="equivalent"),
    MutantResult(kind="near_miss", result="inapplicable"),
)


def task(of: Draft, **more: Any) -> Task:
    given = {"mutants": MUTANTS} | more
    return Task(
        id=f"t{of.goal.fingerprint}",
        draft=of,
        proof=proof(**given),
        trajectory=Trajectory(),
        provenance={"application": "Trac 1.6", "seed": 7},
    )


def exploration() -> Exploration:
    pages = [Page(id=f"/{n}", location=f"/{n}", state_key=k, observation=Observation(location=f"app:/{n}")) for n, k in
             (("wiki", "page"), ("report", "list"), ("query", "list"))]  # fmt: skip
    link = Click(target=Locator(role="link", name="Next"))
    feature = Feature(id="create-ticket", app="trac", operation="create", noun="ticket", route="/t", location="/t")
    return Exploration(
        app="trac",
        template_hash="hash",
        home="/wiki",
        user="admin",
        pages=tuple(pages),
        transitions=(Transition(id="t1", source="/wiki", action=link, target="/report"),),
        features=(feature, feature.model_copy(update={"id": "edit-ticket", "operation": "edit"})),
        routes=2,
        forms=4,
        actions=40,
        stopped_by="frontier",
    )


async def fill(store: Store, name: str = "first", **more: Any) -> None:
    """Make the run, with everything that belongs to it."""
    await store.create_run(run_info(name, **more))
    id = await store.begin_exploration("trac", "hash", "settings")
    await store.finish_exploration(id, exploration())
    accepted = [draft(0), draft(1, "read"), draft(2, "create", "edit")]
    fallen = [draft(3), draft(4)]
    broken = draft(5)
    await store.add_drafts(name, [*accepted, *fallen, broken])
    for d in accepted:
        await store.record_proof(name, d.id, task(d).proof, Trajectory(), cost=RunCost())
    for d in fallen:
        await store.record_proof(name, d.id, proof("rejected", "already-true"), None, cost=RunCost())
    await store.record_proof(name, broken.id, proof("unscored", "app-died"), None, cost=RunCost())
    await store.settle(name, [task(d) for d in accepted], [d.id for d in fallen], [broken.id])
