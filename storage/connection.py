"""One connection on one thread, and how failures of the database are told. Knows no table.

A connection is used by its own thread only; whole transactions are sent there as functions, so that no transaction
can be open across an await.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, TypeVar

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool
from sqlmodel import Session

from pipeline.errors import RunFault, boundary

T = TypeVar("T")
P = TypeVar("P")
Mode = Literal["write", "read", "sealed"]
"""``sealed`` reads a file that may not be written, nor anything beside it."""

BUSY_S = 30.0
"""How long a transaction waits for another process's."""

DEADLINE_S = 300.0
"""How long a caller waits for its transaction, those queued before it included."""


@contextmanager
def database(doing: str) -> Iterator[None]:
    """Classify what the database raises.

    Raises:
        RunFault: the disk is full, the file is locked, read-only or damaged.
    """
    with boundary(doing):
        try:
            yield
        except DBAPIError as error:
            raise _foreign(error, doing) from error
        except sqlite3.DatabaseError as error:
            raise _told(error, doing) from error


def _foreign(error: DBAPIError, doing: str) -> BaseException:
    return _told(error.orig, doing) if isinstance(error.orig, sqlite3.DatabaseError) else error


def _told(error: sqlite3.DatabaseError, doing: str) -> BaseException:
    """Operational errors are left to the boundary; damage is a plain DatabaseError; all others are our own mistakes."""
    if isinstance(error, sqlite3.OperationalError) or type(error) is not sqlite3.DatabaseError:
        return error
    return RunFault(f"The catalogue is damaged ({error}) while {doing}; put back a copy or start another one.")


def connect(path: Path, mode: Mode) -> Connection:
    """A connection for this thread; writers begin IMMEDIATE, readers cannot write.

    Raises:
        sqlalchemy.exc.DBAPIError: the file cannot be opened.
    """

    def opened() -> sqlite3.Connection:
        raw = open_raw(path, mode)
        raw.execute("PRAGMA synchronous = NORMAL")
        raw.execute("PRAGMA foreign_keys = ON")
        if mode != "write":
            raw.execute("PRAGMA query_only = ON")
        return raw

    engine = create_engine("sqlite://", creator=opened, poolclass=StaticPool)
    # Deferred transactions that read before they write fail at once when another process has written meanwhile.
    statement = "BEGIN IMMEDIATE" if mode == "write" else "BEGIN"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(statement))
    return engine.connect()


def open_raw(path: Path, mode: Mode) -> sqlite3.Connection:
    """The file as SQLite opens it.

    Raises:
        sqlite3.OperationalError: it cannot be opened.
    """
    if mode != "sealed":
        return sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    # Where there is a log, somebody may be writing, and it may belong to what is read.
    how = "mode=ro" if _logged(path) else "immutable=1"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY_S, isolation_level=None)


def _logged(path: Path) -> bool:
    """Whether the log beside a database holds anything; a writer that ends takes it away."""
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except FileNotFoundError:
        return False


class SqlThread:
    """A thread that owns one connection and runs transactions in the order they were sent."""

    def __init__(self, path: Path, mode: Mode) -> None:
        self._path = path
        self._mode: Mode = mode
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"catalogue-{mode}")
        self._connection: Connection | None = None
        self._closed = False

    async def transaction(self, work: Callable[[Session], T], doing: str) -> T:
        """Run ``work`` in one transaction; an exception in it rolls back.

        Raises:
            RunFault: the database failed, or did not answer in time.
        """
        return await self._on_thread(lambda: self._transaction(work), doing)

    async def prepared(self, prepare: Callable[[], P], work: Callable[[Session, P], T], doing: str) -> T:
        """Like ``transaction``, with costly preparation on the same thread before the transaction begins."""

        def both() -> T:
            value = prepare()
            return self._transaction(lambda session: work(session, value))

        return await self._on_thread(both, doing)

    async def close(self) -> None:
        """End the connection and the thread; idempotent."""
        if self._closed:
            return
        self._closed = True
        # Behind whatever is still queued: a transaction whose caller was cancelled is finished, not torn.
        await self._on_thread(self._disconnect, "closing the catalogue")
        self._pool.shutdown(wait=False)

    async def _on_thread(self, call: Callable[[], T], doing: str) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._pool, call)
        with database(doing):
            done, _ = await asyncio.wait({future}, timeout=DEADLINE_S)
            if not done:
                future.cancel()
                raise RunFault(f"The catalogue did not answer within {DEADLINE_S:.0f} s while {doing}.")
            return future.result()

    def _transaction(self, work: Callable[[Session], T]) -> T:
        if self._connection is None:
            self._connection = connect(self._path, self._mode)
        try:
            with Session(self._connection, expire_on_commit=False) as session:
                result = work(session)
                if self._mode == "write":
                    session.commit()
                return result
        except BaseException:
            # A commit that failed, as on a full disk, leaves the transaction begun; a new connection has none.
            with suppress(Exception):
                self._disconnect()
            self._connection = None
            raise

    def _disconnect(self) -> None:
        if self._connection is not None:
            engine = self._connection.engine
            self._connection.close()
            engine.dispose()
            self._connection = None
