from __future__ import annotations

import pytest
from catalogue_samples import clock, run_info

from storage.store import Store


@pytest.fixture
async def store(tmp_path):
    """A new catalogue with one run named ``first``."""
    async with await Store.open(str(tmp_path / "catalogue.db"), clock=clock) as opened:
        await opened.create_run(run_info())
        yield opened
