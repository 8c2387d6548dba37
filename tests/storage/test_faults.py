"""Kills, full disks, several processes on one file, odd text."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from catalogue_samples import clock, draft, proof, run_info, trajectory

from pipeline.domain.verdict import RunCost
from pipeline.errors import RunFault
from storage import connection
from storage.connection import SqlThread
from storage.store import Store

HERE = Path(__file__).parent
SCRIPT = str(HERE / "writing_process.py")
TABLES = ("runs", "explorations", "units", "pages", "transitions", "features", "states", "drafts", "proofs")
TABLES += ("verdicts", "mutants", "evidence", "trajectories", "steps", "tasks", "task_parts")


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, SCRIPT, *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), str(HERE.parents[1])])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=env, text=True, **pipes)


def finish(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate(timeout=90)
    assert process.returncode == 0, err
    return out.splitlines()


def contents(place: Path) -> dict[str, list[tuple]]:
    """Every row of record, without the integer keys that evidence gets in passing."""
    with contextlib.closing(sqlite3.connect(place)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert raw.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = {table: sorted(raw.execute(f"SELECT * FROM {table}"), key=repr) for table in TABLES}
    rows["evidence"] = sorted((row[1:] for row in rows["evidence"]), key=repr)
    return rows


def without_blobs(rows: dict[str, list[tuple]]) -> dict[str, list[tuple]]:
    """Blobs hold sets, whose order differs between processes; what they mean is compared elsewhere."""
    return {t: [tuple(c for c in row if not isinstance(c, bytes)) for row in found] for t, found in rows.items()}


def test_a_killed_process_leaves_a_whole_catalogue_and_the_next_one_ends_with_the_same_rows(tmp_path):
    """kill -9 at moments spread over the whole work; what was acknowledged is there, and nothing is half there."""
    finish(start("work", tmp_path / "whole.db"))
    expected = without_blobs(contents(tmp_path / "whole.db"))
    place, dice = tmp_path / "killed.db", random.Random(7)
    for lines in (0, 3, 7, 4):
        process = start("work", place)
        said = [process.stdout.readline() for _ in range(lines)]
        time.sleep(dice.uniform(0, 0.02) if lines else 0.9)
        process.kill()
        rest, _ = process.communicate(timeout=30)
        if place.exists() and said:
            check_whole(contents(place), [*said, *rest.splitlines()])
    assert without_blobs(contents(place)) != expected, "the kills came too late to show anything"
    finish(start("work", place))
    assert without_blobs(contents(place)) == expected


def check_whole(rows: dict[str, list[tuple]], said: list[str]) -> None:
    keys = {row[0]: row[2] for row in rows["drafts"]}
    acknowledged = {line.split()[1] for line in said if line.startswith("proved")}
    assert acknowledged <= {keys[row[0]] for row in rows["proofs"]}
    assert len(rows["verdicts"]) == len(rows["mutants"]) == len(rows["evidence"]) - features(rows) == 2 * proofs(rows)
    assert len(rows["steps"]) == 4 * len(rows["trajectories"]) == 4 * proofs(rows)
    assert len(rows["tasks"]) == len(rows["task_parts"]) == sum(row[5] == "accepted" for row in rows["drafts"])


def proofs(rows: dict[str, list[tuple]]) -> int:
    return len(rows["proofs"])


def features(rows: dict[str, list[tuple]]) -> int:
    """Pointers of features: two each."""
    return 2 * len(rows["features"])


def test_two_processes_that_read_before_they_write_do_not_lock_each_other_out(tmp_path):
    """Case F2: with deferred transactions the second writer fails at once, whatever the timeout."""
    place = tmp_path / "c.db"
    both = [start("compete", place, name) for name in ("one", "two")]
    for process in both:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [finish(process) for process in both] == [["done"], ["done"]]
    with contextlib.closing(sqlite3.connect(place)) as raw:
        assert raw.execute("SELECT run, count(*) FROM drafts GROUP BY run").fetchall() == [("one", 60), ("two", 60)]


@pytest.fixture
def tiny_disk(tmp_path):
    """A folder on a file system of 3 MB and no limit, or an ordinary folder and a limit on the size of files."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", place], capture_output=True, timeout=10)
    if mounted.returncode:
        yield place, 1_500_000
        return
    yield place, 0
    subprocess.run(["umount", "-l", place], check=True, timeout=10)


