"""Gate 11: consequential and state-changing actions only where nobody misses the data.

Decided before anything runs, although it is the last in the contract's order: what is unsafe must not run at all.
"""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.verdict import Verdict


def safe(draft: Draft, scene: Scene) -> Verdict:
    """Compares what the draft changes with what the profile permits."""
    changes = draft.evaluator.changes_state or draft.consequence != "none"
    if changes and draft.consequence == "none":
        return failed("safe", "unclassed", "The draft changes state and has no consequence class.")
    if changes and not (scene.disposable and scene.resettable):
        return failed("safe", "not-disposable", f"{draft.consequence} actions need a disposable, resettable profile.")
    return passed("safe", draft.consequence)
