"""Which pages of a session are on their way to another document, and how documents were answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page, Request, Response

_NO_DOCUMENT = frozenset({204, 205})


@dataclass(frozen=True)
class DocumentAnswer:
    """How the server answered the main document of a page."""

    status: int
    method: str
    retry_after: str


class Navigations:
    """Bookkeeping fed by a context's request events; waiting has a deadline and no polling."""

    def __init__(self) -> None:
        self._pending: dict[Page, Request] = {}
        self._answers: dict[Page, DocumentAnswer] = {}
        self._committed: dict[Page, int] = {}
        self._documents: dict[Page, int] = {}
        self._changed = asyncio.Event()

    def pending(self, page: Page) -> bool:
        """True while a document was asked for and neither came nor failed."""
        return page in self._pending

    def committed(self, page: Page) -> int:
        """How many documents the page has shown; same-document navigations count too."""
        return self._committed.get(page, 0)

    def documents(self, page: Page) -> int:
        """How many documents the page has shown that were asked for by a request."""
        return self._documents.get(page, 0)

    def answer(self, page: Page) -> DocumentAnswer | None:
        """The answer to the last document that was asked for."""
        return self._answers.get(page)

    async def over(self, page: Page, seconds: float) -> bool:
        """Wait until nothing is pending; False when the time is over first."""
        return await self._until(lambda: page not in self._pending, seconds)

    async def begun(self, page: Page, seconds: float) -> bool:
        """Wait until a navigation is pending or another document was committed; False when none came."""
        before = self.committed(page)
        return await self._until(lambda: page in self._pending or self.committed(page) != before, seconds)

    def asked(self, request: Request) -> None:
        """A request was sent."""
        page = _page_of(request)
        if page is not None:
            self._pending[page] = request
            self._changed.set()

    def answered(self, response: Response) -> None:
        """A response's head came."""
        page = _page_of(response.request)
        if page is None:
            return
        retry_after = response.headers.get("retry-after", "") if response.status in (429, 503) else ""
        self._answers[page] = DocumentAnswer(response.status, response.request.method, retry_after)
        if response.status in _NO_DOCUMENT:
            self.stays(page)

    def failed(self, request: Request) -> None:
        """A request was refused, aborted or broken off."""
        page = _page_of(request)
        if page is not None and self._pending.get(page) is request:
            self.stays(page)

    def arrived(self, frame: Frame) -> None:
        """A frame shows another document or location."""
        if frame.parent_frame is None:
            self._committed[frame.page] = self.committed(frame.page) + 1
            if frame.page in self._pending:
                self._documents[frame.page] = self.documents(frame.page) + 1
            self.stays(frame.page)

    def stays(self, page: Page) -> None:
        """Whatever was pending is over."""
        self._pending.pop(page, None)
        self._changed.set()

    def forget(self, page: Page) -> None:
        """A page was closed."""
        self._answers.pop(page, None)
        self._committed.pop(page, None)
        self._documents.pop(page, None)
        self.stays(page)

    async def _until(self, holds: Callable[[], bool], seconds: float) -> bool:
        try:
            async with asyncio.timeout(max(seconds, 0)):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            return holds()
        return True


def _page_of(request: Request) -> Page | None:
    """The page whose main document is asked for; None for everything else."""
    if not request.is_navigation_request():
        return None
    try:
        frame = request.frame
    except PlaywrightError:  # asked for before its frame exists (a tab being opened), or by a worker
        return None
    return frame.page if frame.parent_frame is None else None
