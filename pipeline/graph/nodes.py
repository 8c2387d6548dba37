"""Nodes of the run: each calls one stage and returns ids and counters. All are async; none retries."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Literal

from langgraph.runtime import Runtime

from pipeline.domain.known_app import KnownApp
from pipeline.domain.progress import Progress
from pipeline.errors import UserError
from pipeline.graph.state import Deps, RunState
from pipeline.stages.draft import draft_chunk
from pipeline.stages.explore import explore
from pipeline.stages.prove import prove_queued
from pipeline.stages.scenes import known_app, scene
from pipeline.stages.settle import settle_chunk

SPACE_NEEDED = 64 * 1024 * 1024
"""Bytes that have to be free before a chunk is begun."""


async def look_around(state: RunState, runtime: Runtime[Deps]) -> RunState:
    """Explore, or take what was explored before; a run that has all it was asked for needs neither."""
    deps = runtime.context
    accepted = len(await deps.store.drafts(deps.request.run, "accepted"))
    if accepted >= deps.request.count:
        return {"accepted": accepted, "stopped_by": "count"}
    deps.directory.ensure_space(SPACE_NEEDED)
    known = await _known(deps)
    if known is None:
        return {"stopped_by": "interrupted"}
    _refuse_unknown(deps.request.features, known)
    return {"stopped_by": ""}


def _refuse_unknown(wanted: Sequence[str], known: KnownApp) -> None:
    """A feature that the application was not seen to have would find nothing for ever.

    Raises:
        UserError: names those that there are.
    """
    nouns = sorted({f.noun for f in known.features.values()})
    names = {*nouns, *known.features}
    for name in wanted:
        if name not in names:
            raise UserError(
                f"No feature of {known.exploration.app} is called {name!r}; its features are about: {', '.join(nouns)}."
            )


async def draft(state: RunState, runtime: Runtime[Deps]) -> RunState:
    """Draft the next chunk."""
    deps = runtime.context
    deps.directory.ensure_space(SPACE_NEEDED)
    known = await _known(deps)
    if known is None:
        return {"drafted": 0, "stopped_by": "interrupted"}
    clock = deps.pool.prepared.profile.clock
    made = await draft_chunk(deps.config, deps.request, deps.store, known, clock.instant if clock else None)
    return {"drafted": made, "chunks": state.get("chunks", 0) + 1}


async def prove(state: RunState, runtime: Runtime[Deps]) -> RunState:
    """Prove the chunk."""
    deps = runtime.context
    known = await _known(deps)
    if known is not None:
        began = time.monotonic()
        accepted = await deps.store.goal_fingerprints(known.exploration.app)
        around = scene(deps.pool.prepared, known, accepted, deps.config.oracle_runs)
        run, attempts = deps.request.run, deps.config.max_attempts
        await prove_queued(run, deps.store, deps.pool, around, deps.sink, deps.over, attempts, deps.request.count)
        deps.seconds["prove"] = deps.seconds.get("prove", 0.0) + time.monotonic() - began
    return {}


async def settle(state: RunState, runtime: Runtime[Deps]) -> RunState:
    """Accept in order; what was not proven yet is left for the next sitting."""
    deps = runtime.context
    accepted, deps.beyond = await settle_chunk(deps.request, deps.store, deps.pool.prepared)
    records = await deps.store.drafts(deps.request.run)
    counts = {"rejected": sum(r.status == "rejected" for r in records)}
    told = Progress(
        phase="prove", message=f"settled{deps.in_vain}", done=accepted, total=deps.request.count, counts=counts
    )
    deps.sink(told, settled=True)
    return {"accepted": accepted, "stopped_by": _reason(deps, accepted, len(records))}


async def after_looking(state: RunState, runtime: Runtime[Deps]) -> Literal["draft", "__end__"]:
    """Nothing is drafted from an interrupted exploration, nor for a count that is met."""
    return "__end__" if state.get("stopped_by") else "draft"


async def after_drafting(state: RunState, runtime: Runtime[Deps]) -> Literal["prove", "__end__"]:
    """Without drafts the application is exhausted."""
    return "prove" if state.get("drafted") else "__end__"


async def after_settling(state: RunState, runtime: Runtime[Deps]) -> Literal["draft", "__end__"]:
    """Until there is a reason to stop."""
    return "__end__" if state.get("stopped_by") else "draft"


def _reason(deps: Deps, accepted: int, drafted: int) -> str:
    if accepted >= deps.request.count:
        return "count"
    if deps.over():
        return "interrupted" if deps.stop.is_set() else "time"
    return "budget" if drafted >= deps.config.max_drafts_factor * deps.request.count + 20 else ""


async def _known(deps: Deps) -> KnownApp | None:
    """The application as explored; None when exploring was interrupted."""
    if deps.known is None:
        began = time.monotonic()
        request = deps.request
        exploration = await explore(
            deps.config,
            deps.pool,
            deps.store,
            deps.sink,
            deps.stop,
            fresh=request.fresh and not request.resume,
            actions=request.explore_actions,
            seconds=request.explore_seconds,
        )
        deps.seconds["explore"] = deps.seconds.get("explore", 0.0) + time.monotonic() - began
        if exploration.stopped_by == "interrupted":
            return None
        deps.known = known_app(deps.pool.prepared, exploration)
        run = await deps.store.run(request.run)
        await deps.store.update_run(request.run, settings={**run.settings, "exploration": exploration.id})
    return deps.known
