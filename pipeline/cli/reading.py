"""Reading the catalogue from a command: opened, asked once, closed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from pipeline.cli.options import existing_catalogue
from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from storage.store import Store

T = TypeVar("T")


async def known(store: Store, *, app: str | None = None, run: str | None = None) -> None:
    """Refuse names that the catalogue does not hold, where an empty list would look like an answer.

    Raises:
        UserError: there is no such run, or no run of such an application.
    """
    if run:
        await store.run(run)
    apps = {r.app for r in await store.runs()} if app else set()
    if app and app not in apps:
        held = ", ".join(sorted(apps)) or "none yet"
        raise UserError(f"The catalogue holds nothing of {app!r}; its applications are: {held}.")


def known_operation(name: str | None) -> None:
    """Refuse an operation that there is none of.

    Raises:
        UserError: names those that there are.
    """
    from typing import get_args

    from pipeline.domain.feature import Operation

    if name is not None and name not in get_args(Operation):
        raise UserError(f"There is no operation {name!r}; there are {', '.join(get_args(Operation))}.")


def read(config: RunConfig, ask: Callable[[Store], Awaitable[T]]) -> T:
    """What ``ask`` finds in the catalogue.

    Raises:
        CatalogueError: there is none, or it cannot be used.
    """
    from pipeline.cli.console import note
    from pipeline.cli.interrupt import run_to_end

    async def asked() -> T:
        async with await existing_catalogue(config, reading=True) as store:
            return await ask(store)

    return run_to_end(lambda _: asked(), say=note).value
