"""``--json``: one object on one line, last on stdout, on success and on failure."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import finished_run as sample
import pytest

from pipeline.apps.processes import started_at
from storage.pictures import PictureStore
from storage.store import Store

TASK = sample.task(sample.draft(0)).id

READING = [
    ("apps",),
    ("runs",),
    ("runs", "prune"),
    ("report", "first"),
    ("tasks", "--run", "first"),
    ("show", TASK),
    ("review", "list"),
    ("review", "show", "d00003"),
    ("export", "jsonl", "out"),
]


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_stdout_is_one_object_on_one_line(arguments, tasksieve, catalogue):
    ran = tasksieve(*arguments, "--json")
    assert ran.code == 0, ran.err
    assert ran.out.count("\n") == 1
    assert isinstance(json.loads(ran.out), dict)


@pytest.mark.parametrize("arguments", READING, ids=" ".join)
def test_people_see_something_without_it(arguments, tasksieve, catalogue):
    ran = tasksieve(*arguments)
    assert ran.code == 0, ran.err
    assert (ran.out + ran.err).strip()
    assert not ran.out.startswith("{")


def test_a_mistake_is_an_object_too(tasksieve):
    ran = tasksieve("report", "gone", "--json")
    assert ran.code == 2
    assert ran.json == {"error": ran.err.strip(), "exit": 2}


def test_report_holds_the_figures(tasksieve, catalogue):
    assert tasksieve("report", "first", "--json").json["accepted"] == 3


def test_tasks_can_be_narrowed_down(tasksieve, catalogue):
    found = tasksieve("tasks", "--operation", "read", "--json").json["tasks"]
    assert [t["operations"] for t in found] == [["read"]]


def test_a_beginning_of_an_id_is_enough(tasksieve, catalogue):
    assert tasksieve("show", TASK[:8], "--json").json["id"] == TASK


def test_a_task_is_shown_with_evaluator_oracle_verdicts_and_mutants(tasksieve, catalogue):
    shown = tasksieve("show", TASK).out
    for words in ("needs looking after", "a row of ticket with", "fill textbox 'Summary'", "well-formed", "no_op"):
        assert words in shown


def test_a_rejected_draft_is_shown_with_reason_and_picture(tasksieve, catalogue, here):
    shown = tasksieve("review", "show", "d00003", "--json").json
    assert shown["reason"] == "already-true"
    assert shown["pictures"] == ["runs/pictures/sha256/ab/" + "c" * 62 + ".jpg"]


def test_review_lists_gate_and_reason(tasksieve, catalogue):
    rejected = tasksieve("review", "list", "--json").json["rejected"]
    assert [(r["id"], r["gate"], r["reason"]) for r in rejected] == [
        ("d00003", "oracle", "already-true"),
        ("d00004", "oracle", "already-true"),
    ]


def test_an_export_of_an_unknown_run_is_a_mistake(tasksieve, catalogue, here):
    assert tasksieve("export", "jsonl", "out", "--run", "gone").code == 2
    assert not (here / "out").exists()


def test_an_export_leaves_out_what_would_leak_a_kept_password_and_fails(tasksieve, catalogue, here):
    kept = here / "cache" / "templates" / "trac" / "key"
    kept.mkdir(parents=True)
    (kept / "passwords.json").write_text(json.dumps({"admin": "Printer"}))
    ran = tasksieve("export", "jsonl", "out", "--json")
    assert ran.code == 1
    assert ran.json["withheld"]
    assert "Printer" not in (here / "out" / "tasks.jsonl").read_text()


def test_pruning_removes_only_what_nothing_refers_to(tasksieve, catalogue, here):
    root = here / "runs" / "pictures" / "sha256" / "ab"
    root.mkdir(parents=True)
    (root / ("c" * 62 + ".jpg")).write_bytes(b"used")
    (root / ("d" * 62 + ".jpg")).write_bytes(b"unused")
    assert tasksieve("runs", "prune", "--json").json["removed"] == 1
    assert [p.name[0] for p in root.iterdir()] == ["c"]


def test_pruning_keeps_what_another_catalogue_beside_it_needs(tasksieve, catalogue, here):
    other = shutil.copy(catalogue, here / "other.db")
    root = here / "runs" / "pictures"
    PictureStore(root).used_by(Path(other))
    (root / "sha256" / "ab").mkdir(parents=True)
    (root / "sha256" / "ab" / ("c" * 62 + ".jpg")).write_bytes(b"used")
    assert tasksieve("runs", "prune", "--catalogue", "new.db").code == 2  # a catalogue that is not there prunes nothing
    catalogue.unlink()
    asyncio.run(_empty_catalogue(catalogue))
    assert tasksieve("runs", "prune", "--json").json == {"removed": 0, "kept": 1, "freed_bytes": 0}


async def _empty_catalogue(path: Path) -> None:
    async with await Store.open(str(path), clock=lambda: datetime(2026, 1, 1, tzinfo=UTC)):
        pass


def test_a_row_of_a_table_is_one_line_where_there_is_no_terminal(tasksieve, catalogue):
    lines = tasksieve("tasks").out.splitlines()
    assert len(lines) == 1 + len(tasksieve("tasks", "--json").json["tasks"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("tasks", "--run", "nowhere"),
        ("tasks", "--app", "nowhere"),
        ("review", "list", "--run", "nowhere"),
        ("review", "list", "--app", "nowhere"),
        ("review", "list", "--reason", "nowhere"),
    ],
    ids=" ".join,
)
def test_a_name_that_the_catalogue_does_not_hold_is_a_mistake(arguments, tasksieve, catalogue):
    ran = tasksieve(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert "'nowhere'" in ran.err


def test_the_version_is_told(tasksieve):
    ran = tasksieve("--version")
    assert (ran.code, ran.out) == (0, f"tasksieve {version('tasksieve')}\n")


@pytest.mark.parametrize(("alive", "phase"), [(False, "interrupted"), (True, "running")])
def test_a_run_whose_process_is_gone_was_interrupted(alive, phase, tasksieve, catalogue):
    """A kill leaves no time to write so."""
    lease = f"{os.getpid()}:{started_at(os.getpid())}" if alive else "4194305:1"

    async def leave_at_work() -> None:
        async with await Store.open(str(catalogue), clock=sample.clock) as store:
            await store.claim_run("first", lease, lambda _: False)
            await store.update_run("first", phase="running", stopped_by="")

    asyncio.run(leave_at_work())
    assert tasksieve("runs", "--json").json["runs"][0]["phase"] == phase
