"""The product as a person uses it: the command line, the bundled Trac, a real browser, a directory of one's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
import pytest

pytestmark = pytest.mark.e2e

PROGRAM = Path(sys.executable).with_name("tasksieve")
DEADLINE = 600


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The last line of stdout."""
        return json.loads(self.out.splitlines()[-1])


@dataclass(frozen=True)
class Desk:
    """A directory with a run in it."""

    folder: Path
    generated: Ran

    def run(self, *arguments: str) -> Ran:
        return tasksieve(self.folder, *arguments)


def tasksieve(folder: Path, *arguments: str) -> Ran:
    # Installed applications are shared with whoever else uses this cache, so that nothing is downloaded twice.
    home = os.environ.get("TASKSIEVE_HOME") or platformdirs.user_cache_dir("tasksieve")
    # A small chunk proves little more than what is wanted.
    env = {**os.environ, "TASKSIEVE_HOME": home, "TASKSIEVE_CHUNK": "4", "NO_COLOR": "1", "COLUMNS": "120"}
    done = subprocess.run(
        [PROGRAM, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=DEADLINE, check=False
    )
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Four tasks on Trac, generated once for all tests here."""
    folder = tmp_path_factory.mktemp("desk")
    flags = ("--count", "4", "--seed", "7", "--run", "first", "--explore-actions", "80", "--json")
    generated = tasksieve(folder, "generate", "trac", *flags)
    assert generated.code == 0, generated.err[-3000:]
    return Desk(folder, generated)


@pytest.fixture(scope="module")
def tasks(desk: Desk) -> list[dict[str, Any]]:
    listed = desk.run("tasks", "--json").json
    found: list[dict[str, Any]] = listed["tasks"]
    return found


def test_the_wanted_tasks_are_accepted_and_the_report_is_one_line(desk: Desk) -> None:
    report = desk.generated.json
    assert (report["run"], report["app"], report["accepted"], report["stopped_by"]) == ("first", "trac", 4, "count")
    assert len(desk.generated.out.splitlines()) == 1


def test_no_mutant_survived_and_every_oracle_replayed(desk: Desk) -> None:
    report = desk.generated.json
    assert report["mutants"]["survived"] == 0 and report["mutants"]["killed"] >= 8
    kinds = report["mutants"]["by_kind"]
    assert kinds["no_op"]["built"] == kinds["no_op"]["killed"] >= 4
    assert report["exact_replay"]["passed"] >= 3 * 4
    assert report["equal_goals"] == 0


def test_nobody_signed_out_and_nothing_left_the_application(desk: Desk) -> None:
    report = desk.generated.json
    assert (report["sign_outs"], report["off_origin_requests"]) == (0, 0)


def test_progress_goes_to_stderr_and_to_the_runs_log(desk: Desk) -> None:
    assert "prove" in desk.generated.err
    log = (desk.folder / "runs" / "first" / "log.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["phase"] for line in log} >= {"explore", "prove"}


def test_tasks_are_listed_and_shown(desk: Desk, tasks: list[dict[str, Any]]) -> None:
    assert len(tasks) == 4
    shown = desk.run("show", tasks[0]["id"])
    assert shown.code == 0
    assert tasks[0]["instruction"].split("“")[0].strip() in " ".join(shown.out.split())
    whole = desk.run("show", tasks[0]["id"], "--json").json
    assert whole["instruction"] == tasks[0]["instruction"]


def test_the_first_task_is_replayed(desk: Desk, tasks: list[dict[str, Any]]) -> None:
    replayed = desk.run("replay", tasks[0]["id"], "--json")
    assert replayed.code == 0, replayed.err[-3000:]
    assert replayed.json["outcome"] == "passed"


def test_two_exports_are_equal_byte_by_byte(desk: Desk, tasks: list[dict[str, Any]]) -> None:
    files = []
    for name in ("one", "two"):
        assert desk.run("export", "jsonl", name).code == 0
        files.append((desk.folder / name / "tasks.jsonl").read_bytes())
    assert files[0] == files[1]
    assert {json.loads(line)["id"] for line in files[0].splitlines()} == {t["id"] for t in tasks}


def test_the_report_is_the_one_that_generate_gave(desk: Desk) -> None:
    assert desk.run("report", "first", "--json").json == desk.generated.json
    assert "accepted" in desk.run("report", "first").out


def test_a_run_of_the_same_name_is_refused_in_one_sentence(desk: Desk) -> None:
    again = desk.run("generate", "trac", "--run", "first", "--count", "1", "--json")
    assert again.code == 2 and "first" in again.json["error"]
    assert "Traceback" not in again.err
