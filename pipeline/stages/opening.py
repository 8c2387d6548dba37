"""Opening what every stage needs: the catalogue and a work directory of one's own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pipeline.apps.processes import Owner
from pipeline.config import RunConfig
from storage.store import Store


def now() -> datetime:
    """The one clock of the stages."""
    return datetime.now(UTC)


async def open_store(config: RunConfig) -> Store:
    """The catalogue that the settings name.

    Raises:
        CatalogueError: it cannot be used.
    """
    return await Store.open(config.catalogue, clock=now)


def work_directory(config: RunConfig, owner: Owner) -> Path:
    """Where this process keeps its instances' data."""
    return Path(config.home) / "work" / owner.tag
