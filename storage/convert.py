"""Runs, explorations, drafts and tasks as rows, and back. Proofs and trajectories: ``convert_proof``."""

from __future__ import annotations

from pipeline.domain.draft import Draft, Task
from pipeline.domain.exploration import Exploration, Page, Transition
from pipeline.domain.feature import Feature
from pipeline.domain.observation import Observation
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import Proof
from storage.encoding import from_json, pack, to_json, unpack
from storage.records import Decision, DraftRecord, DraftStatus, RunInfo, UnitRecord
from storage.rows_drafts import DecisionRow, DraftRow, EvidenceRow, ProofRow, TaskPartRow, TaskRow
from storage.rows_explorations import ExplorationRow, FeatureRow, PageRow, TransitionRow, UnitRow
from storage.rows_runs import RunRow

APART_OF_EXPLORATION = frozenset({"pages", "transitions", "features"})
APART_OF_TASK = frozenset({"draft", "proof", "trajectory", "retired"})

_STATUSES: dict[str, DraftStatus] = {
    "queued": "queued",
    "proved": "queued",  # undecided for everyone outside; the recorded proof tells it from one never tried
    "accepted": "accepted",
    "rejected": "rejected",
    "unscored": "unscored",
}


def run_row(run: RunInfo) -> RunRow:
    """One run as its row."""
    return RunRow(
        name=run.name,
        app=run.app,
        phase=run.phase,
        stopped_by=run.stopped_by,
        created=run.created,
        body=to_json(run),
    )


def run_info(row: RunRow) -> RunInfo:
    """One run again."""
    return from_json(RunInfo, row.body)


def unit_row(exploration: str, unit: UnitRecord) -> UnitRow:
    """One unit as its row."""
    return UnitRow(
        exploration=exploration,
        key=unit.key,
        wave=unit.wave,
        position=unit.position,
        kind=unit.kind,
        actions=unit.actions,
        result=to_json(unit),
    )


def unit_record(row: UnitRow) -> UnitRecord:
    """One unit again."""
    return from_json(UnitRecord, row.result)


def page_row(exploration: str, position: int, page: Page) -> PageRow:
    """One page as its row."""
    return PageRow(
        exploration=exploration,
        id=page.id,
        position=position,
        location=page.location,
        state=page.state_key,
        body=to_json(page, frozenset({"observation"})),
        observation=pack(page.observation),
    )


def page(row: PageRow) -> Page:
    """One page again."""
    return from_json(Page, row.body, observation=unpack(Observation, row.observation))


def transition_row(exploration: str, position: int, edge: Transition) -> TransitionRow:
    """One transition as its row."""
    return TransitionRow(
        exploration=exploration,
        id=edge.id,
        position=position,
        source=edge.source,
        target=edge.target,
        status=edge.status,
        body=to_json(edge),
    )


def transition(row: TransitionRow) -> Transition:
    """One transition again."""
    return from_json(Transition, row.body)


def feature_row(exploration: str, position: int, feature: Feature) -> FeatureRow:
    """One feature as its row."""
    return FeatureRow(
        exploration=exploration,
        id=feature.id,
        position=position,
        operation=feature.operation,
        noun=feature.noun,
        route=feature.route,
        body=to_json(feature),
    )


def feature(row: FeatureRow) -> Feature:
    """One feature again."""
    return from_json(Feature, row.body)


def feature_evidence(exploration: str, feature: Feature) -> list[EvidenceRow]:
    """The pointers of a feature as rows."""
    return [
        EvidenceRow(exploration=exploration, feature=feature.id, position=i, kind="transition", text="", ref=ref)
        for i, ref in enumerate(feature.evidence)
    ]


def exploration_body(exploration: Exploration) -> str:
    """What the exploration's own row keeps."""
    return to_json(exploration, APART_OF_EXPLORATION)


def exploration(
    row: ExplorationRow, pages: list[PageRow], transitions: list[TransitionRow], features: list[FeatureRow]
) -> Exploration:
    """One exploration again."""
    return from_json(
        Exploration,
        row.body,
        pages=tuple(page(p) for p in pages),
        transitions=tuple(transition(t) for t in transitions),
        features=tuple(feature(f) for f in features),
    )


def draft_row(run: str, draft: Draft) -> DraftRow:
    """A new draft as its row, queued."""
    row = DraftRow(
        run=run, id=draft.id, status="queued", app="", position=0, fingerprint="", shape="", instruction="", body=""
    )
    describe_draft(row, draft)
    return row


def describe_draft(row: DraftRow, draft: Draft) -> None:
    """Bring the row to what the draft says now; where it stands is left as it is."""
    row.app = draft.app
    row.position = draft.index
    row.fingerprint = draft.goal.fingerprint
    row.shape = draft.goal.shape
    row.instruction = draft.instruction
    row.body = to_json(draft)


def draft(row: DraftRow) -> Draft:
    """The draft again."""
    return from_json(Draft, row.body)


def draft_record(row: DraftRow, proof: ProofRow | None) -> DraftRecord:
    """The draft with where it stands."""
    return DraftRecord(
        run=row.run,
        draft=draft(row),
        status=_STATUSES[row.status],
        proof=from_json(Proof, proof.body) if proof else None,
        fingerprint=row.fingerprint,
        attempts=row.attempts,
    )


def task_row(run: str, draft_key: int, task: Task) -> TaskRow:
    """One task as its row."""
    return TaskRow(
        id=task.id,
        draft=draft_key,
        run=run,
        app=task.draft.app,
        position=task.draft.index,
        fingerprint=task.draft.goal.fingerprint,
        revision=task.revision,
        retired=task.retired,
        body=to_json(task, APART_OF_TASK),
    )


def task_parts(task: Task) -> list[TaskPartRow]:
    """The parts of the task's goal as rows."""
    return [
        TaskPartRow(task=task.id, position=i, operation=part.operation, feature=part.feature)
        for i, part in enumerate(task.draft.goal.parts)
    ]


def task(row: TaskRow, of: DraftRow, proof: ProofRow, trajectory: Trajectory) -> Task:
    """One task again."""
    found = from_json(Proof, proof.body)
    return from_json(Task, row.body, draft=draft(of), proof=found, trajectory=trajectory, retired=row.retired)


def decision(row: DecisionRow) -> Decision:
    """One decision again."""
    return Decision.model_validate(row.model_dump(exclude={"id"}))
