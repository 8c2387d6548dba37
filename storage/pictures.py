"""Pictures as files named by their content. Knows no database: what is still in use is told from outside."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Set
from pathlib import Path

from pipeline.domain.values import Value
from pipeline.errors import UserError, boundary

_ADDRESS = re.compile(r"sha256/[0-9a-f]{2}/[0-9a-f]{62}\.jpg")
_UNFINISHED = ".part"


class PruneResult(Value):
    """What pruning removed and left."""

    removed: int = 0
    kept: int = 0
    freed_bytes: int = 0


class PictureStore:
    """JPEG files under one root. Blocking, a millisecond a picture; put off the loop where that matters."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def _users(self) -> Path:
        return self.root / "catalogues.txt"

    def used_by(self, catalogue: Path) -> None:
        """Remember that this catalogue refers to pictures here.

        Raises:
            RunFault: the disk is full or cannot be written.
        """
        name = str(catalogue.absolute())
        with boundary("storing a picture"):
            if name not in self._named():
                self.root.mkdir(parents=True, exist_ok=True)
                with self._users.open("a", encoding="utf-8") as file:
                    file.write(name + "\n")

    def catalogues(self) -> list[Path]:
        """Catalogues that refer to pictures here and are still there."""
        return [path for path in map(Path, dict.fromkeys(self._named())) if path.is_file()]

    def _named(self) -> list[str]:
        return self._users.read_text(encoding="utf-8").splitlines() if self._users.is_file() else []

    def put(self, data: bytes) -> str:
        """Store a picture and return its address, ``sha256/ab/cdef….jpg``; the same bytes have the same address.

        Raises:
            RunFault: the disk is full or cannot be written.
        """
        digest = hashlib.sha256(data).hexdigest()
        address = f"sha256/{digest[:2]}/{digest[2:]}.jpg"
        path = self.root / address
        with boundary("storing a picture"):
            if not _has(path, len(data)):
                path.parent.mkdir(parents=True, exist_ok=True)
                _write(path, data)
        return address

    def path(self, address: str) -> Path:
        """Where the picture is.

        Raises:
            UserError: this is no address of a picture.
        """
        if not _ADDRESS.fullmatch(address):
            raise UserError(f"{address!r} is no address of a picture; addresses look like 'sha256/ab/….jpg'.")
        return self.root / address

    def prune(self, keep: Set[str], *, made_before: float | None = None) -> PruneResult:
        """Remove pictures that are not in ``keep``, and files that a kill left half-written.

        ``made_before`` (seconds since the epoch) spares younger files, whose rows another run may yet write.

        Raises:
            RunFault: the disk cannot be written.
        """
        removed = kept = freed = 0
        with boundary("pruning pictures"):
            for path in self._files():
                stat = path.stat()
                young = made_before is not None and stat.st_mtime >= made_before
                if young or path.relative_to(self.root).as_posix() in keep:
                    kept += 1
                    continue
                path.unlink(missing_ok=True)
                removed, freed = removed + 1, freed + stat.st_size
        return PruneResult(removed=removed, kept=kept, freed_bytes=freed)

    def _files(self) -> Iterator[Path]:
        """Our own files only, whatever else may lie under the root."""
        for path in sorted((self.root / "sha256").glob("??/*")):
            name = path.relative_to(self.root).as_posix()
            if path.is_file() and (_ADDRESS.fullmatch(name) or path.suffix == _UNFINISHED):
                yield path


def _has(path: Path, size: int) -> bool:
    """A file of another size was torn by a crash of the machine, and is written again."""
    try:
        return path.stat().st_size == size
    except FileNotFoundError:
        return False


def _write(path: Path, data: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=_UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
