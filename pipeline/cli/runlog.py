"""The structured log of a run: one JSON object a line, known secrets taken out. Appends; never reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from pipeline.domain.progress import Progress
from pipeline.domain.redact import Redactor
from pipeline.errors import boundary, named_by_the_user


class RunLog:
    """A sink that writes every event and its extra fields to a file; a context manager."""

    def __init__(self, path: Path, now: Callable[[], datetime], redactor: Callable[[], Redactor]) -> None:
        """Open the file, whose folder is made.

        Raises:
            UserError: it cannot be written.
            RunFault: the disk is full.
        """
        self.path, self._now, self._redactor = path, now, redactor
        self._phase = ""
        self._clean = Redactor()
        with named_by_the_user(path.parent, "make it writable, or set TASKSIEVE_RUNS to another folder"):
            path.parent.mkdir(parents=True, exist_ok=True)
            # A kill may have torn the last line; a fresh line keeps the next record whole.
            torn = path.exists() and path.stat().st_size > 0 and not path.read_bytes().endswith(b"\n")
            self._file: IO[str] = path.open("a", encoding="utf-8", errors="replace")
            if torn:
                self._file.write("\n")

    def __call__(self, event: Progress, /, **fields: Any) -> None:
        if event.phase != self._phase:
            # Passwords are made while an application is prepared, so they are asked for again at each phase.
            self._phase, self._clean = event.phase, self._redactor()
        self.write({**event.model_dump(mode="json", exclude_defaults=True), **fields})

    def write(self, record: dict[str, Any]) -> None:
        """Append one record with its time.

        Raises:
            RunFault: the disk cannot be written.
        """
        line = json.dumps({"at": self._now().isoformat(), **record}, ensure_ascii=False, default=str)
        with boundary(f"writing the log {str(self.path)!r}"):
            self._file.write(self._clean.clean(line) + "\n")
            self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if error is not None:
                self._clean = self._redactor()
                self.write({"error": type(error).__name__, "message": str(error)})
        finally:
            self._file.close()
