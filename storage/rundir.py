"""Where the files of a run lie, and whether there is room for them. Writes nothing but folders."""

from __future__ import annotations

import shutil
from pathlib import Path

from pipeline.config import PICTURES, RUN_NAME
from pipeline.errors import RunFault, UserError, boundary

_MIB = 1024 * 1024


class RunDirectory:
    """The folder of one run under the common root (``runs``)."""

    def __init__(self, root: Path, name: str) -> None:
        """Nothing is made yet.

        Raises:
            UserError: the name cannot be a folder's.
        """
        if not RUN_NAME.fullmatch(name) or name == PICTURES:
            raise UserError(
                f"The run name {name!r} cannot be used; use up to 100 letters, digits, dots, dashes and underscores."
            )
        self.root = root
        self.path = root / name

    @property
    def log(self) -> Path:
        """The structured log, one JSON object a line."""
        return self.path / "log.jsonl"

    @property
    def checkpoints(self) -> Path:
        """Where the conductor remembers its position."""
        return self.path / "checkpoints.sqlite"

    @property
    def pictures(self) -> Path:
        """Root of the pictures, shared by all runs since equal pictures are one file."""
        return self.root / PICTURES

    def make(self) -> None:
        """Make the folders.

        Raises:
            RunFault: the disk cannot be written.
            UserError: a file is in the way, or the place may not be written.
        """
        try:
            with boundary(f"making the run directory {str(self.path)!r}"):
                self.path.mkdir(parents=True, exist_ok=True)
                self.pictures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"The run directory {str(self.path)!r} cannot be made: {error.strerror}.") from error

    def ensure_space(self, needed: int) -> None:
        """Refuse to go on with less than ``needed`` bytes free, while everything is still whole.

        Raises:
            RunFault: there is less.
        """
        free = shutil.disk_usage(_existing(self.path)).free
        if free < needed:
            raise RunFault(
                f"Only {free / _MIB:.0f} MiB are free at {str(self.root)!r} and {needed / _MIB:.0f} MiB are needed;"
                " free some space (`tasksieve runs prune` removes unused pictures) and resume."
            )


def _existing(path: Path) -> Path:
    """The nearest folder that is there already."""
    whole = path.absolute()
    return next(p for p in (whole, *whole.parents) if p.exists())
