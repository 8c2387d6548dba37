"""Tasks of a finished run, proven again: on the same application, a day later, and on one that changed."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from desk_app import Conduct
from running import Ran

from pipeline.config import RunConfig
from pipeline.domain.draft import Task
from pipeline.domain.progress import Progress, nowhere
from pipeline.errors import UserError
from pipeline.stages.opening import open_store
from pipeline.stages.replay import replay_task
from pipeline.stages.verify import Moved, Verified, Which, asked_for, verify_tasks

Verify = Callable[..., Awaitable[tuple[Verified, list[Task]]]]
DAY = Moved("+1d", timedelta(days=1))
ALL = Which()


@pytest.fixture
def verify(whole: Ran, tmp_path: Path) -> Verify:
    """Verify the tasks of a copy of the whole run's catalogue; returns the figures and the tasks afterwards."""
    shutil.copy(whole.config.catalogue, tmp_path / "catalogue.db")
    config: RunConfig = whole.config.model_copy(
        update={"catalogue": str(tmp_path / "catalogue.db"), "runs": tmp_path, "workers": 2, "max_attempts": 1}
    )

    async def run(
        which: Which = ALL, moved: Moved = DAY, stop: asyncio.Event | None = None, sink: Any = nowhere
    ) -> tuple[Verified, list[Task]]:
        async with await open_store(config) as store:
            found = await verify_tasks(config, store, which, moved, sink, stop or asyncio.Event())
            return found, await store.tasks(retired=None)

    return run


async def test_all_tasks_hold_a_day_later(verify: Verify) -> None:
    found, tasks = await verify()
    assert (found.tasks, found.passed, found.failed, found.unscored) == (6, 6, 0, 0)
    assert {t.retired for t in tasks} == {""}


async def test_what_only_another_week_changes_by_looking_lets_no_task_fall(verify: Verify, whole: Ran) -> None:
    found, _ = await verify(Which(ids=(whole.tasks[0].id,)), Moved("+8d", timedelta(days=8)))
    assert (found.tasks, found.passed, found.by_reason) == (1, 1, {})


async def test_what_the_application_no_longer_does_is_retired_and_told_with_its_step(
    verify: Verify, conduct: Conduct, whole: Ran
) -> None:
    conduct.order("status 404 POST *")
    found, tasks = await verify(moved=Moved())
    changing = {t.id for t in whole.tasks if t.draft.evaluator.changes_state}
    assert {t.id for t in tasks if t.retired} == {f.id for f in found.fallen} == changing
    assert found.failed == sum(found.by_reason.values()) == len(changing) and found.passed == 6 - len(changing)


async def test_a_task_that_is_named_twice_is_verified_once(whole: Ran) -> None:
    first, second, *_ = [t.id for t in whole.tasks]
    async with await open_store(whole.config) as store:
        asked = await asked_for(store, Which(ids=(first, first[:10], second)))
    assert [t.id for t in asked] == [first, second]


async def test_a_run_that_there_is_not_is_no_run_without_tasks(verify: Verify) -> None:
    with pytest.raises(UserError, match="elsewhere"):
        await verify(Which(run="elsewhere"))


async def test_a_broken_application_retires_nothing(verify: Verify, conduct: Conduct) -> None:
    conduct.order("die POST *")
    found, tasks = await verify()
    assert found.failed == 0 and found.unscored > 0
    assert {t.retired for t in tasks} == {""}


async def test_a_passing_error_of_the_server_retires_nothing(verify: Verify, conduct: Conduct, whole: Ran) -> None:
    """It meets the last step of the oracle's first run."""
    single = [t for t in whole.tasks if t.draft.goal.shape == "single"]
    task = next(t for t in single if t.draft.evaluator.changes_state)
    conduct.order("once status 500 POST *")
    found, tasks = await verify(Which(ids=(task.id,)), Moved())
    assert (found.failed, found.unscored, conduct.waiting) == (0, 1, 0)
    assert {t.retired for t in tasks} == {""}


async def test_a_replay_that_the_server_broke_is_done_again_and_says_so(whole: Ran, conduct: Conduct) -> None:
    task = next(t for t in whole.tasks if t.draft.evaluator.changes_state)
    conduct.order("once status 500 POST *")
    replayed = await replay_task(whole.config, task.id, nowhere, headed=False)
    assert (replayed.evaluation.outcome, replayed.runs) == ("passed", 2)
    assert [(f.method, f.status) for f in replayed.server_faults] == [("POST", 500)]


async def test_a_stop_keeps_what_was_verified(verify: Verify) -> None:
    stop = asyncio.Event()

    def after_one(event: Progress, /, **fields: Any) -> None:
        if event.phase == "verify":
            stop.set()

    found, _ = await verify(stop=stop, sink=after_one)
    assert 1 <= found.passed < found.tasks == 6


async def test_without_tasks_there_is_nothing_to_verify(verify: Verify) -> None:
    with pytest.raises(UserError, match="holds no tasks of 'other'"):
        await verify(Which(app="other"))
