"""Gate 5: no accepted task has an equal goal, whatever its words."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.verdict import EvidenceItem, Verdict


def novel(draft: Draft, scene: Scene) -> Verdict:
    """Looks the goal's fingerprint up in the catalogue."""
    twin = scene.accepted.get(draft.goal.fingerprint)
    if twin is not None:
        known = EvidenceItem(kind="wording", text="the catalogue has this goal", ref=twin)
        return failed("novel", "equal-goal", f"Task {twin} has the same goal.", known)
    return passed("novel")
