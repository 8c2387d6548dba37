"""Explore an application in waves; a wave is saved whole, so that a kill loses one wave and nothing else.

A wave's units are decided before it runs and its results are taken in by position: the number of workers changes how
long it takes and nothing else.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from pipeline.apps.processes import Owner
from pipeline.config import RunConfig
from pipeline.domain.exploration import Exploration, StopReason
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.routes import canonical
from pipeline.domain.state import RowMask
from pipeline.domain.values import fingerprint
from pipeline.errors import AppFault, EnvironmentFault, SessionFault
from pipeline.explorers.assemble import assemble
from pipeline.explorers.carried import Carried
from pipeline.explorers.frontier import next_wave
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.trials import trial
from pipeline.explorers.units import Poke, Result, Trial, Unit, Visit
from pipeline.explorers.visiting import poke, visit
from pipeline.live.pool import Pool, PreparedApp
from pipeline.live.workbench import Workbench
from pipeline.stages.later import NEXT_DAY, masks_after_acting, masks_at, moved, worth_a_look
from pipeline.stages.opening import open_store, work_directory
from pipeline.stages.scenes import known_app
from storage.records import UnitRecord
from storage.store import Store

ATTEMPTS = 2
"""How often a unit is tried when the environment broke under it."""
BROKE = "broke"
SIGNED_OUT = "signed out"
"""How the problem of a unit begins that the environment broke under."""
EXPLORER_VERSION = 17
"""Part of the exploration's identity: raised when explorers see more than before."""


async def explore_app(
    config: RunConfig,
    prepared: PreparedApp,
    sink: Sink,
    stop: asyncio.Event,
    fresh: bool,
    *,
    actions: int,
    seconds: float,
) -> Exploration:
    """Explore with a store and a pool of its own.

    Raises:
        EnvironmentFault: the application cannot be brought to run at all.
    """
    store = await open_store(config)
    owner = Owner.here(config.home)
    try:
        async with Pool(prepared, config.workers, work_directory(config, owner), owner) as pool:
            return await explore(config, pool, store, sink, stop, fresh=fresh, actions=actions, seconds=seconds)
    finally:
        await store.close()


async def explore(
    config: RunConfig,
    pool: Pool,
    store: Store,
    sink: Sink,
    stop: asyncio.Event,
    *,
    fresh: bool,
    actions: int,
    seconds: float,
) -> Exploration:
    """Explore until nothing is left, the budget is used up, or the time is over; what was saved is not done again."""
    prepared = pool.prepared
    settings = fingerprint([EXPLORER_VERSION, config.wave, actions, float(seconds)])
    template_hash = prepared.template.template_hash
    id = await store.begin_exploration(prepared.profile.name, template_hash, settings, fresh=fresh)
    finished = await store.exploration(id)
    if finished is not None:
        return finished
    known = Knowledge(home=canonical(prepared.profile.home))
    saved = await store.units(id)
    known.add([Result.model_validate(u.result) for u in saved])
    budget = Budget(actions, time.monotonic() + seconds if seconds else math.inf)
    wave = len({u.wave for u in saved})
    carried = None if fresh else await _carried(store, prepared, settings)
    may_change = prepared.profile.disposable and prepared.profile.resettable
    while not (stopped := budget.reached(known, stop)):
        units = next_wave(known, config.wave, actions, may_change)
        if not units:
            stopped = "frontier"
            break
        results = await _run_wave(config, pool, known, units, carried)
        await _refuse_a_dead_place(pool, known, results)
        await _save(store, id, wave, results)
        known.add(results)
        wave += 1
        _report(sink, known, actions)
    people = prepared.profile.user_names
    exploration = assemble(known, prepared.profile.name, template_hash, prepared.template.snapshot, people, stopped)
    exploration = exploration.model_copy(update={"id": id})
    if stopped != "interrupted":
        exploration = await _after_acting(pool, exploration, sink)
        exploration = await _a_day_later(config, prepared, exploration, sink)
        await store.finish_exploration(id, exploration)
    return exploration


async def _after_acting(pool: Pool, found: Exploration, sink: Sink) -> Exploration:
    """The exploration with masks for what looking around changes after something was done."""
    sink(Progress(phase="learn", message="looking around after something was done"))
    try:
        masks = await masks_after_acting(pool, known_app(pool.prepared, found), worth_a_look(found.pages))
    except EnvironmentFault as fault:
        sink(Progress(phase="learn", message=f"what looking changes then is not known: {fault}"))
        return found
    return _with_masks(found, masks)


def _with_masks(found: Exploration, masks: Sequence[RowMask]) -> Exploration:
    return found.model_copy(update={"masks": (*found.masks, *(m for m in masks if m not in found.masks))})


