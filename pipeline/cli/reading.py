"""Reading the catalogue from a command: opened, asked once, closed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from pipeline.cli.options import existing_catalogue

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from storage.store import Store

T = TypeVar("T")


def read(config: RunConfig, ask: Callable[[Store], Awaitable[T]]) -> T:
    """What ``ask`` finds in the catalogue.

    Raises:
        CatalogueError: there is none, or it cannot be used.
    """
    from pipeline.cli.console import note
    from pipeline.cli.interrupt import run_to_end

    async def asked() -> T:
        async with await existing_catalogue(config) as store:
            return await ask(store)

    return run_to_end(lambda _: asked(), say=note).value
