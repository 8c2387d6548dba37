"""One pool on the desk for a module's tests, on the session's loop; what breaks a bench gets the next one a new one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from pipeline.apps.processes import Owner
from pipeline.live.pool import Pool, PreparedApp


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pool(desk: PreparedApp, desk_root: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pool]:
    """Two workers."""
    owner = Owner.here(desk_root / "home")
    async with Pool(desk, 2, tmp_path_factory.mktemp("live") / "work", owner) as shared:
        yield shared
