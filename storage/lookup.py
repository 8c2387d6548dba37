"""Reading: tasks and drafts by id or by what they are, trajectories, pictures, decisions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlmodel import Session, col, select, union

from pipeline.domain.draft import Task
from pipeline.domain.step import Trajectory
from pipeline.errors import UserError
from storage import convert
from storage.convert_proof import StepOutline, outline, trajectory
from storage.records import Decision, DraftRecord
from storage.rows_drafts import (
    DecisionRow,
    DraftRow,
    EvidenceRow,
    ProofRow,
    StepRow,
    TaskPartRow,
    TaskRow,
    TrajectoryRow,
)

_END = "\U0010ffff"
"""Sorts behind every text that begins with what stands before it."""

_BATCH = 500
"""Drafts whose trajectories are read by one statement."""


@dataclass(frozen=True)
class TaskFilter:
    """Which tasks are wanted; None leaves a field open."""

    app: str | None = None
    run: str | None = None
    operation: str | None = None
    feature: str | None = None
    limit: int | None = None
    retired: bool | None = False
    """Whether it no longer holds."""


def tasks(session: Session, wanted: TaskFilter, *, full: bool) -> list[Task]:
    """Accepted tasks by run and index; without ``full`` the observations hold their location only."""
    chosen = select(TaskRow, DraftRow, ProofRow).where(
        col(TaskRow.draft) == col(DraftRow.key), col(ProofRow.draft) == col(DraftRow.key)
    )
    if wanted.app is not None:
        chosen = chosen.where(TaskRow.app == wanted.app)
    if wanted.run is not None:
        chosen = chosen.where(TaskRow.run == wanted.run)
    if wanted.retired is not None:
        chosen = chosen.where((col(TaskRow.retired) != "") == wanted.retired)
    if wanted.operation is not None:
        having = select(TaskPartRow.task).where(TaskPartRow.operation == wanted.operation)
        chosen = chosen.where(col(TaskRow.id).in_(having))
    if wanted.feature is not None:
        having = select(TaskPartRow.task).where(TaskPartRow.feature == wanted.feature)
        chosen = chosen.where(col(TaskRow.id).in_(having))
    ordered = chosen.order_by(col(TaskRow.run), col(TaskRow.position), col(TaskRow.id)).limit(wanted.limit)
    rows = session.exec(ordered).all()
    ways = _trajectories(session, [row.draft for row, _, _ in rows], full=full)
    return [convert.task(row, of, proof, ways.get(row.draft, Trajectory())) for row, of, proof in rows]


def task(session: Session, id: str) -> Task:
    """One task, whole, by its id or a unique beginning of it.

    Raises:
        UserError: there is none, or there are several.
    """
    found = _only(id, "task", session.exec(select(TaskRow.id).where(_begins(TaskRow.id, id)).limit(_SHOWN)).all())
    row = session.exec(select(TaskRow).where(TaskRow.id == found)).one()
    of, proof = session.get_one(DraftRow, row.draft), session.get_one(ProofRow, row.draft)
    ways = _trajectories(session, [row.draft], full=True)
    return convert.task(row, of, proof, ways.get(row.draft, Trajectory()))


def draft(session: Session, id: str, run: str | None = None) -> DraftRecord:
    """One draft by its id or a unique beginning of it; where several runs have it, the latest one's.

    Raises:
        UserError: there is none, or there are several ids.
    """
    row = draft_row(session, id, run)
    return convert.draft_record(row, session.get(ProofRow, row.key))


def draft_row(session: Session, id: str, run: str | None = None) -> DraftRow:
    """The row behind ``draft``."""
    chosen = select(DraftRow.id).where(_begins(DraftRow.id, id)).distinct().limit(_SHOWN)
    newest = select(DraftRow).order_by(col(DraftRow.key).desc())
    if run is not None:
        chosen, newest = chosen.where(DraftRow.run == run), newest.where(DraftRow.run == run)
    found = _only(id, "draft", session.exec(chosen).all())
    return session.exec(newest.where(DraftRow.id == found).limit(1)).one()


def trajectory_of(session: Session, owner_id: str, run: str | None = None) -> Trajectory | None:
    """The trajectory of a task or, failing that, of a draft; None where none is recorded."""
    key = session.exec(select(TaskRow.draft).where(TaskRow.id == owner_id)).first()
    if key is None:
        newest = select(DraftRow.key).where(DraftRow.id == owner_id).order_by(col(DraftRow.key).desc())
        key = session.exec(newest if run is None else newest.where(DraftRow.run == run)).first()
    return _trajectories(session, [key], full=True).get(key) if key is not None else None


def rejected(
    session: Session, *, app: str | None, run: str | None, reason: str | None, limit: int | None
) -> list[DraftRecord]:
    """Rejected drafts with their proofs, by run and index."""
    chosen = select(DraftRow, ProofRow).join(ProofRow, isouter=True).where(DraftRow.status == "rejected")
    for column, value in ((DraftRow.app, app), (DraftRow.run, run), (DraftRow.reason, reason)):
        if value is not None:
            chosen = chosen.where(col(column) == value)
    ordered = chosen.order_by(col(DraftRow.run), col(DraftRow.position), col(DraftRow.key)).limit(limit)
    return [convert.draft_record(row, proof) for row, proof in session.exec(ordered)]


def goal_fingerprints(session: Session, app: str) -> dict[str, str]:
    """Task id by fingerprint of its goal."""
    return dict(session.exec(select(TaskRow.fingerprint, TaskRow.id).where(TaskRow.app == app)).all())


def picture_addresses(session: Session) -> set[str]:
    """Content addresses of all pictures that a step or a piece of evidence refers to."""
    used = union(
        select(StepRow.picture_before),
        select(StepRow.picture_after),
        select(EvidenceRow.ref).where(EvidenceRow.kind == "picture"),
    )
    return {str(address) for (address,) in session.connection().execute(used) if address}


def decisions(session: Session, id: str, run: str | None) -> list[Decision]:
    """Decisions on a draft, oldest first."""
    row = draft_row(session, id, run)
    made = select(DecisionRow).where(DecisionRow.run == row.run, DecisionRow.draft == row.id)
    return [convert.decision(r) for r in session.exec(made.order_by(col(DecisionRow.id)))]


_SHOWN = 6
"""Ids offered when a beginning is not unique."""


def _begins(column: str, prefix: str) -> bool:
    """As a range, which an index serves; LIKE would ignore case and the index."""
    return (col(column) >= prefix) & (col(column) < prefix + _END)  # type: ignore[return-value]  # SQLModel's convention


def _only(given: str, what: str, found: Sequence[str]) -> str:
    if given in found:
        return given
    if not found or not given:
        raise UserError(f"There is no {what} {given!r} in the catalogue; `tasksieve tasks` and `review list` show ids.")
    if len(found) > 1:
        raise UserError(f"The {what} id {given!r} is not unique, give more of it: {', '.join(sorted(found))}.")
    return found[0]


def _trajectories(session: Session, drafts: Sequence[int], *, full: bool) -> dict[int, Trajectory]:
    found: dict[int, Trajectory] = {}
    for first in range(0, len(drafts), _BATCH):
        some = drafts[first : first + _BATCH]
        heads = session.exec(select(TrajectoryRow).where(col(TrajectoryRow.draft).in_(some))).all()
        found |= _whole(session, heads) if full else _outlines(session, heads, some)
    return found


def _whole(session: Session, heads: Iterable[TrajectoryRow]) -> dict[int, Trajectory]:
    """One at a time, so that only one trajectory's blobs are in memory."""
    ways: dict[int, Trajectory] = {}
    for head in heads:
        steps = select(StepRow).where(StepRow.draft == head.draft).order_by(col(StepRow.position))
        ways[head.draft] = trajectory(head, session.exec(steps).all())
    return ways


def _outlines(session: Session, heads: Iterable[TrajectoryRow], drafts: Sequence[int]) -> dict[int, Trajectory]:
    columns = select(StepRow.draft, StepRow.body, StepRow.before_location, StepRow.after_location)
    ordered = columns.where(col(StepRow.draft).in_(drafts)).order_by(col(StepRow.draft), col(StepRow.position))
    steps = [StepOutline(*row) for row in session.exec(ordered)]
    by_draft = {draft: list(group) for draft, group in groupby(steps, lambda s: s.draft)}
    return {head.draft: outline(head, by_draft.get(head.draft, [])) for head in heads}
