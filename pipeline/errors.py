"""Every error of the product, and the one place that classifies foreign ones.

Hierarchy::

    TasksieveError
    ├── UserError             the user's mistake: one sentence, exit 2
    │   ├── ProfileError      an app profile that cannot be used as written
    │   └── CatalogueError    a catalogue that is not ours, is newer than us, or is in use
    ├── RunFault              a fault of this run (full disk, lost lease): exit 1, nothing done is lost
    └── EnvironmentFault      the environment broke; what it happened to is unscored, never failed
        ├── AppFault          the application: did not start, died, reset was not true
        ├── BrowserFault      the browser: missing, crashed, stopped answering
        ├── NetworkFault      a fetch that could not be completed
        └── SessionFault      signed out although nobody asked for it

A draft that is wrong is data (a verdict), never an exception.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


class TasksieveError(Exception):
    """Base of everything raised on purpose; ``str(error)`` is one sentence fit for a user."""


class UserError(TasksieveError):
    """The user gave something that cannot work; the sentence names it and says what to do."""


class ProfileError(UserError):
    """An app profile has an unknown key, a missing value or a command that cannot be run."""

    def __init__(self, sentence: str, key: str = "") -> None:
        """``key`` is the dotted key to look at, where the sentence does not hold its place already."""
        super().__init__(sentence)
        self.key = key


class CatalogueError(UserError):
    """The catalogue file is foreign, newer than this version, or held by another run."""


class RunFault(TasksieveError):
    """The run cannot go on, for example because the disk is full; what was done is kept."""


class EnvironmentFault(TasksieveError):
    """Something around the task broke; the outcome of what was running is unscored."""

    def __init__(self, sentence: str, key: str = "") -> None:
        """``key`` is the dotted key of the app profile to look at, such as ``start.command``, where one is known."""
        super().__init__(sentence)
        self.key = key


class AppFault(EnvironmentFault):
    """The application did not start, died, answered with server errors, or did not reset truly."""


class BrowserFault(EnvironmentFault):
    """The browser is missing, crashed, or did not answer in time."""


class NetworkFault(EnvironmentFault):
    """A request could not be completed within its retries."""


class SessionFault(EnvironmentFault):
    """A user could not be signed in, or the signed-in session ended although no step asked for it."""


@contextmanager
def named_by_the_user(path: object, way_out: str = "give another place") -> Iterator[None]:
    """Where a path that the user named cannot be used as it is, that is the user's mistake; a full disk is not.

    Raises:
        UserError: names the path, what the system says and the way out.
        RunFault: the disk is full.
    """
    try:
        yield
    except OSError as error:
        with boundary(f"writing {str(path)!r}"):
            if error.errno in _FULL:
                raise
        problem = "written" if error.errno in _CLOSED else "used"
        raise UserError(f"{str(path)!r} cannot be {problem}: {error.strerror}; {way_out}.") from error


_FULL = {errno.ENOSPC, errno.EDQUOT}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}
"""Said of a place that may not be written at all."""

_WAY_OUT = {
    sqlite3.SQLITE_FULL: "free some space and resume",
    sqlite3.SQLITE_IOERR: "see that the disk is whole and has space, and resume",
    sqlite3.SQLITE_READONLY: "make the file writable and resume",
    sqlite3.SQLITE_BUSY: "wait until the other process has finished, or end it, and resume",
}
"""By SQLite's primary result code."""


@contextmanager
def boundary(doing: str) -> Iterator[None]:
    """Classify foreign errors raised while ``doing`` something; ours pass through unchanged.

    Raises:
        RunFault: the disk is full or cannot be written, or SQLite says so.
        EnvironmentFault: a deadline passed or a connection broke.
    """
    try:
        yield
    except TasksieveError:
        raise
    except TimeoutError as error:
        raise EnvironmentFault(f"Timed out while {doing}.") from error
    except sqlite3.OperationalError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        way_out = _WAY_OUT.get(code, "resume when it is mended")
        raise RunFault(f"The database failed while {doing}: {error}; {way_out}.") from error
    except ConnectionError as error:
        raise EnvironmentFault(f"The connection broke while {doing}: {error}.") from error
    except OSError as error:
        if error.errno in _FULL or error.errno == errno.EROFS:
            way_out = "free some space" if error.errno in _FULL else "make it writable"
            reason = f"The disk cannot be written while {doing}: {error.strerror}; {way_out} and resume."
            raise RunFault(reason) from error
        raise
