"""Fixtures that any package's tests may use: a local page server and one browser for the whole session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from page_server import PageServer
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from pipeline.environments.browser import SharedBrowser

pytest_plugins = ["desk_app"]


EXPLORED = ("tests/graph/", "tests/stages/test_explore.py", "tests/stages/test_prove.py")
"""What needs the whole desk explored, which takes longer than anything else that is done with it."""
LONG = (*EXPLORED, "tests/e2e/")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Playwright's objects belong to one event loop: whatever uses the shared browser runs on the session's.

    What is long comes first, so that no worker is left alone with it at the end.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)
    items.sort(key=lambda item: next((i for i, long in enumerate(LONG) if item.nodeid.startswith(long)), len(LONG)))


class ExploredOnce(LoadFileScheduling):
    """Each file goes to one worker, and all that need the explored desk go to the same one."""

    def _split_scope(self, nodeid: str) -> str:
        return "explored" if nodeid.startswith(EXPLORED) else str(super()._split_scope(nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling:
    return ExploredOnce(config, log)


@pytest.fixture(scope="session")
def _page_servers() -> Iterator[tuple[PageServer, PageServer]]:
    servers = PageServer(), PageServer()
    yield servers
    for server in servers:
        server.stop()


@pytest.fixture
def pages(_page_servers: tuple[PageServer, PageServer]) -> Iterator[PageServer]:
    """The application's server: tests/data/pages and whatever the test programs."""
    yield _page_servers[0]
    _page_servers[0].clear()


@pytest.fixture
def other_pages(_page_servers: tuple[PageServer, PageServer]) -> Iterator[PageServer]:
    """A stranger's server on another loopback port."""
    yield _page_servers[1]
    _page_servers[1].clear()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[SharedBrowser]:
    """One browser for all tests."""
    async with SharedBrowser({"TASKSIEVE_TEST": "1"}) as shared:
        yield shared
