"""The bench on a finished run: every measurement does the real thing and says what it left out."""

from __future__ import annotations

import pytest
from running import Ran

from pipeline.bench.contract import bench_contract
from pipeline.bench.observe import bench_observe
from pipeline.bench.replay import bench_replay
from pipeline.bench.reset import bench_reset
from pipeline.domain.progress import nowhere
from pipeline.errors import UserError


async def test_replays_of_the_product_are_held_against_playwright_alone(whole: Ran) -> None:
    found = await bench_replay(whole.config, "desk", 2, 1, nowhere)
    assert found.tasks + found.left_out == 2 and found.tasks >= 1
    assert found.ratio == pytest.approx(found.product_s / found.plain_s, abs=0.01)


async def test_a_reset_is_held_against_a_restart(whole: Ran) -> None:
    found = await bench_reset(whole.config, "desk", 2, nowhere)
    assert 0 < found.reset_ms < found.restart_ms
    assert found.ratio == pytest.approx(found.reset_ms / found.restart_ms, abs=0.01)


async def test_an_observation_is_held_against_a_snapshot(whole: Ran) -> None:
    found = await bench_observe(whole.config, "desk", 1, 1, nowhere)
    assert found.elements > 5 and found.observe_ms > 0 and found.snapshot_ms > 0


async def test_the_time_of_a_task_is_told_by_gate_and_by_work(whole: Ran) -> None:
    found = await bench_contract(whole.config, "desk", 1, nowhere)
    assert (found.tasks, found.passed) == (1, 1) and found.runs >= 4
    assert sum(found.by_gate.values()) == pytest.approx(found.seconds, abs=0.01)
    assert {"reset", "begin", "act", "observe"} <= set(found.by_work)
    assert sum(found.by_work.values()) <= found.seconds


async def test_without_tasks_nothing_is_measured(whole: Ran) -> None:
    with pytest.raises(UserError, match="holds no tasks of 'other'"):
        await bench_reset(whole.config, "other", 1, nowhere)
