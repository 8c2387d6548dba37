"""The table of verifications: a task proven again later, with everything that was found then."""

from __future__ import annotations

from sqlmodel import Field, Index, SQLModel

from storage.columns import CleanText


class VerificationRow(SQLModel, table=True):
    """One later proof of a task; ``body`` is the whole proof. Rows are only ever added."""

    __tablename__ = "verifications"
    __table_args__ = (Index("ix_verifications_task", "task", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    task: str = Field(foreign_key="tasks.id", ondelete="CASCADE", sa_type=CleanText)
    at: str = Field(sa_type=CleanText)
    outcome: str = Field(sa_type=CleanText)
    reason: str = Field(sa_type=CleanText)
    template_hash: str = Field(sa_type=CleanText)
    clock: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)
