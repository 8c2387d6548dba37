"""Canonical JSON Lines."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import finished_run as sample
import pytest

from pipeline.errors import RunFault, UserError
from pipeline.exports.jsonl import export_jsonl

TASKS = [sample.task(sample.draft(i)) for i in range(3)]


def content(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_the_same_tasks_in_any_order_give_the_same_bytes(tmp_path):
    first = export_jsonl(TASKS, tmp_path / "a")
    second = export_jsonl(reversed(TASKS), tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")
    assert first.sha256 == second.sha256


def test_records_are_in_the_order_of_drafts_and_complete(tmp_path):
    export_jsonl(reversed(TASKS), tmp_path / "a")
    records = [json.loads(line) for line in (tmp_path / "a" / "tasks.jsonl").read_text().splitlines()]
    assert [r["id"] for r in records] == [t.id for t in TASKS]
    assert set(records[0]) == {
        "id", "revision", "app", "instruction", "language", "goal", "start", "evaluator", "oracle", "mutants",
        "verdicts", "consequence", "features", "evidence", "provenance",
    }  # fmt: skip
    assert records[0]["start"] == {"location": "/wiki", "user": "admin"}
    assert records[0]["verdicts"][1] == {"gate": "oracle", "finding": "pass", "reason": ""}


def test_every_field_of_a_record_is_in_the_schema(tmp_path):
    export_jsonl(TASKS, tmp_path / "a")
    schema = json.loads((tmp_path / "a" / "schema.json").read_text())
    record = json.loads((tmp_path / "a" / "tasks.jsonl").read_text().splitlines()[0])
    assert set(record) == set(schema["properties"]) == set(schema["required"])


def test_an_evaluator_can_be_implemented_from_the_schema_alone(tmp_path):
    """Every field of every condition, test and mask is described; a kind is described by its model."""
    export_jsonl(TASKS, tmp_path / "a")
    models = json.loads((tmp_path / "a" / "schema.json").read_text())["$defs"]
    reached, waiting = {}, ["Evaluator"]
    while waiting:
        name = waiting.pop()
        reached[name] = models[name]
        named = re.findall(r'"#/\$defs/(\w+)"', json.dumps(models[name]))
        waiting += [other for other in named if other not in reached]
    assert {"RowCondition", "LocationIs", "Equals", "RowMask"} <= set(reached)
    fields = {f"{n}.{f}": said for n, m in reached.items() for f, said in m["properties"].items() if f != "kind"}
    assert [name for name, said in fields.items() if not said.get("description")] == []
    assert [name for name, model in reached.items() if not model.get("description")] == []
    assert "Further query parts" in fields["LocationIs.query"]["description"]
    assert "3 and '3' are equal under text" in fields["Equals.comparator"]["description"]


def test_a_torn_tail_of_an_earlier_export_is_gone_after_the_next(tmp_path):
    export_jsonl(TASKS[:2], tmp_path / "a")
    with (tmp_path / "a" / "tasks.jsonl").open("a") as out:
        out.write('{"id":"te')
    export_jsonl(TASKS, tmp_path / "a")
    lines = (tmp_path / "a" / "tasks.jsonl").read_text().split("\n")
    assert [json.loads(line)["id"] for line in lines[:-1]] == [t.id for t in TASKS]
    assert lines[-1] == ""


def test_a_full_disk_leaves_the_earlier_export_as_it_was(tmp_path, monkeypatch):
    export_jsonl(TASKS[:1], tmp_path / "a")
    before = content(tmp_path / "a")

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RunFault, match="disk"):
        export_jsonl(TASKS, tmp_path / "a")
    assert content(tmp_path / "a") == before
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("reason", [errno.EROFS, errno.EACCES])
def test_a_place_that_may_not_be_written_is_told_as_such(reason, tmp_path, monkeypatch):
    def closed(**_: object) -> str:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr("tempfile.mkdtemp", closed)
    with pytest.raises(UserError, match=r"'.*/a' cannot be written: .*; give another place"):
        export_jsonl(TASKS, tmp_path / "a")


def test_a_foreign_directory_is_refused_and_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UserError, match=r"mine\.txt"):
        export_jsonl(TASKS, tmp_path)
    assert content(tmp_path) == {"mine.txt": b"mine"}


def test_a_file_in_the_way_is_refused(tmp_path):
    (tmp_path / "a").write_text("mine")
    with pytest.raises(UserError, match="is a file"):
        export_jsonl(TASKS, tmp_path / "a")


def test_a_task_that_holds_a_known_secret_is_left_out_and_named(tmp_path):
    leaking, sound = sample.task(sample.draft(0, value="hunter2-token")), sample.task(sample.draft(1))
    done = export_jsonl([leaking, sound], tmp_path / "a", secrets=["hunter2-token"])
    assert (done.tasks, done.withheld) == (1, (leaking.id,))
    assert not any(b"hunter2" in written for written in content(tmp_path / "a").values())


def test_no_tasks_make_an_empty_export(tmp_path):
    assert export_jsonl([], tmp_path / "a").tasks == 0
    assert (tmp_path / "a" / "tasks.jsonl").read_bytes() == b""


def test_a_lone_surrogate_in_a_value_is_written_as_utf8(tmp_path):
    export_jsonl([sample.task(sample.draft(0, value="odd \ud800 one"))], tmp_path / "a")
    (tmp_path / "a" / "tasks.jsonl").read_bytes().decode("utf-8")
