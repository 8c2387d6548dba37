"""Folders in which the running process keeps its instances' data, named by their owner so that a later start can
tell whose they were. Refuses to remove a folder of an owner that still lives, or one that it did not name.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from pipeline.apps.processes import Owner, lease_holds, sweep

_NAME = re.compile(r"[^/]+@(?P<pid>\d+)@(?P<started>[\d.]+)")


def work_folder(root: Path, owner: Owner) -> Path:
    """Where the owner keeps what it works on; not made yet."""
    return root / "work" / f"{owner.tag}@{owner.pid}@{owner.started}"


def sweep_home(root: Path) -> None:
    """End the processes and remove the folders that owners of this root have left who are dead; a living one's stay."""
    sweep(root)
    sweep_folders(root)


def sweep_folders(root: Path) -> tuple[str, ...]:
    """Remove what owners that are dead have left: copies of data, and the passwords made for them. Returns names."""
    removed = []
    for folder in sorted((root / "work").glob("*@*@*")):
        named = _NAME.fullmatch(folder.name)
        if named and folder.is_dir() and not lease_holds(f"{named['pid']}:{named['started']}"):
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder.name)
    return tuple(removed)
