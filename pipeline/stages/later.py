"""What looking changes at another hour, such as a day's first visit: no change that a task's success depends on.

A task is proven with the clock pinned and has to hold later. Whatever changes by looking later and does not at the
pinned hour is the hour's doing; it becomes a mask of its row and columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from pipeline.apps.processes import Owner
from pipeline.domain.exploration import Page
from pipeline.domain.state import RowMask, diff, looking
from pipeline.errors import EnvironmentFault
from pipeline.live.pool import Pool, PreparedApp

NEXT_DAY = timedelta(hours=26)
"""Past every threshold of a day, however long the template took to make."""
PAGES = 12
"""Pages of different structure that are looked at."""


def moved(prepared: PreparedApp, by: timedelta) -> PreparedApp:
    """The application with its clock moved; the profile has to pin one."""
    clock = prepared.profile.clock
    if clock is None or not by:
        return prepared
    instant = (datetime.fromisoformat(clock.instant) + by).isoformat()
    later = clock.model_copy(update={"instant": instant})
    return replace(prepared, profile=prepared.profile.model_copy(update={"clock": later}))


def worth_a_look(pages: Iterable[Page]) -> Sequence[str]:
    """Locations of pages of different structure, in the order in which they were found."""
    plain = [p for p in pages if "§" not in p.id and "?" not in p.location]
    return list({p.state_key or p.location: p.location for p in reversed(plain)}.values())[::-1][:PAGES]


async def masks_at(prepared: PreparedApp, locations: Sequence[str], workdir: Path, owner: Owner) -> list[RowMask]:
    """Masks for what looking at these locations changes, each after its own reset.

    Raises:
        EnvironmentFault: the application or the browser broke twice at the same place.
    """
    profile = prepared.profile
    found: list[RowMask] = []
    if not (profile.resettable and profile.observable):
        return found
    async with Pool(prepared, 1, workdir, owner) as pool:
        for location in locations:
            found += [mask for mask in await _looking_at(pool, location) if mask not in found]
    return found


async def _looking_at(pool: Pool, location: str) -> tuple[RowMask, ...]:
    try:
        return await _look(pool, location)
    except EnvironmentFault:
        return await _look(pool, location)


async def _look(pool: Pool, location: str) -> tuple[RowMask, ...]:
    async with pool.bench() as bench:
        await bench.fresh(next(iter(pool.prepared.profile.user_names), ""), location)
        return looking(diff(bench.start, await bench.state()))
