"""Gate 9: what the oracle changed lies within the declared effects, and the evaluator holds the rest still."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, not_applicable, passed
from pipeline.domain.evaluator import NothingElse
from pipeline.domain.state import masked
from pipeline.domain.verdict import EvidenceItem, Verdict
from pipeline.live.workbench import Workbench


async def no_collateral(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """Compares the diff with the effect models of the goal's features, not with the evaluator."""
    if not bench.profile.observable:
        return not_applicable("no-collateral", "no-state-source", "The profile names no state source.")
    if not any(isinstance(c, NothingElse) for c in seen.draft.evaluator.conditions):
        return failed("no-collateral", "rest-unchecked", "The evaluator does not hold everything else still.")
    assert seen.oracle is not None  # the oracle gate passed
    declared = {
        (row.table, row.change) for p in seen.draft.goal.parts for row in scene.app.features[p.feature].effects.rows
    }
    masks = (*scene.app.exploration.masks, *seen.draft.evaluator.masks)
    stray = [c for c in seen.oracle.diff.changes if (c.table, c.change) not in declared and not masked(c, masks)]
    if stray:
        evidence = [EvidenceItem(kind="diff", text=c.model_dump_json()[:600]) for c in stray[:5]]
        return failed("no-collateral", "undeclared-effect", f"{len(stray)} changes are not declared.", *evidence)
    return passed("no-collateral", f"{len(seen.oracle.diff.changes)} changes, all declared")
