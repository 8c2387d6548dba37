"""Standard streams that are full, closed, broken or narrow: one sentence or silence, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMANDS = [("tasks",), ("tasks", "--json"), ("--help",)]


def run(arguments: tuple[str, ...], redirection: str, here: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """The command line in a shell that redirects its streams; arguments of ours hold nothing a shell would read."""
    line = f'"{sys.executable}" -c "from pipeline.cli.main import main; main()" {" ".join(arguments)} {redirection}'
    return subprocess.run(
        ["sh", "-c", line], cwd=here, env=os.environ | environ, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_full_standard_output_is_told_in_one_sentence(arguments, here, catalogue):
    done = run(arguments, ">/dev/full", here)
    assert done.returncode == 1
    assert done.stderr == "The result could not be written to standard output: No space left on device.\n"


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_closed_standard_output_breaks_nothing(arguments, here, catalogue):
    done = run(arguments, ">&-", here)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("redirection", ["2>/dev/full", "2>&-"])
def test_a_mistake_keeps_its_exit_code_where_nobody_can_be_told(redirection, here):
    assert run(("report", "gone"), redirection, here).returncode == 2


def test_progress_that_cannot_be_told_does_not_end_the_work(here):
    code = """
from pipeline.cli.console import display, note
from pipeline.domain.progress import Progress
note("something")
with display(lambda: 0.0) as sink:
    sink(Progress(phase="start", message="starting"))
print("done")
"""
    done = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -c "$CODE" 2>/dev/full'],
        env=os.environ | {"CODE": code},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, "done\n")


def test_a_reader_that_goes_is_no_news(here, catalogue):
    done = run(("tasks",), "| true; wait", here)
    assert done.stderr == ""


def test_json_is_json_in_any_encoding(here, catalogue):
    done = run(("tasks", "--json"), "", here, PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert json.loads(done.stdout)["tasks"]
    assert done.stdout.isascii()


def test_a_folder_that_is_gone_is_told_in_one_sentence(here):
    gone = here / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", f'rmdir "{gone}"; "{sys.executable}" -c "from pipeline.cli.main import main; main()" doctor'],
        cwd=gone,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr == "The current folder is gone; change to another one and try again.\n"
