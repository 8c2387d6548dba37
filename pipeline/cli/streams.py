"""The three standard streams as a command finds them: closed, full, broken, or of a narrow encoding."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO


class OutputFault(Exception):
    """Standard output cannot take the result; ``str()`` says why, and is empty where its reader has gone."""


class Forgiving:
    """A stream whose writes may fail unnoticed: what is told on the way never ends the work that it tells of."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = getattr(stream, "encoding", "utf-8")

    def write(self, text: str) -> int:
        """Write as far as that can be done."""
        with suppress(OSError, ValueError):
            return self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush as far as that can be done."""
        with suppress(OSError, ValueError):
            self._stream.flush()

    def isatty(self) -> bool:
        """As the stream itself."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """As the stream itself."""
        return self._stream.fileno()


def make_usable() -> None:
    """Give a closed stream a place to go, and let no letter be one that a stream cannot write."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # its number is free, and the next file that is opened would get it
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
        elif isinstance(stream, io.TextIOWrapper) and mode == "w":
            stream.reconfigure(errors="backslashreplace")


def write_out(text: str) -> None:
    """Write text to standard output, at once.

    Raises:
        OutputFault: it cannot be written.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        _turn_away()
        gone = isinstance(error, BrokenPipeError)
        reason = "" if gone else f"The result could not be written to standard output: {error.strerror}."
        raise OutputFault(reason) from error


def _turn_away() -> None:
    """What is still in the buffer goes nowhere, so that the interpreter does not fail on it at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
