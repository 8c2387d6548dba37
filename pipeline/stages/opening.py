"""Opening what every stage needs: the catalogue and a work directory of one's own."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from pipeline.apps.processes import Owner
from pipeline.apps.work_folders import work_folder
from pipeline.config import RunConfig
from pipeline.live.workbench import PictureSink
from storage.address import catalogue_path
from storage.pictures import PictureStore
from storage.store import Store


def now() -> datetime:
    """The one clock of the stages."""
    return datetime.now(UTC)


async def open_store(config: RunConfig, create: bool = True, reading: bool = False) -> Store:
    """The catalogue that the settings name; made where there is none and ``create`` says so.

    Where it is only for ``reading``, it need not be writable.

    Raises:
        CatalogueError: it cannot be used.
    """
    return await Store.open(config.catalogue, clock=now, create=create, reading=reading)


def work_directory(config: RunConfig, owner: Owner) -> Path:
    """Where this process keeps its instances' data."""
    return work_folder(Path(config.home), owner)


def picture_keeper(config: RunConfig) -> PictureSink | None:
    """Puts pictures where the catalogue finds them and returns their addresses; None where none are wanted.

    Raises:
        RunFault: the disk is full or cannot be written.
    """
    if not config.pictures:
        return None
    pictures = PictureStore(config.picture_folder)
    pictures.used_by(catalogue_path(config.catalogue))

    async def keep(data: bytes) -> str:
        return await asyncio.to_thread(pictures.put, data)

    return keep
