"""Carrying out visits and pokes: one reset each, what is seen becomes a page, what looking changes becomes a mask."""

from __future__ import annotations

from pipeline.domain.action import Click
from pipeline.domain.exploration import Page, Transition
from pipeline.domain.observation import Observation
from pipeline.domain.routes import canonical
from pipeline.domain.state import StateDiff, looking
from pipeline.domain.statekey import changed_by_itself, signature
from pipeline.domain.values import fingerprint
from pipeline.explorers.units import Poke, Result, Visit
from pipeline.live.workbench import Workbench

TEXT_KEPT = 4000
"""Characters of visible text that are kept of a page."""


async def visit(bench: Workbench, unit: Visit, user: str) -> Result:
    """Open a location from a fresh reset.

    Raises:
        EnvironmentFault: the application or the browser broke, or the session ended; the unit is to be tried again.
    """
    seen = await bench.fresh(user, unit.location)
    mask: tuple[str, ...] = ()
    if unit.twice:
        mask = changed_by_itself(seen, await bench.look())
    await bench.require_signed_in()
    problem = _unusable(seen)
    if problem:
        return Result(key=unit.key, kind="visit", actions=1, problem=problem)
    changed = bench.changes(bench.start, await bench.state()) if bench.profile.observable else StateDiff()
    location = canonical(seen.location)
    page = Page(id=location, location=location, state_key="", observation=slim(seen), mask=mask, depth=unit.depth)
    return Result(key=unit.key, kind="visit", actions=1, page=page, masks=looking(changed) if unit.trusted else ())


async def poke(bench: Workbench, unit: Poke, user: str) -> Result:
    """Click from a fresh reset; a new place or new controls make a page and an observed transition.

    Raises:
        EnvironmentFault: as for ``visit``.
    """
    await bench.fresh(user, unit.location)
    before = await bench.look()
    clicks = (*unit.prelude, unit.click)
    trajectory = await bench.perform(clicks)
    actions = 1 + len(trajectory.steps)
    if trajectory.broken_at is not None:
        broken = trajectory.steps[-1].outcome.problem
        return Result(key=unit.key, kind="poke", actions=actions, problem=broken)
    await bench.require_signed_in()
    after = trajectory.steps[-1].after
    problem = _unusable(after)
    location = canonical(after.location)
    moved = location != canonical(before.location)
    if not problem and not moved and signature(after) == signature(before) and not shows_links(before, after):
        problem = "nothing new"
    if problem:
        return Result(key=unit.key, kind="poke", actions=actions, problem=problem)
    page_id = location if moved else f"{unit.page}§{fingerprint(unit.click.target, 6)}"
    page = Page(id=page_id, location=location, state_key="", observation=slim(after))
    return Result(
        key=unit.key,
        kind="poke",
        actions=actions,
        page=page,
        transition=click_transition(unit.page, unit.click, page_id),
    )


def shows_links(before: Observation, after: Observation) -> bool:
    """Whether the click brought links into sight that lead to other places: a menu was unfolded."""
    known = {e.leads_to for e in before.elements}
    return any(e.role == "link" and e.leads_to.startswith("/") and e.leads_to not in known for e in after.elements)


def click_transition(source: str, click: Click, target: str, observed: bool = True) -> Transition:
    """An edge of the UI graph."""
    return Transition(
        id=fingerprint([source, click.model_dump(mode="json"), target], 12),
        source=source,
        action=click,
        target=target,
        status="observed" if observed else "inferred",
    )


def _unusable(seen: Observation) -> str:
    if seen.status is not None and seen.status >= 400:
        return f"status {seen.status}"
    if not seen.location.startswith("/"):
        return f"left the application for {seen.location[:80]}"
    return "" if seen.elements else "nothing to see"


def slim(seen: Observation) -> Observation:
    """What is worth keeping of a page: no handles, no bounds, the beginning of the text."""
    elements = tuple(e.model_copy(update={"ref": "", "box": None}) for e in seen.elements)
    return seen.model_copy(update={"elements": elements, "text": seen.text[:TEXT_KEPT]})
