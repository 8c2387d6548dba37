"""Transactions on runs: made, changed, claimed, paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

from sqlmodel import Session, col, select

from pipeline.domain.verdict import RunCost
from pipeline.errors import CatalogueError, UserError
from storage import convert
from storage.records import Lease, RunInfo
from storage.rows_runs import CostRow, LeaseRow, RunRow


def create(session: Session, run: RunInfo) -> None:
    """Add a run.

    Raises:
        UserError: the name is taken.
    """
    if session.get(RunRow, run.name) is not None:
        raise UserError(f"There is a run {run.name!r} already; continue it with --resume or choose another --run.")
    session.add(convert.run_row(run))


def row(session: Session, name: str) -> RunRow:
    """The row of a run.

    Raises:
        UserError: there is none; near names are offered.
    """
    found = session.get(RunRow, name)
    if found is None:
        near = get_close_matches(name, session.exec(select(RunRow.name)).all())
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else "see `tasksieve runs`."
        raise UserError(f"There is no run {name!r} in the catalogue; {hint}")
    return found


def listing(session: Session) -> list[RunInfo]:
    """All runs, oldest first."""
    rows = session.exec(select(RunRow).order_by(col(RunRow.created), col(RunRow.name)))
    return [convert.run_info(r) for r in rows]


def update(session: Session, name: str, changes: Mapping[str, Any]) -> None:
    """Change fields of a run; an unknown field is refused by the value itself."""
    found = row(session, name)
    info = convert.run_info(found)
    changed = convert.run_row(RunInfo.model_validate({**info.model_dump(), **changes, "name": info.name}))
    found.phase, found.stopped_by, found.body = changed.phase, changed.stopped_by, changed.body
    session.add(found)


def claim(session: Session, lease: Lease, alive: Callable[[str], bool]) -> None:
    """Take the lease of a run; one whose owner is dead is taken over.

    Raises:
        CatalogueError: a live owner holds it.
    """
    row(session, lease.run)
    held = session.get(LeaseRow, lease.run)
    if held is not None and held.owner != lease.owner and alive(held.owner):
        process = held.owner.partition(":")[0]
        raise CatalogueError(
            f"The run {lease.run!r} is being worked on by process {process} since {held.taken}; wait for it or end it."
        )
    session.merge(LeaseRow(run=lease.run, owner=lease.owner, taken=lease.taken))


def release(session: Session, name: str, owner: str) -> None:
    """Give the lease back; another owner's is left alone."""
    held = session.get(LeaseRow, name)
    if held is not None and held.owner == owner:
        session.delete(held)


def leases(session: Session) -> list[Lease]:
    """All leases, whether or not their owners live."""
    rows = session.exec(select(LeaseRow).order_by(col(LeaseRow.run)))
    return [Lease(run=r.run, owner=r.owner, taken=r.taken) for r in rows]


def add_cost(session: Session, run: str, cost: RunCost) -> None:
    """Add seconds to what the run has cost."""
    for kind, seconds in cost.seconds.items():
        known = session.get(CostRow, (run, kind)) or CostRow(run=run, kind=kind, seconds=0.0)
        known.seconds += seconds
        session.add(known)


def cost(session: Session, run: str) -> RunCost:
    """Seconds by kind of work, over everything recorded."""
    row(session, run)
    rows = session.exec(select(CostRow).where(CostRow.run == run).order_by(col(CostRow.kind)))
    return RunCost(seconds={r.kind: r.seconds for r in rows})
