"""The acceptance contract: every gate in order, cheapest first; the first failure ends it.

What is unsafe is refused before anything runs. A broken environment makes the draft unscored, never failed and never
passed: the ``EnvironmentFault`` goes through, and ``broken`` turns it into a proof.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from pipeline.checks.context import Scene, Seen, unscored
from pipeline.checks.determined import determined
from pipeline.checks.false_at_start import false_at_start
from pipeline.checks.grounded import grounded
from pipeline.checks.mutants import mutants
from pipeline.checks.no_collateral import no_collateral
from pipeline.checks.novel import novel
from pipeline.checks.oracle import oracle, oracle_after_others
from pipeline.checks.other_ways import other_ways
from pipeline.checks.safe import safe
from pipeline.checks.unambiguous import unambiguous
from pipeline.checks.well_formed import well_formed
from pipeline.domain.draft import Draft
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import GATES, Gate, Proof, Verdict
from pipeline.live.workbench import Workbench

StaticGate = Callable[[Draft, Scene], Verdict]
LiveGate = Callable[[Seen, Scene, Workbench], Awaitable[Verdict]]

STATIC: tuple[tuple[Gate, StaticGate], ...] = (
    ("well-formed", well_formed),
    ("safe", safe),
    ("grounded", grounded),
    ("determined", determined),
    ("unambiguous", unambiguous),
    ("novel", novel),
)
LIVE: tuple[tuple[Gate, LiveGate], ...] = (
    ("false-at-start", false_at_start),
    ("oracle", oracle),
    ("no-collateral", no_collateral),
    ("other-ways", other_ways),
    ("mutants", mutants),
    ("oracle", oracle_after_others),
)
"""The oracle's last run comes last: the mutants are the other tasks that it has to follow."""


@dataclass(frozen=True)
class Proven:
    """A proof, the draft as it was proven, and the oracle's trajectory with pictures."""

    proof: Proof
    draft: Draft
    trajectory: Trajectory


async def prove(draft: Draft, scene: Scene, bench: Workbench) -> Proven:
    """Run the contract on one draft.

    Raises:
        EnvironmentFault: something broke around it; nothing is decided.
    """
    verdicts: dict[Gate, Verdict] = {}
    seen = Seen(draft)
    signed_out = bench.sign_outs
    traffic = (bench.environment.traffic.off_origin_requests, bench.environment.traffic.off_origin_blocked)
    for gate, static in STATIC:
        verdicts[gate] = static(draft, scene)
        if verdicts[gate].finding != "pass":
            return _proven(seen, verdicts)
    for gate, live in LIVE:
        verdicts[gate] = await live(seen, scene, bench)
        if verdicts[gate].finding in ("fail", "unscored"):
            break
    proven = _proven(seen, verdicts)
    now = bench.environment.traffic
    counted = {
        "sign_outs": bench.sign_outs - signed_out,
        "off_origin_requests": now.off_origin_requests - traffic[0],
        "off_origin_blocked": now.off_origin_blocked - traffic[1],
    }
    return Proven(proven.proof.model_copy(update=counted), proven.draft, proven.trajectory)


def _proven(seen: Seen, verdicts: Mapping[Gate, Verdict]) -> Proven:
    findings = {v.finding for v in verdicts.values()}
    every = verdicts.keys() == set(GATES)
    accepted = every and findings <= {"pass", "not-applicable"}
    outcome = "accepted" if accepted else "unscored" if "unscored" in findings else "rejected"
    proof = Proof(
        outcome=outcome,
        verdicts=tuple(verdicts[gate] for gate in GATES if gate in verdicts),
        mutants=tuple(seen.mutants),
        oracle_runs=seen.oracle_runs,
        oracle_passes=seen.oracle_passes,
        other_ways_built=seen.ways_built,
        other_ways_passed=seen.ways_passed,
        runs=seen.runs,
    )
    trajectory = seen.oracle.trajectory if seen.oracle else Trajectory()
    return Proven(proof, seen.draft, trajectory)


def broken(draft: Draft, why: str) -> Proven:
    """The proof of a draft under which the environment broke."""
    verdict = unscored("oracle", "environment-broke", why[:300])
    return Proven(Proof(outcome="unscored", verdicts=(verdict,)), draft, Trajectory())
