"""Tables of runs: what was asked for, who works on it, what it cost. Rows do not validate; values do."""

from __future__ import annotations

from sqlmodel import Field, SQLModel

from storage.columns import CleanText


class RunRow(SQLModel, table=True):
    """One run; ``body`` is the whole RunInfo."""

    __tablename__ = "runs"

    name: str = Field(primary_key=True, sa_type=CleanText)
    app: str = Field(sa_type=CleanText, index=True)
    phase: str = Field(sa_type=CleanText)
    stopped_by: str = Field(sa_type=CleanText)
    created: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)


class LeaseRow(SQLModel, table=True):
    """Who is working on a run; no row means nobody."""

    __tablename__ = "leases"

    run: str = Field(primary_key=True, foreign_key="runs.name", ondelete="CASCADE", sa_type=CleanText)
    owner: str = Field(sa_type=CleanText)
    taken: str = Field(sa_type=CleanText)


class CostRow(SQLModel, table=True):
    """Seconds spent by kind of work, drafts discarded later included."""

    __tablename__ = "costs"

    run: str = Field(primary_key=True, foreign_key="runs.name", ondelete="CASCADE", sa_type=CleanText)
    kind: str = Field(primary_key=True, sa_type=CleanText)
    seconds: float
