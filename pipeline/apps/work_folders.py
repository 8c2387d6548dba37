"""Folders in which the running process keeps its instances' data, named by their owner so that a later start can
tell whose they were. Refuses a root that cannot be written, and to remove a folder of an owner that still lives or
one that it did not name.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from pipeline.apps.processes import Owner, lease_holds, sweep
from pipeline.errors import UserError

_NAME = re.compile(r"[^/]+@(?P<pid>\d+)@(?P<started>[\d.]+)")


def work_folder(root: Path, owner: Owner) -> Path:
    """Where the owner keeps what it works on; not made yet."""
    return root / "work" / f"{owner.tag}@{owner.pid}@{owner.started}"


def refuse_unwritable(root: Path) -> None:
    """Refuse a root below which no application could be kept. Makes nothing.

    Raises:
        UserError: names the root, what the system says, and the settings that name another.
    """
    if reason := unwritable(root):
        raise UserError(
            f"Applications are kept below {str(root)!r}, which cannot be written ({reason}); "
            "set TASKSIEVE_HOME, or `home` in the file of --config, to a folder that can."
        )


def unwritable(folder: Path) -> str:
    """Why no file can be made in a folder, or the folder itself not be made; empty where both can."""
    place = folder.absolute()
    try:
        while not _is_there(place):
            place = place.parent
        with tempfile.TemporaryFile(dir=place):
            return ""
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)


def _is_there(place: Path) -> bool:
    """A link that leads nowhere is in the way, and a name that no folder can have is an error."""
    try:
        os.lstat(place)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


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
