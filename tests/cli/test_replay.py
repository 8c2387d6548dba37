"""What ``replay`` says of a server that broke meanwhile."""

from __future__ import annotations

import pytest

from pipeline.domain.environment import ServerFault
from pipeline.domain.evaluator import Evaluation
from pipeline.stages import replay
from pipeline.stages.replay import Replayed

FAULT = ServerFault(method="POST", status=500, path="/items/new")


@pytest.fixture
def replayed(tasksieve, monkeypatch):
    """``replayed("--json")`` replays a task of which the first run met a broken server."""

    async def replay_task(config, task_id, sink, headed):
        return Replayed(
            id=task_id, evaluation=Evaluation(outcome="failed", findings=()), runs=2, server_faults=(FAULT,)
        )

    monkeypatch.setattr(replay, "replay_task", replay_task)
    return lambda *more: tasksieve("replay", "t1", *more)


def test_what_the_server_answered_is_said_in_words(replayed):
    said = "The server answered 500 to POST /items/new. It did not pass, and was done once more."
    assert said in " ".join(replayed().err.split())


def test_what_the_server_answered_is_in_the_object(replayed):
    ran = replayed("--json")
    assert (ran.code, ran.json["runs"], ran.json["server_faults"]) == (1, 2, [FAULT.model_dump()])
