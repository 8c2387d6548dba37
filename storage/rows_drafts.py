"""Tables of drafts: proofs with verdicts, mutants and evidence, trajectories with steps, tasks, decisions.

A whole value stands in ``body``; the columns beside it are what queries ask for. Everything but decisions goes with its
draft. A draft's id is unique within its run only, so rows refer to its integer key.
"""

from __future__ import annotations

from sqlmodel import Field, Index, SQLModel, UniqueConstraint

from storage.columns import CleanText

OF_DRAFT = "drafts.key"


class DraftRow(SQLModel, table=True):
    """One draft. Status ``proved``: its proof is recorded, whether it is taken is not decided."""

    __tablename__ = "drafts"
    __table_args__ = (
        UniqueConstraint("run", "id"),
        Index("ix_drafts_run_status", "run", "status", "position"),
        Index("ix_drafts_app_status", "app", "status", "reason"),
        Index("ix_drafts_id", "id"),
    )

    key: int | None = Field(default=None, primary_key=True)
    run: str = Field(foreign_key="runs.name", ondelete="CASCADE", sa_type=CleanText)
    id: str = Field(sa_type=CleanText)
    app: str = Field(sa_type=CleanText)
    position: int
    status: str = Field(sa_type=CleanText)
    reason: str = Field(default="", sa_type=CleanText)
    fingerprint: str = Field(sa_type=CleanText)
    shape: str = Field(sa_type=CleanText)
    instruction: str = Field(sa_type=CleanText)
    attempts: int = 0
    body: str = Field(sa_type=CleanText)


class ProofRow(SQLModel, table=True):
    """Everything the contract found out about a draft, as a whole."""

    __tablename__ = "proofs"

    draft: int = Field(primary_key=True, foreign_key=OF_DRAFT, ondelete="CASCADE")
    outcome: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)


class VerdictRow(SQLModel, table=True):
    """Finding of one gate."""

    __tablename__ = "verdicts"
    __table_args__ = (Index("ix_verdicts_gate", "gate", "finding", "reason"),)

    draft: int = Field(primary_key=True, foreign_key=OF_DRAFT, ondelete="CASCADE")
    position: int = Field(primary_key=True)
    gate: str = Field(sa_type=CleanText)
    finding: str = Field(sa_type=CleanText)
    reason: str = Field(sa_type=CleanText)
    explanation: str = Field(sa_type=CleanText)
    version: int


class MutantRow(SQLModel, table=True):
    """One mutant and what became of it."""

    __tablename__ = "mutants"

    draft: int = Field(primary_key=True, foreign_key=OF_DRAFT, ondelete="CASCADE")
    position: int = Field(primary_key=True)
    kind: str = Field(sa_type=CleanText)
    result: str = Field(sa_type=CleanText)
    note: str = Field(sa_type=CleanText)


class EvidenceRow(SQLModel, table=True):
    """One pointer: of a feature (exploration and feature set) or of a verdict (draft and verdict's position set)."""

    __tablename__ = "evidence"
    __table_args__ = (
        Index("ix_evidence_feature", "exploration", "feature"),
        Index("ix_evidence_draft", "draft", "verdict"),
    )

    id: int | None = Field(default=None, primary_key=True)
    exploration: str | None = Field(default=None, foreign_key="explorations.id", ondelete="CASCADE", sa_type=CleanText)
    feature: str | None = Field(default=None, sa_type=CleanText)
    draft: int | None = Field(default=None, foreign_key=OF_DRAFT, ondelete="CASCADE")
    verdict: int | None = None
    position: int
    kind: str = Field(sa_type=CleanText)
    text: str = Field(sa_type=CleanText)
    ref: str = Field(sa_type=CleanText)


class TrajectoryRow(SQLModel, table=True):
    """One trajectory; ``body`` is the value without its steps."""

    __tablename__ = "trajectories"

    draft: int = Field(primary_key=True, foreign_key=OF_DRAFT, ondelete="CASCADE")
    length: int
    body: str = Field(sa_type=CleanText)


class StepRow(SQLModel, table=True):
    """One step; ``body`` is the value without its observations.

    ``before`` is NULL where it equals the previous step's ``after``, which is the usual case.
    """

    __tablename__ = "steps"

    draft: int = Field(primary_key=True, foreign_key="trajectories.draft", ondelete="CASCADE")
    position: int = Field(primary_key=True)
    action: str = Field(sa_type=CleanText)
    outcome: str = Field(sa_type=CleanText)
    effect: bool
    before_location: str = Field(sa_type=CleanText)
    after_location: str = Field(sa_type=CleanText)
    picture_before: str = Field(sa_type=CleanText)
    picture_after: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)
    before: bytes | None = None
    after: bytes


class TaskRow(SQLModel, table=True):
    """One task; ``body`` is the value without draft, proof and trajectory, which stand under the draft.

    ``retired`` is the reason code of the verification that it did not pass; empty while it holds.
    """

    __tablename__ = "tasks"
    __table_args__ = (UniqueConstraint("app", "fingerprint"), Index("ix_tasks_run", "run", "position"))

    id: str = Field(primary_key=True, sa_type=CleanText)
    draft: int = Field(unique=True, foreign_key=OF_DRAFT, ondelete="CASCADE")
    run: str = Field(foreign_key="runs.name", ondelete="CASCADE", sa_type=CleanText)
    app: str = Field(sa_type=CleanText)
    position: int
    fingerprint: str = Field(sa_type=CleanText)
    revision: str = Field(sa_type=CleanText)
    retired: str = Field(default="", sa_type=CleanText)
    body: str = Field(sa_type=CleanText)


class TaskPartRow(SQLModel, table=True):
    """One part of a task's goal, so that tasks are found by operation and feature."""

    __tablename__ = "task_parts"
    __table_args__ = (
        Index("ix_task_parts_operation", "operation"),
        Index("ix_task_parts_feature", "feature"),
    )

    task: str = Field(primary_key=True, foreign_key="tasks.id", ondelete="CASCADE", sa_type=CleanText)
    position: int = Field(primary_key=True)
    operation: str = Field(sa_type=CleanText)
    feature: str = Field(sa_type=CleanText)


class DecisionRow(SQLModel, table=True):
    """A person's finding on a draft. Triggers refuse every change; no foreign key, so that it outlives the draft."""

    __tablename__ = "decisions"
    __table_args__ = (Index("ix_decisions_draft", "run", "draft"),)

    id: int | None = Field(default=None, primary_key=True)
    run: str = Field(sa_type=CleanText)
    draft: str = Field(sa_type=CleanText)
    decision: str = Field(sa_type=CleanText)
    reviewer: str = Field(sa_type=CleanText)
    reason: str = Field(sa_type=CleanText)
    at: str = Field(sa_type=CleanText)
