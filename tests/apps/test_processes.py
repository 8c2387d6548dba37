"""Processes: nothing is left behind, and nobody else's process is ever touched."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from pipeline.apps.processes import Owner, child_environment, last_line, left_over, start_child, started_at, sweep
from pipeline.errors import AppFault, ProfileError

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


class Sleepers:
    """Starts sleeping processes with a given tag and ends them by their own id."""

    def __init__(self) -> None:
        self.all: list[subprocess.Popen[bytes]] = []

    def start(self, env: dict[str, str], command: list[str] = SLEEP) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=os.environ | env, start_new_session=True, stdout=subprocess.PIPE)
        self.all.append(process)
        return process


@pytest.fixture
def sleepers() -> Iterator[Sleepers]:
    started = Sleepers()
    yield started
    for process in started.all:
        process.kill()
        process.wait()
        if process.stdout:
            process.stdout.close()


def dead_owner(root: Path) -> Owner:
    """An owner whose process has ended."""
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    owner = Owner(str(root.resolve()), "run-1", process.pid, started_at(process.pid))
    process.wait()
    return owner


def test_a_sweep_ends_only_what_a_dead_owner_of_this_root_left(tmp_path: Path, sleepers: Sleepers) -> None:
    dead = dead_owner(tmp_path)
    left = sleepers.start(child_environment(dead))
    living = sleepers.start(child_environment(Owner.here(tmp_path)))
    elsewhere = sleepers.start(child_environment(dead_owner(tmp_path / "other")))
    stranger = sleepers.start({})
    assert left_over(tmp_path) == (left.pid,)
    assert sweep(tmp_path).ended == (left.pid,)
    assert left.wait(5) is not None
    assert [process.poll() for process in (living, elsewhere, stranger)] == [None, None, None]
    assert left_over(tmp_path) == ()


def test_an_owner_id_that_was_given_to_another_process_counts_as_dead(tmp_path: Path, sleepers: Sleepers) -> None:
    reused = replace(Owner.here(tmp_path), started="1")
    left = sleepers.start(child_environment(reused))
    assert sweep(tmp_path).ended == (left.pid,)


def test_children_of_a_left_over_process_are_swept_with_it(tmp_path: Path, sleepers: Sleepers) -> None:
    forks = "import subprocess,sys,time; p=subprocess.Popen([sys.executable,'-c','import time; time.sleep(60)']); "
    forks += "print(p.pid, flush=True); time.sleep(60)"
    parent = sleepers.start(child_environment(dead_owner(tmp_path)), [sys.executable, "-c", forks])
    assert parent.stdout
    child = int(parent.stdout.readline())
    assert parent.pid in sweep(tmp_path).ended
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_what_ignores_the_request_to_end_is_forced(tmp_path: Path, sleepers: Sleepers) -> None:
    stubborn = "import signal,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
    left = sleepers.start(child_environment(dead_owner(tmp_path)), [sys.executable, "-c", stubborn])
    assert left.stdout
    left.stdout.readline()
    sweep(tmp_path, grace=0.2)
    assert left.wait(5) is not None


async def test_ending_a_child_ends_its_whole_group(tmp_path: Path) -> None:
    forks = "import subprocess,sys,time; p=subprocess.Popen([sys.executable,'-c','import time; time.sleep(60)']); "
    forks += "print(p.pid, flush=True); time.sleep(60)"
    env = os.environ | child_environment(Owner.here(tmp_path))
    child = start_child([sys.executable, "-c", forks], env, tmp_path / "log", tmp_path)
    while not (line := last_line(tmp_path / "log")):
        await asyncio.sleep(0.02)
    await child.end()
    assert not child.alive
    grandchild = int(line)
    for _ in range(100):
        if not psutil.pid_exists(grandchild) or psutil.Process(grandchild).status() == psutil.STATUS_ZOMBIE:
            break
        await asyncio.sleep(0.02)
    else:
        pytest.fail("the grandchild lives on")
    await child.end()


async def test_a_child_does_not_outlive_an_owner_that_was_killed(tmp_path: Path) -> None:
    """By the kernel where it can, by the next start's sweep in any case."""
    script = f"""
import os, sys, time
from pathlib import Path
from pipeline.apps.processes import Owner, child_environment, start_child
root = Path({str(tmp_path)!r})
env = dict(os.environ) | child_environment(Owner.here(root))
print(start_child({SLEEP!r}, env, root / "log", root).pid, flush=True)
time.sleep(60)
"""
    owner = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
    assert owner.stdout
    pid = int(owner.stdout.readline())
    owner.stdout.close()
    owner.kill()
    owner.wait()
    sweep(tmp_path)
    for _ in range(100):
        if not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
            return
        await asyncio.sleep(0.02)
    pytest.fail("the child lives on")


async def test_a_command_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    child = start_child(SLEEP, os.environ, tmp_path / "log", tmp_path)
    began = time.monotonic()
    with pytest.raises(AppFault, match=r"did not finish within 0\.2 s"):
        await child.wait(0.2)
    assert not child.alive
    assert time.monotonic() - began < 5


def test_a_program_that_does_not_exist_is_the_user_s_mistake(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="'no-such-program' cannot be run"):
        start_child(["no-such-program"], os.environ, tmp_path / "log", tmp_path)
