"""One ``generate``: everything the graph needs is opened here, and closed whatever happens."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from pipeline.apps.processes import Owner, lease_holds
from pipeline.config import GenerateRequest, RunConfig
from pipeline.domain.progress import Progress, Sink
from pipeline.graph.build import build
from pipeline.graph.state import Deps, RunState
from pipeline.live.pool import Pool, PreparedApp
from pipeline.stages.opening import open_store, picture_keeper, work_directory
from pipeline.stages.prepare import prepare_app
from storage.records import RunInfo
from storage.rundir import RunDirectory
from storage.store import Store


async def generate(config: RunConfig, request: GenerateRequest, sink: Sink, stop: asyncio.Event) -> RunInfo:
    """Generate until the count, exhaustion, a budget or a stop; what was done stays, whatever ended it.

    Raises:
        UserError: profile, run name or catalogue cannot be used.
        RunFault: the disk or the catalogue failed.
        EnvironmentFault: the application or the browser cannot be brought to run at all.
    """
    began = time.monotonic()
    prepared = await prepare_app(request.app, config, sink)
    directory = RunDirectory(config.runs, request.run)
    directory.make()
    store = await open_store(config)
    owner = Owner.here(config.home)
    lease = f"{owner.pid}:{owner.started}"
    try:
        await _begin(store, request, prepared)
        await store.claim_run(request.run, lease, lease_holds)
        pool = Pool(prepared, request.workers, work_directory(config, owner), owner, picture_keeper(config))
        deadline = began + request.max_seconds if request.max_seconds else math.inf
        deps = Deps(config, request, store, pool, directory, sink, stop, deadline)
        try:
            async with pool:
                state = await _conduct(deps)
        finally:
            await _account(store, deps, time.monotonic() - began)
        stopped_by = state.get("stopped_by") or "exhausted"
        phase = "interrupted" if stopped_by == "interrupted" else "done"
        await store.update_run(request.run, phase=phase, stopped_by=stopped_by)
        sink(Progress(phase="done", message=f"{stopped_by}{deps.in_vain}", done=state.get("accepted", 0)))
        return await store.run(request.run)
    finally:
        await _let_go(store, request.run, lease)
        await store.close()


async def _let_go(store: Store, run: str, lease: str) -> None:
    if any(known.name == run for known in await store.runs()):
        await store.release_run(run, lease)


async def _begin(store: Store, request: GenerateRequest, prepared: PreparedApp) -> None:
    settings = {
        **request.model_dump(mode="json", exclude={"resume", "fresh"}),
        "template_hash": prepared.template.template_hash,
    }
    if request.resume:
        await store.run(request.run)
        await store.update_run(request.run, phase="running", stopped_by="", count=request.count)
        return
    name = prepared.profile.name
    await store.create_run(
        RunInfo(name=request.run, app=name, seed=request.seed, count=request.count, settings=settings, phase="running")
    )


async def _conduct(deps: Deps) -> RunState:
    """Run the graph; its position is kept in a file of its own, and every node may run again."""
    limit = 8 + 3 * (2 + deps.config.max_drafts_factor * deps.request.count + 20)
    async with _checkpointer(deps.directory) as checkpointer:
        graph = build(checkpointer)
        place = {"configurable": {"thread_id": deps.request.run}, "recursion_limit": limit}
        start: RunState = {"run": deps.request.run, "stopped_by": ""}
        state = await graph.ainvoke(start, place, context=deps, durability="sync")  # type: ignore[call-overload]  # a TypedDict is a plain config
        if state.get("stopped_by") != "interrupted":
            await checkpointer.adelete_thread(deps.request.run)
        return {"stopped_by": state.get("stopped_by", ""), "accepted": state.get("accepted", 0)}


@asynccontextmanager
async def _checkpointer(directory: RunDirectory) -> AsyncIterator[AsyncSqliteSaver]:
    async with aiosqlite.connect(directory.checkpoints) as connection:
        await connection.execute("PRAGMA busy_timeout=30000")
        await connection.execute("PRAGMA synchronous=NORMAL")
        yield AsyncSqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))


async def _account(store: Store, deps: Deps, wall: float) -> None:
    """Add this sitting's seconds and traffic to the run's."""
    info = await store.run(deps.request.run)
    stats = dict(info.stats)
    for key, value in (("blocked", deps.pool.traffic_blocked), ("reached", deps.pool.traffic_reached)):
        stats[key] = stats.get(key, 0) + value
    for what, seconds in deps.pool.seconds.items():
        stats[f"ms_{what}"] = stats.get(f"ms_{what}", 0) + round(1000 * seconds)
    await store.update_run(
        deps.request.run,
        wall_s=info.wall_s + wall,
        explore_s=info.explore_s + deps.seconds.get("explore", 0.0),
        prove_s=info.prove_s + deps.seconds.get("prove", 0.0),
        stats=stats,
    )
