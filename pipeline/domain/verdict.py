"""Gates and their findings."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from pipeline.domain.values import Value

Gate = Literal[
    "well-formed",
    "grounded",
    "determined",
    "unambiguous",
    "novel",
    "false-at-start",
    "oracle",
    "mutants",
    "no-collateral",
    "other-ways",
    "safe",
]
GATES: tuple[Gate, ...] = get_args(Gate)
"""In the order of the acceptance contract, cheapest first."""

MutantKind = Literal[
    "no_op",
    "one_short",
    "wrong_value",
    "wrong_entity",
    "done_twice",
    "one_more",
    "near_miss",
    "other_answer",
    "page_dump",
]
MUTANT_KINDS: tuple[MutantKind, ...] = get_args(MutantKind)


class EvidenceItem(Value):
    """Something that code can check again: what it is, in words, and where it is kept."""

    kind: Literal["condition", "diff", "step", "picture", "transition", "mutant", "wording", "entity", "error"]
    text: str
    ref: str = ""
    """Id of the transition or run, or content address of the picture."""


class Verdict(Value):
    """Finding of one gate on one draft."""

    gate: Gate
    finding: Literal["pass", "fail", "unscored", "not-applicable"]
    reason: str = ""
    """Reason code such as ``already-true``; empty for a plain pass."""
    explanation: str = ""
    evidence: tuple[EvidenceItem, ...] = ()
    version: int = 1
    """Version of the check that found it."""

    @property
    def in_full(self) -> str:
        """The explanation, and what was expected and found where a condition did not hold."""
        unmet = "; ".join(item.text for item in self.evidence if item.kind == "condition")
        return " ".join(part for part in (self.explanation, f"{unmet}." if unmet else "") if part)


class MutantResult(Value):
    """One mutant: executed live after its own reset, or why it was not."""

    kind: MutantKind
    result: Literal["killed", "survived", "equivalent", "inapplicable"]
    note: str = ""


class Proof(Value):
    """Everything the contract found out about a draft."""

    outcome: Literal["accepted", "rejected", "unscored"]
    verdicts: tuple[Verdict, ...]
    mutants: tuple[MutantResult, ...] = ()
    oracle_runs: int = 0
    oracle_passes: int = 0
    other_ways_built: int = 0
    other_ways_passed: int = 0
    runs: int = 0
    """Live runs that were made, resets included."""
    sign_outs: int = 0
    off_origin_requests: int = 0
    off_origin_blocked: int = 0

    @property
    def reason(self) -> str:
        """Reason code of the gate that ended it; empty when accepted."""
        return next((v.reason for v in self.verdicts if v.finding in ("fail", "unscored")), "")

    def but_failed(self, gate: Gate, reason: str, explanation: str) -> Proof:
        """The same, save that one gate did not hold after all."""
        failed = Verdict(gate=gate, finding="fail", reason=reason, explanation=explanation)
        verdicts = {v.gate: v for v in self.verdicts} | {gate: failed}
        ordered = tuple(verdicts[g] for g in GATES if g in verdicts)
        return self.model_copy(update={"outcome": "rejected", "verdicts": ordered})


class RunCost(Value):
    """Wall time by kind of work, in seconds; never part of a canonical export."""

    seconds: dict[str, float] = Field(default_factory=dict)
