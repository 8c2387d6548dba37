"""Transactions on explorations: begun, saved wave by wave, finished, read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from sqlmodel import Session, SQLModel, col, delete, func, select

from pipeline.domain.exploration import Exploration, Page, Transition
from pipeline.domain.feature import Feature
from pipeline.errors import RunFault
from storage import convert
from storage.records import ExplorationInfo, UnitRecord
from storage.rows_drafts import EvidenceRow
from storage.rows_explorations import ExplorationRow, FeatureRow, PageRow, StateRow, TransitionRow, UnitRow

R = TypeVar("R", PageRow, TransitionRow, FeatureRow)
V = TypeVar("V", Page, Transition)


def begin(session: Session, row: ExplorationRow, fresh: bool) -> None:
    """Make the exploration known; ``fresh`` drops what was there under the same id."""
    if fresh:
        session.exec(delete(ExplorationRow).where(col(ExplorationRow.id) == row.id))
    if session.get(ExplorationRow, row.id) is None:
        session.add(row)


def save_wave(
    session: Session, id: str, units: Sequence[UnitRow], pages: Sequence[Page], transitions: Sequence[Transition]
) -> None:
    """Add units that are not there yet; pages and transitions seen again keep their place and take the newer form."""
    _known(session, id)
    session.add_all([u for u in units if session.get(UnitRow, (id, u.key)) is None])
    first = _count(session, PageRow, id)
    for i, page in enumerate(_latest(pages)):
        old = session.get(PageRow, (id, page.id))
        session.merge(convert.page_row(id, old.position if old else first + i, page))
    first = _count(session, TransitionRow, id)
    for i, edge in enumerate(_latest(transitions)):
        known = session.get(TransitionRow, (id, edge.id))
        session.merge(convert.transition_row(id, known.position if known else first + i, edge))
    _add_states(session, id, pages)


def finish(session: Session, id: str, finished: str, exploration: Exploration) -> None:
    """Store the whole result in place of what the waves had saved; units stay."""
    row = _known(session, id)
    for table in (PageRow, TransitionRow, FeatureRow, StateRow, EvidenceRow):
        session.exec(delete(table).where(col(table.exploration) == id))
    session.add_all(convert.page_row(id, i, p) for i, p in enumerate(exploration.pages))
    session.add_all(convert.transition_row(id, i, t) for i, t in enumerate(exploration.transitions))
    for i, feature in enumerate(exploration.features):
        session.add(convert.feature_row(id, i, feature))
        session.add_all(convert.feature_evidence(id, feature))
    _add_states(session, id, exploration.pages)
    row.body = convert.exploration_body(exploration)
    row.finished, row.stopped_by, row.actions = finished, exploration.stopped_by, exploration.actions
    session.add(row)


def _latest(values: Sequence[V]) -> list[V]:
    """Each id once, as it was given last."""
    return list({v.id: v for v in values}.values())


def _add_states(session: Session, id: str, pages: Sequence[Page]) -> None:
    """The first page that shows a state is its example."""
    examples: dict[str, Page] = {}
    for page in pages:
        examples.setdefault(page.state_key, page)
    for key, page in examples.items():
        if session.get(StateRow, (id, key)) is None:
            session.add(StateRow(exploration=id, key=key, location=page.location, example=page.id))


def _known(session: Session, id: str) -> ExplorationRow:
    row = session.get(ExplorationRow, id)
    if row is None:
        raise RunFault(f"The exploration {id!r} is no longer in the catalogue; begin it again.")
    return row


def units(session: Session, id: str) -> list[UnitRecord]:
    """Finished units in order."""
    ordered = select(UnitRow).where(UnitRow.exploration == id).order_by(col(UnitRow.wave), col(UnitRow.position))
    return [convert.unit_record(r) for r in session.exec(ordered.order_by(col(UnitRow.key)))]


def pages(session: Session, id: str) -> list[Page]:
    """Pages saved so far, in the order in which they came."""
    return [convert.page(r) for r in _ordered(session, PageRow, id)]


def transitions(session: Session, id: str) -> list[Transition]:
    """Transitions saved so far, in the order in which they came."""
    return [convert.transition(r) for r in _ordered(session, TransitionRow, id)]


def whole(session: Session, id: str) -> Exploration | None:
    """The finished exploration, or None."""
    row = session.get(ExplorationRow, id)
    if row is None or not row.finished:
        return None
    return convert.exploration(
        row,
        _ordered(session, PageRow, id),
        _ordered(session, TransitionRow, id),
        _ordered(session, FeatureRow, id),
    )


def features(session: Session, app: str) -> list[Feature]:
    """Features of the app's latest finished exploration."""
    finished = select(ExplorationRow.id).where(ExplorationRow.app == app, ExplorationRow.finished != "")
    id = session.exec(finished.order_by(col(ExplorationRow.finished).desc(), col(ExplorationRow.id))).first()
    return [convert.feature(r) for r in _ordered(session, FeatureRow, id)] if id is not None else []


def listing(session: Session, app: str | None) -> list[ExplorationInfo]:
    """Explorations, oldest first."""
    chosen = select(ExplorationRow).order_by(col(ExplorationRow.created), col(ExplorationRow.id))
    if app is not None:
        chosen = chosen.where(ExplorationRow.app == app)
    return [_info(session, row) for row in session.exec(chosen).all()]


def _info(session: Session, row: ExplorationRow) -> ExplorationInfo:
    return ExplorationInfo(
        **row.model_dump(exclude={"body"}),
        units=_count(session, UnitRow, row.id),
        pages=_count(session, PageRow, row.id),
        transitions=_count(session, TransitionRow, row.id),
        features=_count(session, FeatureRow, row.id),
    )


def _ordered(session: Session, table: type[R], id: str) -> list[R]:
    return list(session.exec(select(table).where(col(table.exploration) == id).order_by(col(table.position))))


def _count(session: Session, table: type[SQLModel], id: str) -> int:
    column = table.__table__.c.exploration  # type: ignore[attr-defined]  # every table has one; the base does not say so
    return session.exec(select(func.count()).select_from(table).where(column == id)).one()
