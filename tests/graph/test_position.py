"""The conductor's own memory stays small, and nothing in it blocks the loop."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any, get_type_hints

import aiosqlite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from running import Ran

from pipeline.domain.progress import Progress
from pipeline.graph import nodes
from pipeline.graph.build import build
from pipeline.graph.state import RunState
from storage.rundir import RunDirectory

STRICT = JsonPlusSerializer(allowed_msgpack_modules=None)


def test_nodes_and_routers_are_coroutine_functions() -> None:
    """A plain function would run in a thread, where a kill loses what it did."""
    own = [f for _, f in inspect.getmembers(nodes, inspect.isfunction) if f.__module__ == nodes.__name__]
    public = [f for f in own if not f.__name__.startswith("_")]
    assert len(public) == 7 and all(inspect.iscoroutinefunction(f) for f in public)


def test_every_node_and_router_is_in_the_graph() -> None:
    graph = build(None).builder
    routers = {name for branches in graph.branches.values() for name in branches}
    assert set(graph.nodes) == {"explore", "draft", "prove", "settle"}
    assert routers == {"after_looking", "after_drafting", "after_settling"}


def test_the_state_holds_ids_and_counters_only() -> None:
    assert set(get_type_hints(RunState).values()) <= {str, int}


def test_the_state_survives_a_strict_serializer() -> None:
    state: RunState = {
        "run": "r" * 100, "exploration": "e" * 64, "drafted": 10**9, "accepted": 10**9, "chunks": 10**9,
        "stopped_by": "interrupted",
    }  # fmt: skip
    kind, data = STRICT.dumps_typed(state)
    assert STRICT.loads_typed((kind, data)) == state
    assert len(data) < 10_000


def test_a_finished_run_leaves_no_position(whole: Ran) -> None:
    file = RunDirectory(whole.config.runs, "one").checkpoints
    assert file.stat().st_size < 200_000


async def test_the_position_of_a_stopped_run_is_small(run_desk) -> None:
    """F8: with every chunk the state is written again, so it must hold nothing that grows."""
    stop = asyncio.Event()

    def stop_after_two_chunks(event: Progress, /, **fields: Any) -> None:
        if fields.get("settled") and event.done + event.counts.get("rejected", 0) >= 2:
            stop.set()

    ran = await run_desk(stop_after_two_chunks, stop, settings={"chunk": 1}, operations=("navigate", "search"))
    assert ran.info.stopped_by == "interrupted"
    file = RunDirectory(ran.config.runs, "one").checkpoints
    assert file.stat().st_size < 200_000
    async with aiosqlite.connect(file) as connection:
        saved = await AsyncSqliteSaver(connection, serde=STRICT).aget_tuple({"configurable": {"thread_id": "one"}})
    assert saved is not None
    values = saved.checkpoint["channel_values"]
    assert (values["run"], values["stopped_by"], values["accepted"]) == ("one", "interrupted", len(ran.tasks))
    assert len(STRICT.dumps_typed(values)[1]) < 10_000
