"""Opening a catalogue file: what may be opened, created or migrated, told in one sentence when it may not."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from pipeline.errors import CatalogueError
from storage import schema
from storage.connection import Mode, connect, database, open_raw


def prepare(path: Path, create: bool, reading: bool = False) -> Mode:
    """Make sure that a catalogue of the newest revision is at ``path``; returns how it is to be read. Blocking.

    Raises:
        CatalogueError: foreign, newer, not SQLite, not a file, not there, or not writable although not only for
            ``reading``.
        RunFault: the disk is full, or another process holds the file.
    """
    try:
        _check_place(path, create)
    except OSError as error:
        raise CatalogueError(_unwritable(path, error.strerror or str(error))) from error
    closed = next((p for p in (path.parent, path) if p.exists() and not os.access(p, os.W_OK)), None)
    if closed and not (reading and path.exists()):
        raise CatalogueError(_unwritable(path, f"{str(closed)!r} may not be written"))
    with database(f"opening the catalogue {str(path)!r}"):
        try:
            if closed:
                _look(path)
            else:
                _bring_up(path)
        except sqlite3.DatabaseError as error:
            raise _explained(error, path, bool(closed)) from error
        except DBAPIError as error:
            if isinstance(error.orig, sqlite3.DatabaseError):
                raise _explained(error.orig, path, bool(closed)) from error
            raise
    return "sealed" if closed else "read"


def _check_place(path: Path, create: bool) -> None:
    if path.is_dir():
        raise CatalogueError(f"The catalogue {str(path)!r} is a directory; give the path of a file in it.")
    if not path.exists():
        if not create:
            raise CatalogueError(f"There is no catalogue at {str(path)!r}; generate tasks first or give --catalogue.")
        path.parent.mkdir(parents=True, exist_ok=True)
    elif path.is_file() and not path.stat().st_size and not create:
        raise CatalogueError(f"The file {str(path)!r} is empty, so no catalogue; generate tasks first.")
    elif not path.is_file():
        raise CatalogueError(f"The catalogue {str(path)!r} is not a regular file; give another --catalogue.")


def _look(path: Path) -> None:
    with closing(open_raw(path, "sealed")) as raw:
        if schema.inspect(raw, path) != "current":
            raise CatalogueError(_unwritable(path, "it is an older version's, and has to be brought up to this one"))


def _bring_up(path: Path) -> None:
    # Looked at before anything is set: the switch to WAL would already change a foreign file.
    with closing(open_raw(path, "write")) as raw:
        raw.execute("BEGIN")  # one view of it, although another process may be making it just now
        try:
            condition = schema.inspect(raw, path)
        finally:
            raw.rollback()
        raw.execute("PRAGMA journal_mode = WAL")
    if condition != "current":
        connection = connect(path, "write")
        try:
            with connection.begin():
                schema.upgrade(connection, path)
        finally:
            connection.engine.dispose()


def _explained(error: sqlite3.DatabaseError, path: Path, sealed: bool) -> BaseException:
    """A CatalogueError where the file or its place is to blame, else the error itself."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return CatalogueError(f"The file {str(path)!r} is not a SQLite database; give another --catalogue.")
    if code == sqlite3.SQLITE_CORRUPT:
        return CatalogueError(f"The catalogue {str(path)!r} is damaged ({error}); put back a copy of it.")
    if sealed and code == sqlite3.SQLITE_CANTOPEN:
        return CatalogueError(
            f"The catalogue {str(path)!r} has a log of what was written last, which cannot be read where nothing may "
            f"be written; copy all of {str(path) + '*'!r} to a place that can."
        )
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return CatalogueError(_unwritable(path, str(error)))
    return error


def _unwritable(path: Path, reason: str) -> str:
    return f"The catalogue {str(path)!r} cannot be written ({reason}); give a --catalogue in a place that can."
