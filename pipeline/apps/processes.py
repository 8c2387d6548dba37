"""Child processes: started in a session of their own, tagged with their owner, ended by their own id.

A tag stands in the child's environment, where its own children inherit it; ``sweep`` reads it to end what a killed
owner left behind. Refuses to touch a process without our tag, of another root, or of an owner that still lives.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from pipeline.errors import AppFault, ProfileError

TAG, ROOT, OWNER_PID, OWNER_STARTED = (
    "TASKSIEVE_RUN",
    "TASKSIEVE_ROOT",
    "TASKSIEVE_OWNER_PID",
    "TASKSIEVE_OWNER_STARTED",
)
GRACE = 3.0
"""Seconds between asking a process to end and ending it."""
_KEPT = ("PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "LD_LIBRARY_PATH", "DOCKER_HOST", "XDG_RUNTIME_DIR")
"""What an application inherits of our environment. API keys and other secrets of ours are none of its business."""


@dataclass(frozen=True)
class Owner:
    """Who answers for children: one process of ours, working in one root directory."""

    root: str
    """Absolute path; a sweep of this root ends only children tagged with it."""
    tag: str
    pid: int
    started: str
    """When the process started, in the system's own ticks, so that a reused id is not taken for it."""

    @classmethod
    def here(cls, root: Path, tag: str = "") -> Owner:
        """The running process as owner; without a tag, one is made."""
        pid = os.getpid()
        return cls(str(root.resolve()), tag or secrets.token_hex(6), pid, started_at(pid))


def child_environment(owner: Owner) -> dict[str, str]:
    """Variables that tag a child; add them to its environment."""
    return {TAG: owner.tag, ROOT: owner.root, OWNER_PID: str(owner.pid), OWNER_STARTED: owner.started}


def application_environment(owner: Owner, timezone: str) -> dict[str, str]:
    """Environment of an application: little of ours, a fixed locale and time zone, and the tag."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    fixed = {"TZ": timezone, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    # Fixed so that the order of sets, and with it pages and seeds, is the same each time.
    fixed |= {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
    return kept | fixed | child_environment(owner)


def lease_holds(lease: str) -> bool:
    """Whether the process that took a lease, told as ``pid:start``, still runs."""
    pid, _, started = lease.partition(":")
    return pid.isdigit() and bool(started) and started_at(int(pid)) == started


def started_at(pid: int) -> str:
    """Start of a process as text that never changes while it lives; empty when there is no such process."""
    try:
        # Field 22 of stat counts ticks since boot; psutil's time moves when the system's clock is set.
        stat = Path(f"/proc/{pid}/stat").read_text()
        return stat.rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    try:
        return str(psutil.Process(pid).create_time())
    except psutil.Error:
        return ""


@dataclass
class Child:
    """One running child and its log."""

    process: subprocess.Popen[bytes]
    log: Path
    command: tuple[str, ...] = field(default=())

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def alive(self) -> bool:
        """True while the first process runs."""
        return self.process.poll() is None

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative for a signal."""
        return self.process.poll()

    def last_line(self) -> str:
        """Last line of the log that says something, at most 300 characters."""
        return last_line(self.log)

    async def wait(self, deadline: float) -> int:
        """Exit code, within ``deadline`` seconds; ended and ``AppFault`` when it takes longer."""
        until = time.monotonic() + deadline
        while (code := self.process.poll()) is None:
            if time.monotonic() > until:
                await self.end()
                said = f"; last line of its log: {line}" if (line := self.last_line()) else " and logged nothing."
                raise AppFault(f"{self.command[0]!r} did not finish within {deadline:g} s{said}")
            await asyncio.sleep(0.01)
        return code

    async def end(self, grace: float = GRACE) -> None:
        """End the whole group: ask, wait ``grace`` seconds, then force; idempotent."""
        if self.process.poll() is not None:
            return
        # Listed before the leader goes, while they can still be told to be its children.
        family = _with_children(self.pid)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGTERM)
        if not await self._gone(grace):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            await self._gone(GRACE)
        for process in family:
            _kill(process)

    async def _gone(self, seconds: float) -> bool:
        until = time.monotonic() + seconds
        while self.process.poll() is None:
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.005)
        return True


def start_child(command: Sequence[str], env: Mapping[str, str], log: Path, cwd: Path) -> Child:
    """Start a program in its own session; output is appended to ``log``.

    Raises:
        ProfileError: there is no such program, or it may not be run.
    """
    wanted = tuple(command)
    # Looked up first, because a wrapper that cannot run it would report that as the program's own failure.
    if shutil.which(wanted[0], path=env.get("PATH")) is None:
        raise ProfileError(f"The command {wanted[0]!r} cannot be run: there is no such program.")
    try:
        with log.open("ab") as output:
            process = subprocess.Popen(
                [*_dies_with_parent(), *wanted],
                env=dict(env),
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
    except (FileNotFoundError, PermissionError) as error:
        raise ProfileError(f"The command {wanted[0]!r} cannot be run: {error.strerror}.") from error
    return Child(process, log, wanted)


def last_line(log: Path) -> str:
    """Last line of a log that says something, at most 300 characters; empty when there is none."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - 8192))
            tail = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    lines = [line.strip() for line in tail.splitlines() if any(map(str.isalnum, line))]  # a rule says nothing
    return lines[-1][:300] if lines else ""


@dataclass(frozen=True)
class Sweep:
    """What a sweep ended."""

    ended: tuple[int, ...] = ()
    """Process ids."""


def sweep(owner_root: Path, grace: float = GRACE) -> Sweep:
    """End processes that are tagged with this root and whose owner is dead; blocks for some seconds at most."""
    root = str(owner_root.resolve())
    ended: set[int] = set()
    # Looked for again, because a process that has only just started shows no environment yet.
    for _ in range(3):
        tagged = [process for process in _tagged(root) if process.pid != os.getpid()]
        if not tagged:
            break
        # What was started by a process of ours is ours, whether it shows its tag yet or not.
        left = list({child.pid: child for process in tagged for child in _with_children(process.pid)}.values())
        ended |= {process.pid for process in left}
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.terminate()
        _, alive = psutil.wait_procs(left, timeout=grace)
        for process in alive:
            _kill(process)
        psutil.wait_procs(alive, timeout=grace)
    return Sweep(tuple(sorted(ended)))


def left_over(owner_root: Path) -> tuple[int, ...]:
    """Ids of processes that a sweep of this root would end."""
    return tuple(sorted(process.pid for process in _tagged(str(owner_root.resolve()))))


def _tagged(root: str) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        try:
            env = process.environ()
            if env.get(ROOT) != root or not env.get(TAG) or process.status() == psutil.STATUS_ZOMBIE:
                continue
        except (psutil.Error, OSError):  # another user's, or gone meanwhile
            continue
        if not _owner_lives(env):
            yield process


def _owner_lives(env: Mapping[str, str]) -> bool:
    pid = env.get(OWNER_PID, "")
    if not pid.isdigit():
        return True  # a tag we did not write: not ours to judge
    return started_at(int(pid)) == env.get(OWNER_STARTED) and not _is_zombie(int(pid))


def _is_zombie(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _with_children(pid: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def _kill(process: psutil.Process) -> None:
    with contextlib.suppress(psutil.Error):  # psutil compares start times, so a reused id is never hit
        process.kill()


def _dies_with_parent() -> tuple[str, ...]:
    """Where the system can, the child is ended by the kernel as soon as its owner dies; elsewhere sweeping does it."""
    program = shutil.which("setpriv") if sys.platform == "linux" else None
    return (program, "--pdeathsig", "KILL", "--") if program else ()
