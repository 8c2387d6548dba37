"""``generate``: what is asked of the graph, and what its end means for the exit code."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import signal

import finished_run as sample
import pytest

from pipeline.cli import options
from pipeline.domain.progress import Progress
from pipeline.errors import BrowserFault, RunFault
from storage.store import Store


class FakeGraph:
    """Keeps what it was asked for and leaves a finished run with three accepted tasks."""

    def __init__(self) -> None:
        self.asked = []
        self.fault: Exception | None = None
        self.press_ctrl_c = 0

    async def generate(self, config, request, sink, stop):
        self.asked.append(request)
        self.settings = config
        sink(Progress(phase="prove", message="token-of-admin", done=1, total=3), draft="d00000")
        for _ in range(self.press_ctrl_c):
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.05)
        if self.fault:
            raise self.fault
        async with await Store.open(config.catalogue, clock=sample.clock) as store:
            if not request.resume:
                await sample.fill(store, request.run, seed=request.seed, settings=request.model_dump(mode="json"))
            if stop.is_set():
                await store.update_run(request.run, stopped_by="interrupted")
            return await store.run(request.run)


@pytest.fixture
def graph(fake_module):
    fake = FakeGraph()
    fake_module("pipeline.graph.run", generate=fake.generate)
    return fake


def test_reaching_the_count_is_exit_0_and_the_report_is_last(graph, tasksieve):
    ran = tasksieve("generate", "trac", "--count", "3", "--run", "mine", "--json")
    assert ran.code == 0, ran.err
    assert (ran.json["run"], ran.json["accepted"]) == ("mine", 3)


def test_falling_short_of_the_count_is_exit_1_and_said(graph, tasksieve):
    ran = tasksieve("generate", "trac", "--count", "4", "--run", "mine")
    assert ran.code == 1
    assert "3 of 4 tasks" in ran.err
    assert "tasksieve review list --run mine" in ran.out


def test_flags_become_the_request(graph, tasksieve):
    tasksieve(
        *("generate", "trac", "--seed", "11", "--operations", "create, edit", "--features", "ticket", "--workers", "1"),
        *("--explore-actions", "50", "--explore-seconds", "9", "--max-seconds", "60", "--fresh"),
    )
    (asked,) = graph.asked
    assert (asked.app, asked.seed, asked.workers, asked.count) == ("trac", 11, 1, 30)
    assert (asked.operations, asked.features, asked.fresh) == (("create", "edit"), ("ticket",), True)
    assert (asked.explore_actions, asked.explore_seconds, asked.max_seconds) == (50, 9.0, 60.0)


def test_a_run_without_a_name_is_named_after_app_and_time(graph, tasksieve, monkeypatch):
    monkeypatch.setattr("pipeline.cli.asking.now", sample.clock)
    tasksieve("generate", "trac")
    assert graph.asked[0].run == "trac-20260302-100000"


def test_a_taken_name_is_a_mistake_and_nothing_is_run(graph, tasksieve, catalogue):
    ran = tasksieve("generate", "trac", "--run", "first")
    assert ran.code == 2
    assert "--resume first" in ran.err
    assert graph.asked == []


def test_a_resumed_run_keeps_app_seed_and_count(graph, tasksieve, catalogue):
    assert tasksieve("generate", "--resume", "first").code == 0
    (asked,) = graph.asked
    assert (asked.app, asked.run, asked.seed, asked.count, asked.resume) == ("trac", "first", 7, 3, True)


def test_a_resumed_run_explores_as_it_began(graph, tasksieve):
    tasksieve("generate", "trac", "--run", "mine", "--seed", "9", "--explore-actions", "50", "--operations", "create")
    ran = tasksieve("generate", "--resume", "mine", "--operations", "create", "--workers", "1")
    assert ran.code == 0, ran.err
    asked = graph.asked[-1]
    assert (asked.seed, asked.explore_actions, asked.operations, asked.workers) == (9, 50, ("create",), 1)
    assert (graph.settings.seed, graph.settings.explore_actions) == (9, 50)


def test_the_count_of_a_resumed_run_may_be_raised(graph, tasksieve, catalogue):
    assert tasksieve("generate", "--resume", "first", "--count", "5").code == 1
    assert graph.asked[0].count == 5


@pytest.mark.parametrize(
    "flags",
    [("--seed", "8"), ("--run", "second"), ("--operations", "edit"), ("--explore-actions", "9")],
    ids=lambda flags: flags[0],
)
def test_flags_that_contradict_the_resumed_run_are_a_mistake(flags, graph, tasksieve, catalogue):
    assert tasksieve("generate", "--resume", "first", *flags).code == 2
    assert graph.asked == []


def test_a_fault_of_the_run_is_exit_1_and_says_how_to_go_on(graph, tasksieve, catalogue):
    graph.fault = RunFault("The disk is full.")
    ran = tasksieve("generate", "--resume", "first")
    assert ran.code == 1
    assert "The disk is full.\n" in ran.err
    assert "--resume first" in ran.err


def test_a_fault_before_the_run_began_leaves_nothing_to_go_on_with(graph, tasksieve):
    graph.fault = RunFault("The disk is full.")
    ran = tasksieve("generate", "trac", "--run", "mine")
    assert (ran.code, "--resume" in ran.err) == (1, False)


def test_runs_that_cannot_be_written_are_a_mistake_with_nothing_to_go_on_with(graph, tasksieve, monkeypatch):
    def closed(self, **_):
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    monkeypatch.setattr("pathlib.Path.mkdir", closed)
    ran = tasksieve("generate", "trac", "--run", "mine")
    assert (ran.code, graph.asked) == (2, [])
    assert ran.err.startswith("'runs/mine' cannot be written: Read-only file system; ")
    assert "--resume" not in ran.err


def test_ctrl_c_drains_and_is_130_with_the_report(graph, tasksieve):
    graph.press_ctrl_c = 1
    ran = tasksieve("generate", "trac", "--count", "3", "--run", "mine", "--json")
    assert ran.code == 130
    assert ran.json["accepted"] == 3
    assert "--resume mine" in ran.err


def test_a_second_ctrl_c_stops_at_once(graph, tasksieve):
    graph.press_ctrl_c = 2
    ran = tasksieve("generate", "trac", "--run", "mine", "--json")
    assert ran.code == 130
    assert ran.json["exit"] == 130
    assert "--resume mine" in ran.err


def test_a_browser_that_a_signal_took_along_is_an_interruption(graph, tasksieve):
    """As SIGTERM to the whole process group does."""
    graph.press_ctrl_c = 1
    graph.fault = BrowserFault("The browser's driver ended.")
    ran = tasksieve("generate", "trac", "--run", "mine")
    assert ran.code == 130
    assert "--resume mine" in ran.err


def test_the_log_holds_every_event_without_secrets(graph, tasksieve, here, monkeypatch):
    monkeypatch.setattr(options, "now", sample.clock)
    kept = here / "cache" / "templates" / "trac" / "key"
    kept.mkdir(parents=True)
    (kept / "passwords.json").write_text(json.dumps({"admin": "token-of-admin"}))
    tasksieve("generate", "trac", "--run", "mine")
    (record,) = [json.loads(line) for line in (here / "runs" / "mine" / "log.jsonl").read_text().splitlines()]
    assert (record["phase"], record["done"], record["draft"]) == ("prove", 1, "d00000")
    assert record["message"] == "•••"


def test_a_count_that_is_met_already_is_a_mistake_and_leaves_the_run_as_it_was(graph, tasksieve, catalogue):
    ran = tasksieve("generate", "--resume", "first", "--count", "3")
    assert (ran.code, graph.asked) == (2, [])
    assert "3 accepted tasks already" in ran.err


def test_an_empty_name_is_a_mistake(graph, tasksieve):
    assert (tasksieve("generate", "trac", "--run", "").code, graph.asked) == (2, [])


def test_an_empty_catalogue_file_is_filled(graph, tasksieve, here):
    (here / "mine.db").touch()
    ran = tasksieve("generate", "trac", "--run", "mine", "--count", "3", "--catalogue", "mine.db")
    assert ran.code == 0, ran.err


def test_the_command_that_goes_on_names_the_catalogue(graph, tasksieve):
    graph.press_ctrl_c = 1
    ran = tasksieve("generate", "trac", "--run", "mine", "--catalogue", "other place.db")
    assert "--resume mine --catalogue 'other place.db'" in ran.err


@pytest.mark.parametrize("flag", ["--operations", "--features"])
def test_a_list_that_names_nothing_is_refused_and_asks_for_no_everything(flag, graph, tasksieve):
    ran = tasksieve("generate", "trac", flag, " , ")
    assert (ran.code, graph.asked) == (2, [])
    assert "names nothing" in ran.err