async def _a_day_later(config: RunConfig, prepared: PreparedApp, found: Exploration, sink: Sink) -> Exploration:
    """The exploration with masks for what looking changes on the next day, so that its tasks hold then."""
    later = moved(prepared, NEXT_DAY)
    if later is prepared:
        return found
    sink(Progress(phase="learn", message="looking again a day later"))
    owner = Owner.here(config.home)
    try:
        masks = await masks_at(later, worth_a_look(found.pages), work_directory(config, owner) / "later", owner)
    except EnvironmentFault as fault:
        sink(Progress(phase="learn", message=f"what another day changes is not known: {fault}"))
        return found
    return _with_masks(found, masks)


@dataclass(frozen=True)
class Budget:
    """When exploring ends."""

    actions: int
    deadline: float
    """Monotonic seconds."""

    def reached(self, known: Knowledge, stop: asyncio.Event) -> StopReason:
        """Why to end now; empty while there is no reason."""
        if stop.is_set():
            return "interrupted"
        if time.monotonic() > self.deadline:
            return "time"
        return "budget" if known.actions >= self.actions else ""


async def _carried(store: Store, prepared: PreparedApp, settings: str) -> Carried | None:
    """The latest finished exploration of the same kind on another version or other data; None where there is none."""
    of_app = await store.explorations(prepared.profile.name)
    others = [e for e in of_app if e.finished and e.settings_hash == settings]
    earlier = [e for e in others if e.template_hash != prepared.template.template_hash]
    if not earlier:
        return None
    results = [Result.model_validate(u.result) for u in await store.units(earlier[-1].id)]
    return Carried.of(results, canonical(prepared.profile.home), prepared.template.snapshot)


async def _run_wave(
    config: RunConfig, pool: Pool, known: Knowledge, units: Sequence[Unit], carried: Carried | None
) -> list[Result]:
    async def run(unit: Unit) -> Result:
        held = carried.result(unit, known) if carried else None
        return held or await _run_unit(config, pool, known, unit)

    tasks = [asyncio.create_task(run(unit)) for unit in units]
    try:
        return list(await asyncio.gather(*tasks))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run_unit(config: RunConfig, pool: Pool, known: Knowledge, unit: Unit) -> Result:
    """One unit; a broken environment is tried again on a new bench, then recorded as such.

    A session that ends under both attempts was ended by the unit itself: it is recorded as a sign-out and never done
    again. One that ended under the first alone was ended by the application.
    """
    broken, signed_out = "", 0
    for _ in range(ATTEMPTS):
        try:
            async with pool.bench() as bench:
                return await _do(config, pool, known, unit, bench)
        except SessionFault:
            broken, signed_out = SIGNED_OUT, signed_out + 1
        except EnvironmentFault as fault:
            broken = f"{BROKE}: {fault}"
    return Result(key=unit.key, kind=unit.kind, actions=1, problem=broken[:300], signed_out=signed_out == ATTEMPTS)


async def _do(config: RunConfig, pool: Pool, known: Knowledge, unit: Unit, bench: Workbench) -> Result:
    profile = pool.prepared.profile
    user = next(iter(profile.user_names), "")
    match unit:
        case Visit():
            return await visit(bench, unit, user)
        case Poke():
            return await poke(bench, unit, user)
        case Trial():
            today = datetime.fromisoformat(profile.clock.instant).date() if profile.clock else date(2026, 1, 5)
            return await trial(bench, unit, user, profile.name, tuple(known.masks), today)


async def _refuse_a_dead_place(pool: Pool, known: Knowledge, results: Sequence[Result]) -> None:
    """Where nothing of a wave could be done, look whether anything can: a page may be at fault, or all there is.

    Raises:
        EnvironmentFault: application or browser are gone; what was tried is not kept, so that it is tried again.
    """
    if not all(r.problem.startswith((BROKE, SIGNED_OUT)) for r in results):
        return
    await pool.prove_alive()
    if not known.pages:
        name = pool.prepared.profile.name
        raise AppFault(f"{name}: nothing can be explored, since its start place {results[0].problem}.")


async def _save(store: Store, id: str, wave: int, results: Sequence[Result]) -> None:
    records = [
        UnitRecord(key=r.key, kind=r.kind, wave=wave, position=i, actions=r.actions, result=r.model_dump(mode="json"))
        for i, r in enumerate(results)
    ]
    pages = [r.page for r in results if r.page is not None]
    transitions = [r.transition for r in results if r.transition is not None]
    await store.save_wave(id, wave, records, pages, transitions)


def _report(sink: Sink, known: Knowledge, actions: int) -> None:
    counts = {
        "pages": len(known.pages),
        "routes": len(known.by_route()),
        "forms": len(known.forms),
        "features": len(known.features),
    }
    sink(Progress(phase="explore", message="exploring", done=min(known.actions, actions), total=actions, counts=counts))
