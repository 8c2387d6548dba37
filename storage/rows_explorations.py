"""Tables of explorations: units, states, pages, transitions, features. All go with their exploration."""

from __future__ import annotations

from sqlmodel import Field, SQLModel

from storage.columns import CleanText

OF_EXPLORATION = "explorations.id"


class ExplorationRow(SQLModel, table=True):
    """One exploration; ``body`` is the Exploration without pages, transitions and features, empty until finished."""

    __tablename__ = "explorations"

    id: str = Field(primary_key=True, sa_type=CleanText)
    app: str = Field(sa_type=CleanText, index=True)
    template_hash: str = Field(sa_type=CleanText)
    settings_hash: str = Field(sa_type=CleanText)
    created: str = Field(sa_type=CleanText)
    finished: str = Field(sa_type=CleanText)
    stopped_by: str = Field(sa_type=CleanText)
    actions: int
    body: str = Field(sa_type=CleanText)


class UnitRow(SQLModel, table=True):
    """One finished unit."""

    __tablename__ = "units"

    exploration: str = Field(primary_key=True, foreign_key=OF_EXPLORATION, ondelete="CASCADE", sa_type=CleanText)
    key: str = Field(primary_key=True, sa_type=CleanText)
    wave: int
    position: int
    kind: str = Field(sa_type=CleanText)
    actions: int
    result: str = Field(sa_type=CleanText)


class StateRow(SQLModel, table=True):
    """One state abstraction, with the first page that showed it as its example."""

    __tablename__ = "states"

    exploration: str = Field(primary_key=True, foreign_key=OF_EXPLORATION, ondelete="CASCADE", sa_type=CleanText)
    key: str = Field(primary_key=True, sa_type=CleanText)
    location: str = Field(sa_type=CleanText)
    example: str = Field(sa_type=CleanText)


class PageRow(SQLModel, table=True):
    """One page; ``body`` is the Page without its observation, which is compressed beside it."""

    __tablename__ = "pages"

    exploration: str = Field(primary_key=True, foreign_key=OF_EXPLORATION, ondelete="CASCADE", sa_type=CleanText)
    id: str = Field(primary_key=True, sa_type=CleanText)
    position: int
    location: str = Field(sa_type=CleanText)
    state: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)
    observation: bytes


class TransitionRow(SQLModel, table=True):
    """One edge of the UI graph."""

    __tablename__ = "transitions"

    exploration: str = Field(primary_key=True, foreign_key=OF_EXPLORATION, ondelete="CASCADE", sa_type=CleanText)
    id: str = Field(primary_key=True, sa_type=CleanText)
    position: int
    source: str = Field(sa_type=CleanText)
    target: str = Field(sa_type=CleanText)
    status: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)


class FeatureRow(SQLModel, table=True):
    """One feature; ``body`` is the whole value."""

    __tablename__ = "features"

    exploration: str = Field(primary_key=True, foreign_key=OF_EXPLORATION, ondelete="CASCADE", sa_type=CleanText)
    id: str = Field(primary_key=True, sa_type=CleanText)
    position: int
    operation: str = Field(sa_type=CleanText)
    noun: str = Field(sa_type=CleanText)
    route: str = Field(sa_type=CleanText)
    body: str = Field(sa_type=CleanText)