async def test_a_full_disk_is_a_fault_of_the_run_and_loses_nothing(tiny_disk):
    place, limit = tiny_disk
    (reserve := place / "reserve").write_bytes(bytes(500_000))
    said = finish(start("fill", place / "c.db", limit))
    *_, first, again = said
    assert first.startswith("fault The database failed while recording the proof of draft"), said
    assert again.startswith("again The database failed while updating the run"), said
    assert "resume" in first and "resume" in again
    done = [line for line in said if line.startswith("proved")]
    assert len(done) >= 2
    reserve.unlink()
    async with await Store.open(str(place / "c.db"), clock=clock, create=False) as store:
        proved = [r for r in await store.drafts("first") if r.proof is not None]
        assert len(proved) == len(done)
        assert await store.trajectory(proved[-1].draft.id) == trajectory(8, 200 + len(done) - 1)
        await store.record_proof("first", draft(399).id, proof(), trajectory(), cost=RunCost())


async def test_another_process_that_keeps_the_file_is_named_as_the_fault(store, monkeypatch):
    monkeypatch.setattr(connection, "BUSY_S", 0.05)
    with contextlib.closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with await Store.open(str(store.path), clock=clock) as second:
            assert len(await second.runs()) == 1
            with pytest.raises(RunFault, match=r"locked; .*other process"):
                await second.update_run("first", phase="prove")
            other.execute("ROLLBACK")
            await second.update_run("first", phase="prove")


async def test_a_reader_cannot_write(store):
    reader = SqlThread(store.path, "read")
    with pytest.raises(RunFault, match="readonly"):
        await reader.transaction(lambda s: s.connection().exec_driver_sql("DELETE FROM runs"), "trying")
    await reader.close()


async def test_a_catalogue_that_does_not_answer_is_not_waited_for_for_ever(store, monkeypatch):
    monkeypatch.setattr(connection, "DEADLINE_S", 0.05)
    with pytest.raises(RunFault, match="did not answer within"):
        await store._write(lambda s: time.sleep(0.3), "sleeping")


async def test_a_mistake_within_a_transaction_leaves_nothing_of_it(store):
    def work(session):
        session.connection().exec_driver_sql("UPDATE runs SET phase = 'half'")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store._write(work, "failing")
    assert (await store.run("first")).phase == ""
    await store.update_run("first", phase="whole")
    assert (await store.run("first")).phase == "whole"


async def test_half_a_character_anywhere_does_not_kill_a_transaction(store):
    """Case F4: SQLite, JSON and UTF-8 files all refuse lone surrogates."""
    odd = "bad \ud83d\x00 text"
    step = trajectory(1).steps[0]
    seen = step.after.model_copy(update={"title": odd, "notes": (odd,)})
    way = trajectory(1).model_copy(update={"steps": (step.model_copy(update={"after": seen}),), "answer": odd})
    await store.create_run(run_info("odd\udc00").model_copy(update={"settings": {odd: [odd, {"deep": odd}]}}))
    await store.add_drafts("odd\udc00", [draft(0, value=odd).model_copy(update={"instruction": odd})])
    bad = proof("rejected", "x\ud800")
    await store.record_proof("odd\udc00", "d00000", bad, way, cost=RunCost(seconds={"a\ud800": 1}))
    await store.settle("odd\udc00", [], ["d00000"], [], [])
    await store.add_decision("d00000", odd, odd, odd)
    clean = "bad � text"
    assert (await store.run("odd\udc00")).settings == {clean: [clean, {"deep": clean}]}
    (record,) = await store.rejected(reason="x\ud800")
    assert (record.draft.instruction, record.proof.reason, record.run) == (clean, "x�", "odd�")
    stored = await store.trajectory("d00000")
    assert (stored.answer, stored.steps[0].after.title, stored.steps[0].after.notes) == (clean, clean, (clean,))


async def test_a_cancelled_caller_leaves_its_transaction_whole(store):
    waiting = asyncio.ensure_future(store.add_drafts("first", [draft(n) for n in range(50)]))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert len(await store.drafts("first")) in (0, 50)
    await store.add_drafts("first", [draft(n) for n in range(50)])
    assert len(await store.drafts("first")) == 50
