"""Transactions on verifications: a later proof is added, and the task retired or taken back by it."""

from __future__ import annotations

from sqlmodel import Session, col, select

from pipeline.domain.verdict import Proof
from pipeline.errors import RunFault
from storage.encoding import from_json, to_json
from storage.records import Verification
from storage.rows_drafts import TaskRow
from storage.rows_verifications import VerificationRow


def add(session: Session, found: Verification) -> None:
    """Keep a verification: a task that fell is retired, one that holds stands; what is unscored decides nothing.

    Raises:
        RunFault: the task is not there any more.
    """
    task = session.get(TaskRow, found.task)
    if task is None:
        raise RunFault(f"The task {found.task!r} is no longer in the catalogue; its verification is not kept.")
    if found.proof.outcome != "unscored":
        task.retired = found.proof.reason if found.proof.outcome == "rejected" else ""
    session.add(task)
    session.add(
        VerificationRow(
            task=found.task,
            at=found.at,
            outcome=found.proof.outcome,
            reason=found.proof.reason,
            template_hash=found.template_hash,
            clock=found.clock,
            body=to_json(found.proof),
        )
    )


def listing(session: Session, task: str) -> list[Verification]:
    """Verifications of a task, oldest first."""
    rows = session.exec(
        select(VerificationRow).where(VerificationRow.task == task).order_by(col(VerificationRow.id))
    ).all()
    return [
        Verification(task=r.task, at=r.at, proof=from_json(Proof, r.body), template_hash=r.template_hash, clock=r.clock)
        for r in rows
    ]


def picture_addresses(session: Session) -> set[str]:
    """Content addresses of the pictures that later proofs refer to."""
    bodies = session.exec(select(VerificationRow.body).where(VerificationRow.outcome != "accepted"))
    proofs = (from_json(Proof, body) for body in bodies)
    return {e.ref for p in proofs for v in p.verdicts for e in v.evidence if e.kind == "picture" and e.ref}
