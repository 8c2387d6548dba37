"""What the catalogue hands out beside domain values: runs, units, records of drafts, decisions, leases. No SQL here."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from pipeline.domain.draft import Draft
from pipeline.domain.values import Value
from pipeline.domain.verdict import Proof

DraftStatus = Literal["queued", "accepted", "rejected", "unscored"]


class RunInfo(Value):
    """One run: what was asked for, and how far it came."""

    name: str
    app: str
    seed: int = 0
    count: int = 0
    """Tasks asked for."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Operations, features, workers, budgets, template hash: whatever a resumed run must find again."""
    phase: str = ""
    stopped_by: str = ""
    created: str = ""
    """ISO 8601; filled from the store's clock when empty."""
    wall_s: float = 0.0
    """Seconds over all sittings of the run; added up by the caller, like the two below."""
    explore_s: float = 0.0
    prove_s: float = 0.0
    stats: dict[str, int] = Field(default_factory=dict)


class Verification(Value):
    """A task's contract, executed again later."""

    task: str
    at: str
    """ISO 8601."""
    proof: Proof
    template_hash: str = ""
    """Of the application it was verified on."""
    clock: str = ""
    """How far the application's clock was moved, as asked for; empty for not at all."""


class UnitRecord(Value):
    """One finished unit of exploration; what it found is ``result``, in the explorer's own shape."""

    key: str
    kind: str
    wave: int
    position: int
    """Order within the wave."""
    actions: int = 0
    result: dict[str, Any] = Field(default_factory=dict)


class ExplorationInfo(Value):
    """One exploration without its contents."""

    id: str
    app: str
    template_hash: str
    settings_hash: str
    created: str
    finished: str = ""
    """ISO 8601, empty while it is under way."""
    stopped_by: str = ""
    actions: int = 0
    units: int = 0
    pages: int = 0
    transitions: int = 0
    features: int = 0


class DraftRecord(Value):
    """A draft, where it stands, and what was found out about it.

    A draft whose proof is recorded but not settled is still ``queued``, with its proof.
    """

    run: str
    draft: Draft
    status: DraftStatus
    proof: Proof | None = None
    fingerprint: str
    """Of the goal."""
    attempts: int = 0
    """Proofs recorded, unscored ones included."""


class Decision(Value):
    """A person's finding on a draft; appended, never changed."""

    run: str
    draft: str
    decision: str
    reviewer: str
    reason: str
    at: str
    """ISO 8601."""


class Lease(Value):
    """Who is working on a run."""

    run: str
    owner: str
    taken: str
    """ISO 8601."""
