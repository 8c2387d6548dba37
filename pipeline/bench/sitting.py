"""One sitting of a run in a process of its own: started, killed at a moment or waited for, and what it left behind.

Ends only processes below the one it started, and those that carry the bench's own cache directory as their tag.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from pipeline.apps.processes import ROOT
from pipeline.errors import RunFault

Aim = Literal["everything", "parent"]
"""What a kill hits: the run with browser and application, or the run alone, whose children then have to be swept."""


@dataclass(frozen=True)
class Desk:
    """Where the sittings of one run happen; every path is absolute."""

    folder: Path
    home: Path
    """Cache that no other process of the machine uses: its name tags our processes."""

    @property
    def catalogue(self) -> Path:
        """The run's own catalogue."""
        return self.folder / "catalogue.db"

    def environment(self) -> dict[str, str]:
        """Our environment, turned to this desk."""
        own = {"RUNS": self.folder, "CATALOGUE": self.catalogue, "HOME": self.home}
        return {**os.environ, **{f"TASKSIEVE_{name}": str(path) for name, path in own.items()}}


async def to_the_end(command: Sequence[str], desk: Desk, deadline: float) -> int:
    """Exit code of an undisturbed sitting.

    Raises:
        RunFault: it takes longer than ``deadline`` seconds, or ends by a mistake or a fault of its own.
    """
    async with _started(command, desk) as process:
        try:
            async with asyncio.timeout(deadline):
                code = await process.wait()
        except TimeoutError:
            raise RunFault(f"A sitting did not end within {deadline:.0f} s; see {_log(desk)}.") from None
    if code not in (0, 1):
        raise RunFault(f"A sitting ended with exit code {code}; see {_log(desk)}.")
    return code


async def killed_after(seconds: float, command: Sequence[str], desk: Desk, aim: Aim) -> bool:
    """Whether it still ran when the kill came."""
    async with _started(command, desk) as process:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await process.wait()
                return False
        family = _family(process.pid)
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        if aim == "everything":
            end([*family, *tagged(desk.home)])
        await process.wait()
    return True


def tagged(home: Path) -> list[psutil.Process]:
    """Living processes that were started below this cache directory."""
    return [p for p in psutil.process_iter() if _carries(p, str(home.resolve()))]


def end(processes: Sequence[psutil.Process]) -> None:
    """Kill them and wait until they are gone."""
    for process in processes:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(processes, timeout=5)


@asynccontextmanager
async def _started(command: Sequence[str], desk: Desk) -> AsyncIterator[asyncio.subprocess.Process]:
    desk.folder.mkdir(parents=True, exist_ok=True)
    with _log(desk).open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *command,
            env=desk.environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.returncode is None:
                end(_family(process.pid))
                await process.wait()


def _log(desk: Desk) -> Path:
    return desk.folder / "sittings.log"


def _family(pid: int) -> list[psutil.Process]:
    with suppress(psutil.Error):
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    return []


def _carries(process: psutil.Process, root: str) -> bool:
    try:
        return process.environ().get(ROOT) == root and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False
