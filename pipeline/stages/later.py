"""What looking changes later, on the next day or after something was done: no change that a task's success depends on.

A task is proven with the clock pinned and has to hold later. Whatever changes by looking later and does not at the
pinned hour is the hour's doing; it becomes a mask of its row and columns. So does what changes when a person looks
around after having done something, to see whether it worked.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

from pipeline.apps.processes import Owner
from pipeline.domain.action import Action
from pipeline.domain.drawing import draw_part
from pipeline.domain.exploration import Page
from pipeline.domain.feature import Feature
from pipeline.domain.known_app import KnownApp
from pipeline.domain.script import DIRECT, part_script
from pipeline.domain.state import RowMask, looking
from pipeline.errors import EnvironmentFault
from pipeline.live.pool import Pool, PreparedApp
from pipeline.stages.scenes import today_of

NEXT_DAY = timedelta(hours=26)
"""Past every threshold of a day, however long the template took to make."""
DEEDS = 4
"""Things that are done before looking around."""
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


async def masks_after_acting(pool: Pool, known: KnownApp, locations: Sequence[str]) -> list[RowMask]:
    """Masks for what looking at these locations changes after something was done, each thing after its own reset.

    Raises:
        EnvironmentFault: the application or the browser broke.
    """
    profile = pool.prepared.profile
    found: list[RowMask] = []
    deeds = _deeds(known, today_of(profile.clock.instant if profile.clock else None)) if profile.resettable else []
    if not deeds or not profile.observable:
        return found
    async with pool.bench() as bench:
        user = next(iter(profile.user_names), "")
        for actions in deeds:
            await bench.fresh(user, profile.home)
            if (await bench.perform(actions, watched=False)).broken_at is not None:
                continue
            before = await bench.state()
            for location in locations:
                await bench.arrive(user, location)
            found += [mask for mask in looking(bench.changes(before, await bench.state())) if mask not in found]
    return found


def _deeds(known: KnownApp, today: date) -> list[tuple[Action, ...]]:
    """One execution of a feature for each of the tables that are changed by most of them."""
    by_table: dict[str, list[Feature]] = defaultdict(list)
    for feature in known.features.values():
        rows = feature.effects.meant
        if rows and feature.operation != "delete" and feature.consequence in ("none", "reversible"):
            by_table[rows[0].table].append(feature)
    found = []
    for features in sorted(by_table.values(), key=len, reverse=True)[:DEEDS]:
        rng = random.Random(features[0].id)
        parts = (draw_part(known, feature, rng, today) for feature in features)
        scripts = (part_script(known, part, DIRECT) for part in parts if part is not None)
        done = next((actions for actions in scripts if actions), None)
        if done:
            found.append(done)
    return found


async def _looking_at(pool: Pool, location: str) -> tuple[RowMask, ...]:
    try:
        return await _look(pool, location)
    except EnvironmentFault:
        return await _look(pool, location)


async def _look(pool: Pool, location: str) -> tuple[RowMask, ...]:
    async with pool.bench() as bench:
        await bench.fresh(next(iter(pool.prepared.profile.user_names), ""), location)
        return looking(bench.changes(bench.start, await bench.state()))
