"""Proofs and trajectories as rows, and back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.domain.observation import Observation
from pipeline.domain.step import Step, Trajectory
from pipeline.domain.verdict import Proof, Verdict
from storage.encoding import from_json, pack, to_json, unpack
from storage.rows_drafts import EvidenceRow, MutantRow, ProofRow, StepRow, TrajectoryRow, VerdictRow

APART_OF_STEP = frozenset({"before", "after"})


@dataclass
class TrajectoryRows:
    """The rows of one trajectory, not yet bound to a draft."""

    trajectory: TrajectoryRow
    steps: list[StepRow]

    def bind(self, draft: int) -> None:
        """Make them the draft's with this key."""
        for row in (self.trajectory, *self.steps):
            row.draft = draft


@dataclass
class ProofRows:
    """The rows of one proof, not yet bound to a draft."""

    proof: ProofRow
    verdicts: list[VerdictRow] = field(default_factory=list)
    mutants: list[MutantRow] = field(default_factory=list)
    evidence: list[EvidenceRow] = field(default_factory=list)

    def bind(self, draft: int) -> None:
        """Make them the draft's with this key."""
        for row in (self.proof, *self.verdicts, *self.mutants, *self.evidence):
            row.draft = draft


def proof_rows(proof: Proof) -> ProofRows:
    """A proof as rows; the whole value stands in the first."""
    rows = ProofRows(ProofRow(draft=0, outcome=proof.outcome, body=to_json(proof)))
    for i, verdict in enumerate(proof.verdicts):
        rows.verdicts.append(_verdict_row(i, verdict))
        rows.evidence += _evidence_rows(i, verdict)
    rows.mutants = [
        MutantRow(draft=0, position=i, kind=m.kind, result=m.result, note=m.note) for i, m in enumerate(proof.mutants)
    ]
    return rows


def _verdict_row(position: int, verdict: Verdict) -> VerdictRow:
    return VerdictRow(
        draft=0,
        position=position,
        gate=verdict.gate,
        finding=verdict.finding,
        reason=verdict.reason,
        explanation=verdict.explanation,
        version=verdict.version,
    )


def _evidence_rows(position: int, verdict: Verdict) -> list[EvidenceRow]:
    return [
        EvidenceRow(draft=0, verdict=position, position=i, kind=item.kind, text=item.text, ref=item.ref)
        for i, item in enumerate(verdict.evidence)
    ]


def trajectory_rows(trajectory: Trajectory) -> TrajectoryRows:
    """A trajectory as rows; observations are compressed here, which takes about a millisecond each."""
    steps: list[StepRow] = []
    last: Observation | None = None
    for i, step in enumerate(trajectory.steps):
        steps.append(_step_row(i, step, last))
        last = step.after
    head = TrajectoryRow(draft=0, length=len(steps), body=to_json(trajectory, frozenset({"steps"})))
    return TrajectoryRows(head, steps)


def _step_row(position: int, step: Step, last: Observation | None) -> StepRow:
    return StepRow(
        draft=0,
        position=position,
        action=to_json(step.action),
        outcome=to_json(step.outcome),
        effect=step.effect,
        before_location=step.before.location,
        after_location=step.after.location,
        picture_before=step.picture_before,
        picture_after=step.picture_after,
        body=to_json(step, APART_OF_STEP),
        before=None if step.before == last else pack(step.before),
        after=pack(step.after),
    )


def trajectory(head: TrajectoryRow, steps: Iterable[StepRow]) -> Trajectory:
    """The whole trajectory again."""
    whole: list[Step] = []
    for row in steps:
        after = unpack(Observation, row.after)
        before = unpack(Observation, row.before) if row.before is not None else whole[-1].after
        whole.append(from_json(Step, row.body, before=before, after=after))
    return from_json(Trajectory, head.body, steps=tuple(whole))


@dataclass(frozen=True)
class StepOutline:
    """What is read of a step when its observations are not wanted."""

    draft: int
    body: str
    before_location: str
    after_location: str

    def step(self) -> Step:
        """The step with observations that hold nothing but their location."""
        before, after = Observation(location=self.before_location), Observation(location=self.after_location)
        return from_json(Step, self.body, before=before, after=after)


def outline(head: TrajectoryRow, steps: Iterable[StepOutline]) -> Trajectory:
    """The trajectory again, observations left out."""
    return from_json(Trajectory, head.body, steps=tuple(s.step() for s in steps))
