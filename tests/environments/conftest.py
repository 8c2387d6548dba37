"""Web environments on the local page server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest_asyncio
from page_server import PageServer

from pipeline.domain.environment import Surroundings
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.web import WebEnvironment

MakeWeb = Callable[[Surroundings], WebEnvironment]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def web(browser: SharedBrowser, _page_servers: tuple[PageServer, PageServer]) -> AsyncIterator[WebEnvironment]:
    """An environment that may touch ``pages`` only; one for all tests, since every ``begin`` is a clean session."""
    environment = WebEnvironment(browser, Surroundings(allowed_origins=(_page_servers[0].origin,)))
    yield environment
    await environment.close()


@pytest_asyncio.fixture(loop_scope="session")
async def make_web(browser: SharedBrowser) -> AsyncIterator[MakeWeb]:
    """Further environments with surroundings of their own, closed after the test."""
    made: list[WebEnvironment] = []

    def make(surroundings: Surroundings) -> WebEnvironment:
        made.append(WebEnvironment(browser, surroundings))
        return made[-1]

    yield make
    for environment in made:
        await environment.close()
