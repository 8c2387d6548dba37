"""What a browser leaves on disk and in the process table, and removing it. Owns our temporary folder.

The driver makes the browser's profile in the system's temporary folder and offers no option for it (changing our own
environment while it starts would reach every child started meanwhile). So the profile is adopted: a link to it lies in
our folder, and whoever removes the folder, be it a later start after a kill, removes what the link names as well.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

_PREFIX = "tasksieve-browser-"
_PROFILE_PREFIX = "playwright_chromiumdev_profile-"
_PROFILE_FLAG = "--user-data-dir="


class TempRoot:
    """One folder for all browsers of one ``SharedBrowser``; named after our process."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))

    def adopt_profiles(self) -> None:
        """Link the profiles of the browsers that run now."""
        for browser in self._browsers():
            profile = _profile_of(browser)
            if profile is not None and not (self.path / f"profile-{profile.name}").is_symlink():
                (self.path / f"profile-{profile.name}").symlink_to(profile)

    def processes(self) -> list[psutil.Process]:
        """The browsers' processes with everything below them."""
        found: dict[int, psutil.Process] = {}  # a distribution's start script stays as the browser's parent
        for browser in self._browsers():
            with suppress(psutil.Error):
                found |= {process.pid: process for process in (browser, *browser.children(recursive=True))}
        return list(found.values())

    def megabytes(self) -> float:
        """Memory of all browsers that is not shared with other processes."""
        return sum(map(_own_megabytes, self.processes()))

    def remove(self) -> None:
        """Remove the folder and the adopted profiles; never raises."""
        _remove(self.path)

    def _browsers(self) -> list[psutil.Process]:
        """Our children that were started with this temporary folder and are no part of another browser."""
        found = []
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                if child.environ().get("TMPDIR") == str(self.path) and not _is_part(child):
                    found.append(child)
        return found


def sweep() -> None:
    """Remove folders of earlier starts whose process is gone; a stranger's or a living one's is left alone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        number = folder.name.removeprefix(_PREFIX).split("-")[0]
        if number.isdigit() and not psutil.pid_exists(int(number)):
            _remove(folder)


def _remove(folder: Path) -> None:
    for link in folder.glob("profile-*"):
        target = link.readlink() if link.is_symlink() else link
        if target.name.startswith(_PROFILE_PREFIX):
            shutil.rmtree(target, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def _is_part(process: psutil.Process) -> bool:
    return not any(part.startswith(_PROFILE_FLAG) for part in process.cmdline()) or any(
        part.startswith("--type=") for part in process.cmdline()
    )


def _profile_of(process: psutil.Process) -> Path | None:
    with suppress(psutil.Error):
        for part in process.cmdline():
            if part.startswith(_PROFILE_FLAG):
                return Path(part.removeprefix(_PROFILE_FLAG))
    return None


def _own_megabytes(process: psutil.Process) -> float:
    try:
        memory = process.memory_info()
    except psutil.Error:  # it ended meanwhile
        return 0.0
    return float(memory.rss - getattr(memory, "shared", 0)) / 1e6
