"""Gate 11: consequential and state-changing actions only where nobody misses the data, and no secret in the open.

Decided before anything runs, although it is the last in the contract's order: what is unsafe must not run at all.
"""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.values import canonical_json, is_hidden
from pipeline.domain.verdict import Verdict


def safe(draft: Draft, scene: Scene) -> Verdict:
    """Compares what the draft changes with what the profile permits; looks for secrets, and for where one stood."""
    written = canonical_json(draft.model_dump(mode="json"))
    if is_hidden(written) or scene.redactor.holds_secret(written):
        return failed("safe", "holds-secret", "A password or session token stands in the draft.")
    changes = draft.evaluator.changes_state or draft.consequence != "none"
    if changes and draft.consequence == "none":
        return failed("safe", "unclassed", "The draft changes state and has no consequence class.")
    if changes and not (scene.disposable and scene.resettable):
        return failed("safe", "not-disposable", f"{draft.consequence} actions need a disposable, resettable profile.")
    return passed("safe", draft.consequence)
