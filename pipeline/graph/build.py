"""The run as a graph; the block of edges at the end is the diagram in the README."""

from __future__ import annotations

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from pipeline.graph import nodes
from pipeline.graph.state import Deps, RunState


def build(checkpointer: BaseCheckpointSaver[str] | None) -> CompiledStateGraph[RunState, Deps, RunState, RunState]:
    """Compile the run."""
    graph = StateGraph(RunState, context_schema=Deps)
    graph.add_node("explore", nodes.look_around)
    graph.add_node("draft", nodes.draft)
    graph.add_node("prove", nodes.prove)
    graph.add_node("settle", nodes.settle)
    graph.add_edge(START, "explore")
    graph.add_conditional_edges("explore", nodes.after_looking, {"draft": "draft", "__end__": END})
    graph.add_conditional_edges("draft", nodes.after_drafting, {"prove": "prove", "__end__": END})
    graph.add_edge("prove", "settle")
    graph.add_conditional_edges("settle", nodes.after_settling, {"draft": "draft", "__end__": END})
    return graph.compile(checkpointer=checkpointer)
