"""Live runs of a draft, counted."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.checks.context import Seen
from pipeline.domain.action import Action, Open
from pipeline.domain.environment import told
from pipeline.errors import AppFault
from pipeline.live.workbench import RunRecord, Workbench


async def run(
    bench: Workbench,
    seen: Seen,
    actions: Sequence[Action],
    *,
    pictures: bool = False,
    watched: bool = False,
    from_start: bool = False,
) -> RunRecord:
    """One run from a reset, as the draft's user, from its start place.

    The oracle's first run is ``watched`` step by step, and all of them go from the start place; of the others the end
    counts, and those that open a place first begin there.

    Raises:
        EnvironmentFault: something broke around it.
    """
    draft = seen.draft
    seen.runs += 1
    start = draft.start_location
    if not watched and not from_start:
        start, actions = standing(start, actions)
    return await bench.run(actions, draft.user, start, draft.evaluator, pictures, watched)


async def steady_run(bench: Workbench, seen: Seen, actions: Sequence[Action]) -> RunRecord:
    """A run of which the end alone decides: made again where the server broke at what the oracle's runs did not meet.

    Some applications refuse a value with status 500, and do so again; what passes is no answer to the actions. Where
    it broke twice alike, the oracle as control tells whether it breaks at that whatever is done. A server that breaks
    for two runs at what the oracle never asks for, and no longer, is taken for one that refuses.

    Raises:
        EnvironmentFault: something broke around it; or the server broke again, not as before or under the oracle too.
    """
    first = await run(bench, seen, actions)
    if seen.usual_faults.issuperset(first.server_faults):
        return first
    again = await run(bench, seen, actions)
    unusual = frozenset(again.server_faults) - seen.usual_faults
    if not unusual:
        return again
    if _came_to(first) != _came_to(again):
        raise AppFault(f"The application broke twice, each time otherwise. {told(again.server_faults)}")
    control = await run(bench, seen, seen.draft.oracle) if seen.oracle else None
    if control and not unusual.isdisjoint(control.server_faults):
        raise AppFault(f"The application broke whatever was done. {told(control.server_faults)}")
    return again


def _came_to(record: RunRecord) -> object:
    """What the server broke at, where the run ended, and which kinds of rows it changed."""
    facts = record.facts
    changes = sorted((c.table, c.change) for c in facts.diff.changes) if facts.diff else None
    return set(record.server_faults), record.trajectory.broken_at, facts.final and facts.final.location, changes


def standing(start: str, actions: Sequence[Action]) -> tuple[str, Sequence[Action]]:
    """Where a run may begin, and what is left to do: where it opens a place first, it begins there."""
    first = actions[0] if actions else None
    return (first.location, actions[1:]) if isinstance(first, Open) else (start, actions)
