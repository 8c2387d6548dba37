"""Transactions on drafts: queued, proved, settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, delete, select

from pipeline.domain.draft import Draft, Task
from pipeline.domain.verdict import Proof, RunCost
from pipeline.errors import RunFault
from storage import convert, runs
from storage.convert_proof import ProofRows, TrajectoryRows, proof_rows, trajectory_rows
from storage.records import DraftRecord, DraftStatus
from storage.rows_drafts import (
    DraftRow,
    EvidenceRow,
    MutantRow,
    ProofRow,
    TaskRow,
    TrajectoryRow,
    VerdictRow,
)

_STANDING: Mapping[DraftStatus, tuple[str, ...]] = {
    "queued": ("queued", "proved"),
    "accepted": ("accepted",),
    "rejected": ("rejected",),
    "unscored": ("unscored",),
}


@dataclass
class Recorded:
    """A proof ready to be stored."""

    rows: ProofRows
    trajectory: TrajectoryRows | None
    reason: str

    @classmethod
    def of(cls, proof: Proof, trajectory: TrajectoryRows | None) -> Recorded:
        """Both as rows."""
        return cls(proof_rows(proof), trajectory, proof.reason)


@dataclass
class Acceptance:
    """An accepted task ready to be stored."""

    task: Task
    recorded: Recorded

    @classmethod
    def of(cls, task: Task) -> Acceptance:
        """The task with its rows; an empty trajectory stands for the one that was recorded with the proof."""
        steps = trajectory_rows(task.trajectory) if task.trajectory.steps else None
        return cls(task, Recorded.of(task.proof, steps))


@dataclass(frozen=True)
class Settlement:
    """What becomes of a chunk of drafts."""

    accepted: Sequence[Acceptance]
    rejected: Sequence[str] = ()
    unscored: Sequence[str] = ()
    discarded: Sequence[str] = ()


def add(session: Session, run: str, drafts: Sequence[Draft]) -> None:
    """Queue the drafts that the run does not have yet."""
    runs.row(session, run)
    known = set(session.exec(select(DraftRow.id).where(DraftRow.run == run)))
    new = [convert.draft_row(run, d) for d in drafts]
    session.add_all({row.id: row for row in new if row.id not in known}.values())


def listing(session: Session, run: str, status: DraftStatus | None) -> list[DraftRecord]:
    """Drafts of a run by index."""
    runs.row(session, run)
    chosen = select(DraftRow, ProofRow).join(ProofRow, isouter=True).where(DraftRow.run == run)
    if status is not None:
        chosen = chosen.where(col(DraftRow.status).in_(_STANDING[status]))
    ordered = chosen.order_by(col(DraftRow.position), col(DraftRow.key))
    return [convert.draft_record(row, proof) for row, proof in session.exec(ordered)]


def record(
    session: Session, run: str, draft_id: str, recorded: Recorded, cost: RunCost, draft: Draft | None = None
) -> None:
    """Store a proof in place of an earlier one; a draft that is accepted or rejected already stays as it is."""
    row = _row(session, run, draft_id)
    if row.status in ("accepted", "rejected"):
        return
    _clear(session, row, trajectory=True)
    if draft is not None:
        convert.describe_draft(row, draft)
    _store(session, row, recorded)
    row.status = "proved"
    row.attempts += 1
    runs.add_cost(session, run, cost)


def settle(session: Session, run: str, settlement: Settlement) -> list[str]:
    """Decide on drafts; the same settlement again changes nothing.

    Returns:
        Ids of drafts whose goal was accepted from another draft meanwhile; they are rejected as not novel.

    Raises:
        RunFault: a draft is not there.
    """
    refused = [a.task.draft.id for a in settlement.accepted if not _accept(session, run, a)]
    for id in settlement.rejected:
        _turn_down(session, run, id, "rejected")
    for id in settlement.unscored:
        _turn_down(session, run, id, "unscored")
    for id in settlement.discarded:
        session.exec(delete(DraftRow).where(col(DraftRow.run) == run, col(DraftRow.id) == id))
    return refused


def _accept(session: Session, run: str, acceptance: Acceptance) -> bool:
    """Whether the task was accepted; another process may have accepted its goal meanwhile."""
    task = acceptance.task
    row = _row(session, run, task.draft.id)
    key = _key(row)
    _clear(session, row, trajectory=acceptance.recorded.trajectory is not None)
    _drop_task(session, key)
    convert.describe_draft(row, task.draft)  # a repaired draft is kept as it was accepted
    other = _equal(session, task)
    if other:
        said = f"The same goal was accepted meanwhile as task {other}."
        row.status = "rejected"
        _store(session, row, Recorded.of(task.proof.but_failed("novel", "equal-goal", said), None))
        return False
    row.status = "accepted"
    _store(session, row, acceptance.recorded)
    session.add(convert.task_row(run, key, task))
    session.flush()
    session.add_all(convert.task_parts(task))
    session.flush()
    return True


def _equal(session: Session, task: Task) -> str:
    """Id of a task with an equal goal; empty where there is none."""
    goal = task.draft.goal.fingerprint
    same_goal = (col(TaskRow.app) == task.draft.app) & (col(TaskRow.fingerprint) == goal)
    other = session.exec(select(TaskRow.id).where(same_goal | (col(TaskRow.id) == task.id))).first()
    return other or ""


def _turn_down(session: Session, run: str, id: str, status: DraftStatus) -> None:
    row = _row(session, run, id)
    _drop_task(session, _key(row))
    row.status = status
    session.add(row)


def _drop_task(session: Session, key: int) -> None:
    session.exec(delete(TaskRow).where(col(TaskRow.draft) == key))


def _clear(session: Session, row: DraftRow, *, trajectory: bool) -> None:
    key = _key(row)
    for table in (ProofRow, VerdictRow, MutantRow, EvidenceRow):
        session.exec(delete(table).where(col(table.draft) == key))
    if trajectory:
        session.exec(delete(TrajectoryRow).where(col(TrajectoryRow.draft) == key))


def _store(session: Session, row: DraftRow, recorded: Recorded) -> None:
    """Rows after those they refer to: nothing else tells the session about their order."""
    row.reason = recorded.reason
    session.add(row)
    recorded.rows.bind(_key(row))
    session.add_all([recorded.rows.proof, *recorded.rows.verdicts, *recorded.rows.mutants, *recorded.rows.evidence])
    if recorded.trajectory is not None:
        recorded.trajectory.bind(_key(row))
        session.add(recorded.trajectory.trajectory)
        session.flush()
        session.add_all(recorded.trajectory.steps)
    session.flush()


def _row(session: Session, run: str, id: str) -> DraftRow:
    row = session.exec(select(DraftRow).where(DraftRow.run == run, DraftRow.id == id)).first()
    if row is None:
        raise RunFault(f"The run {run!r} has no draft {id!r} in the catalogue; resume it to draft again.")
    return row


def _key(row: DraftRow) -> int:
    assert row.key is not None  # given by the database when the row was added
    return row.key
