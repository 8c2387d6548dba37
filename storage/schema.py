"""The version of a catalogue file: recognises ours, refuses foreign and newer ones, migrates older ones.

Migrations run inside the caller's transaction, so that a kill leaves the old schema or the new one, nothing between.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection

from pipeline.errors import CatalogueError

APPLICATION_ID = 0x54534956
"""Stands in the header of every catalogue file (``TSIV``)."""

REVISIONS = ("0001", "0002")
"""Known revisions, oldest first; each is one file in MIGRATIONS."""

MIGRATIONS = Path(__file__).parent / "migrations"

Condition = Literal["empty", "older", "current"]


def inspect(raw: sqlite3.Connection, path: Path) -> Condition:
    """What the file is, by its header and its recorded revision.

    Raises:
        CatalogueError: it belongs to another program, or to a newer version of this one.
    """
    (found,) = raw.execute("PRAGMA application_id").fetchone()
    (tables,) = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and found in (0, APPLICATION_ID):
        return "empty"
    if found != APPLICATION_ID:
        raise CatalogueError(
            f"The file {str(path)!r} is a database of another program, not a catalogue; give another --catalogue."
        )
    return _compare(recorded_revision(raw), path)


def _compare(revision: str, path: Path) -> Condition:
    if not revision:
        raise CatalogueError(f"The catalogue {str(path)!r} is damaged (no revision); put back a copy of it.")
    if revision not in REVISIONS:
        raise CatalogueError(
            f"The catalogue {str(path)!r} has revision {revision!r}, newer than this version knows"
            f" ({REVISIONS[-1]!r}); upgrade tasksieve or give another --catalogue."
        )
    return "current" if revision == REVISIONS[-1] else "older"


def recorded_revision(raw: sqlite3.Connection) -> str:
    """The revision that the file says it has; empty where it says none."""
    known = raw.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    row = raw.execute("SELECT version_num FROM alembic_version").fetchone() if known else None
    return str(row[0]) if row else ""


def upgrade(connection: Connection, path: Path) -> None:
    """Bring the file to the newest revision; an older one is copied beside it first. Within a write transaction.

    Raises:
        CatalogueError: as ``inspect``.
    """
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    condition = inspect(raw, path)  # again: another process may have been quicker
    if condition == "current":
        return
    if condition == "older":
        _keep_copy(path, recorded_revision(raw))
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")


def backup_path(path: Path, revision: str) -> Path:
    """Where the copy of a catalogue of this revision is kept."""
    return path.with_name(f"{path.name}.{revision}.bak")


def _keep_copy(path: Path, revision: str) -> None:
    """By SQLite's own backup through a second connection: the file alone may lack what is still in its log."""
    target = backup_path(path, revision)
    temporary = target.with_name(target.name + ".tmp")
    temporary.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(temporary)) as copy:
            source.backup(copy)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
