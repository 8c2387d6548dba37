"""Live runs of a draft, counted."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.checks.context import Seen
from pipeline.domain.action import Action
from pipeline.live.workbench import RunRecord, Workbench


async def run(
    bench: Workbench, seen: Seen, actions: Sequence[Action], *, pictures: bool = False, watched: bool = False
) -> RunRecord:
    """One run from a reset, as the draft's user, from its start place.

    Only the oracle's runs are ``watched`` step by step; of the others the end counts.

    Raises:
        EnvironmentFault: something broke around it.
    """
    draft = seen.draft
    seen.runs += 1
    return await bench.run(actions, draft.user, draft.start_location, draft.evaluator, pictures, watched)
