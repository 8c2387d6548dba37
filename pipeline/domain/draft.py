"""Drafts and tasks."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from pipeline.domain.action import Action
from pipeline.domain.evaluator import Evaluator
from pipeline.domain.feature import Consequence
from pipeline.domain.goal import Goal
from pipeline.domain.step import Trajectory
from pipeline.domain.values import Value, canonical_json, fingerprint
from pipeline.domain.verdict import Proof


class Draft(Value):
    """An unverified task: everything made from the goal before anything ran."""

    id: str
    app: str
    index: int
    """Position in the run's order of drafts; acceptance is decided in this order."""
    goal: Goal
    instruction: str
    language: str = "en"
    user: str = ""
    start_location: str
    """Without origin."""
    oracle: tuple[Action, ...]
    evaluator: Evaluator
    consequence: Consequence = "none"
    evidence: tuple[str, ...] = ()
    seed: int = 0

    @property
    def end(self) -> str:
        """Equal for drafts that ask for the same end: through another form, say, or with the parts in another order."""
        wanted = [canonical_json(c) for c in self.evaluator.conditions if c.kind != "nothing-else"]
        return fingerprint(sorted(wanted))


class Task(Value):
    """A draft whose every gate passed."""

    id: str
    draft: Draft
    proof: Proof
    trajectory: Trajectory
    provenance: dict[str, Any] = Field(default_factory=dict)
    """Application version and licence, template hash, tool version, seed."""
    retired: str = ""
    """Reason code of the verification that it no longer passed; empty while it holds."""

    @property
    def revision(self) -> str:
        """Changes when anything that decides a verdict changes."""
        d = self.draft
        return fingerprint([d.instruction, d.evaluator.model_dump(mode="json"), d.start_location, d.user])
