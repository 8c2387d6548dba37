"""What a check may know, and what the live gates hand to each other."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from pipeline.domain.draft import Draft
from pipeline.domain.environment import ServerFault
from pipeline.domain.evaluator import Evaluation, Facts
from pipeline.domain.known_app import KnownApp
from pipeline.domain.redact import Redactor
from pipeline.domain.verdict import EvidenceItem, Gate, MutantResult, Verdict
from pipeline.live.workbench import RunRecord


@dataclass(frozen=True)
class Scene:
    """Everything around a draft that does not change while it is proven."""

    app: KnownApp
    disposable: bool
    resettable: bool
    today: date
    accepted: Mapping[str, str] = field(default_factory=dict)
    """Goal fingerprint → task id of what the catalogue holds."""
    oracle_runs: int = 3
    redactor: Redactor = field(default_factory=Redactor)
    """Knows the application's secrets."""

    def rng(self, draft: Draft, purpose: str) -> random.Random:
        """Randomness decided by the draft and the purpose alone."""
        return random.Random(f"{draft.seed} {draft.id} {purpose}")


@dataclass
class Seen:
    """What the live gates found so far; later gates build on it."""

    draft: Draft
    """The draft, its oracle without steps that change nothing."""
    start: RunRecord | None = None
    oracle: RunRecord | None = None
    passing: list[Facts] = field(default_factory=list)
    """What was found after every run that reached the goal: the oracle's, and those by other ways."""
    usual_faults: frozenset[ServerFault] = frozenset()
    """What the server broke at in each of the oracle's runs so far: the application's way, and no passing fault."""
    oracle_runs: int = 0
    oracle_passes: int = 0
    mutants: list[MutantResult] = field(default_factory=list)
    ways_built: int = 0
    ways_passed: int = 0
    runs: int = 0


def passed(gate: Gate, explanation: str = "", *evidence: EvidenceItem) -> Verdict:
    """The gate holds."""
    return Verdict(gate=gate, finding="pass", explanation=explanation, evidence=evidence)


def failed(gate: Gate, reason: str, explanation: str, *evidence: EvidenceItem) -> Verdict:
    """The gate does not hold."""
    return Verdict(gate=gate, finding="fail", reason=reason, explanation=explanation, evidence=evidence)


def unscored(gate: Gate, reason: str, explanation: str) -> Verdict:
    """The gate could not be decided; the draft is tried again."""
    return Verdict(gate=gate, finding="unscored", reason=reason, explanation=explanation)


def not_applicable(gate: Gate, reason: str, explanation: str) -> Verdict:
    """The gate has nothing to decide here, for a stated reason."""
    return Verdict(gate=gate, finding="not-applicable", reason=reason, explanation=explanation)


def in_words(evaluation: Evaluation) -> tuple[EvidenceItem, ...]:
    """The conditions that are not true, expected and found."""
    return tuple(
        EvidenceItem(kind="condition", text=f"expected {f.expected}; found {f.found}")
        for f in evaluation.findings
        if f.truth != "true"
    )
