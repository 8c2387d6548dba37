"""One process at a time per file: the kernel frees the lock when its holder dies, so none is ever stale."""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from pipeline.errors import RunFault


@asynccontextmanager
async def exclusive(path: Path, deadline: float) -> AsyncIterator[None]:
    """Hold the lock file while inside.

    Raises:
        RunFault: another process held it for more than ``deadline`` seconds.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + deadline
        while not _taken(handle):
            if time.monotonic() > until:
                raise RunFault(f"Another process has held {path} for {deadline:g} s; end it or try again later.")
            await asyncio.sleep(0.1)
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
