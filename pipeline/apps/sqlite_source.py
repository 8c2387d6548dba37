"""A SQLite file as a state source: read in one transaction, put back by online backup. Blocks."""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from pipeline.apps.profile import SqliteState
from pipeline.domain.state import Row, RowKey, Table
from pipeline.domain.values import Cell
from pipeline.errors import AppFault, RunFault

BUSY = 5.0
"""Seconds to wait for a lock that the application holds."""
_MAGIC = b"SQLite format 3\0"
_FROZEN = "ro&immutable=1"
"""For a template: leaves no lock or index files beside the database."""


def read(source: SqliteState, data: Path, frozen: bool = False) -> dict[str, Table]:
    """Every table that is not ignored, as it stands in one read transaction; ``frozen`` promises that nobody writes.

    Raises:
        AppFault: the file is missing (its key names the line), locked for too long, or no database.
    """
    path = _there(source, data)
    with _opened(path, _FROZEN if frozen else "ro") as db, _faults(path, "reading"):
        db.execute("BEGIN")
        names = [str(row[0]) for row in db.execute(_TABLES) if row[0] not in source.ignore]
        tables = [_table(db, name, source.prefix + name) for name in sorted(names)]
        db.rollback()
    return {table.name: table for table in tables}


def put_back(source: SqliteState, template: Path, data: Path) -> None:
    """Make the live file equal to the template's through SQLite's own backup, while the application may be running."""
    path = data / source.path
    # The template is frozen, and opening it as immutable leaves no lock or index files beside it.
    with (
        _opened(template / source.path, "ro&immutable=1") as old,
        _opened(path, "rwc") as live,
        _faults(path, "resetting"),
    ):
        old.backup(live, progress=_deadline(time.monotonic() + BUSY), sleep=0.01)


def _deadline(until: float) -> Callable[[int, int, int], None]:
    """Ends a backup that meets a lock for too long; left alone, it would try for ever."""

    def look(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > until:
            raise sqlite3.OperationalError("database is locked")

    return look


def settle(source: SqliteState, data: Path) -> None:
    """Fold the write-ahead log into the file, so that the file alone is the whole database; nobody may have it open."""
    path = _there(source, data)
    with _opened(path, "rw") as db, _faults(path, "closing"):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


_TABLES = """
SELECT name FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
"""


def _table(db: sqlite3.Connection, name: str, shown: str) -> Table:
    keys = _key_columns(db, name)
    rowid = not keys
    keys = keys or ("rowid",)
    select = "rowid AS rowid, *" if rowid else "*"
    cursor = db.execute(f"SELECT {select} FROM {_quoted(name)}")
    columns = [str(column[0]) for column in cursor.description]
    places = [columns.index(key) for key in keys]
    rows: dict[RowKey, Row] = {}
    for raw in cursor:
        cells = [_cell(value) for value in raw] if any(isinstance(v, bytes) for v in raw) else raw
        rows[tuple(cells[i] for i in places)] = dict(zip(columns, cells, strict=True))
    return Table(shown, keys, rows)


def _key_columns(db: sqlite3.Connection, name: str) -> tuple[str, ...]:
    """Primary key, else a unique index none of whose columns can be empty or is computed, else nothing."""
    info = db.execute(f"PRAGMA table_info({_quoted(name)})").fetchall()
    primary = sorted((row[5], str(row[1])) for row in info if row[5])
    if primary:
        return tuple(column for _, column in primary)
    required = {str(row[1]) for row in info if row[3]}
    candidates = []
    for index in db.execute(f"PRAGMA index_list({_quoted(name)})").fetchall():
        unique, partial = index[2], index[4]
        columns = [row[2] for row in db.execute(f"PRAGMA index_info({_quoted(index[1])})")]
        if unique and not partial and None not in columns and _no_nulls(db, name, columns, required):
            candidates.append(tuple(str(column) for column in columns))
    return min(candidates, key=lambda columns: (len(columns), columns), default=())


def _no_nulls(db: sqlite3.Connection, name: str, columns: list[str], required: set[str]) -> bool:
    """Two empty cells are not equal to SQLite, so a unique index over them would not tell rows apart."""
    open_columns = [column for column in columns if column not in required]
    if not open_columns:
        return True
    condition = " OR ".join(f"{_quoted(column)} IS NULL" for column in open_columns)
    return db.execute(f"SELECT 1 FROM {_quoted(name)} WHERE {condition} LIMIT 1").fetchone() is None


def _cell(value: Cell | bytes) -> Cell:
    return "sha256:" + hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value


def _there(source: SqliteState, data: Path) -> Path:
    """The file; where there is none, the fault names those that would do."""
    path = data / source.path
    if path.is_file():
        return path
    there = sorted(p.relative_to(data).as_posix() for p in data.rglob("*") if p.is_file() and is_sqlite(p))
    instead = f"; its SQLite files are: {', '.join(there[:5])}" if there else ", nor any other SQLite file"
    sentence = f"There is no file {source.path!r} in the application's data folder{instead}."
    raise AppFault(sentence, "state.path")


def is_sqlite(path: Path) -> bool:
    """Whether a file begins as SQLite's do; one that cannot be read does not."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC
    return False


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def _opened(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    with _faults(path, "opening"):
        db = sqlite3.connect(f"file:{quote(str(path))}?mode={mode}", uri=True, timeout=BUSY, isolation_level=None)
    db.text_factory = _text
    with closing(db):
        yield db


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


@contextmanager
def _faults(path: Path, doing: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
            raise RunFault(f"The disk is full while {doing} {path}; free some space and resume.") from error
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise AppFault(f"The file {path.name!r} is not a SQLite database.", "state.path") from error
        raise AppFault(f"{doing.capitalize()} the application's database {path.name} failed: {error}.") from error
