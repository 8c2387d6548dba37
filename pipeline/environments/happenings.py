"""What happens beside an action: dialogs, tabs, downloads, refused requests, crashes. Notes it, answers dialogs."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, Dialog, Download, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from pipeline.domain.environment import ServerFault, Traffic
from pipeline.domain.step import Event
from pipeline.domain.values import clean_text
from pipeline.environments.navigations import Navigations
from pipeline.environments.origins import REFUSAL_HEADER, Blocked, Leaks, Origins

T = TypeVar("T")

MAX_EXTRA_TABS = 3
MAX_EVENTS = 50
"""Events kept of one step; a page that raises more is storming, and the rest is only counted."""
MAX_DIALOGS = 30
"""Dialogs in one step after which the page is held to be hostile and closed."""
TEXT_LIMIT = 500
MAX_FAULTS = 50
"""Server faults kept of one run."""
_ASKED_FOR = frozenset({"document", "xhr", "fetch"})
"""What a page is made of or a script acts upon; a picture that is missing breaks nothing."""


class Happenings:
    """Listens to one context. ``pages`` are its open pages, oldest first; ``traffic`` is the environment's."""

    def __init__(self, origins: Origins, traffic: Traffic) -> None:
        self._origins = origins
        self._leaks = Leaks(origins)
        self._traffic = traffic
        self._events: list[Event] = []
        self._opened: list[tuple[Event, Page]] = []
        self._opening = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.navigations = Navigations()
        self.pages: list[Page] = []
        self.refusal_token = ""
        self.dialog_answer: Literal["accept", "dismiss"] = "dismiss"
        self.accept_leaving = False
        """Answer of "leave this page?" where the action itself was to go elsewhere."""
        self.crashed = False
        self.dialogs = 0
        self.blocked = 0
        self.documents_blocked = 0
        self.tabs_refused = 0
        self.stormed = False
        """A page raised so many dialogs that it was closed."""

    def listen(self, context: BrowserContext) -> None:
        """Subscribe to everything of a context; call before its first page."""
        context.on("request", _at_hand(self.navigations.asked))
        context.on("response", _at_hand(self._on_response))
        context.on("requestfailed", _at_hand(self._on_failure))
        context.on("page", self._on_page)
        context.on("dialog", self._on_dialog)

    def start_step(self, dialog: Literal["accept", "dismiss"], accept_leaving: bool) -> None:
        """Set how dialogs of the coming action are answered."""
        self.dialog_answer, self.accept_leaving, self.dialogs = dialog, accept_leaving, 0

    def take(self) -> tuple[Event, ...]:
        """Events since the last call."""
        taken, self._events = self._events, []
        opened, self._opened = self._opened, []
        for event, page in opened:  # a tab is blank when it opens; by now it is known where it leads
            if event in taken and page.url not in ("", "about:blank"):
                place = clean_text(page.url)[:TEXT_LIMIT]
                taken[taken.index(event)] = event.model_copy(update={"text": place})
        return tuple(taken)

    def note(self, event: Event) -> None:
        """Add an event to the running step."""
        if len(self._events) < MAX_EVENTS:
            self._events.append(event)

    def on_blocked(self, blocked: Blocked) -> None:
        """The sink refused a request."""
        self.blocked += 1
        self.documents_blocked += blocked.document
        self._leaks.refused(blocked.destination)
        self._opening.set()
        self._traffic.off_origin_blocked += 1
        self.note(Event(kind="blocked-request", text=clean_text(blocked.destination)[:TEXT_LIMIT], answer="refused"))

    async def tab_opened(self, known: int, seconds: float) -> bool:
        """Wait until there are more pages than ``known``; False when none came, or its document was refused."""
        refused = self.documents_blocked
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while len(self.pages) <= known and self.documents_blocked == refused:
                    self._opening.clear()
                    await self._opening.wait()
        return len(self.pages) > known

    async def drain(self) -> None:
        """Wait for answers and closings that are under way."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=2.0)

    def _on_response(self, response: Response) -> None:
        self.navigations.answered(response)
        if response.status >= 500 and response.request.resource_type in _ASKED_FOR:
            self._note_fault(response)
        ours = bool(self.refusal_token) and response.headers.get(REFUSAL_HEADER) == self.refusal_token
        self._traffic.off_origin_requests += self._leaks.answered(response.url, ours)

    def _note_fault(self, response: Response) -> None:
        path = clean_text(urlsplit(response.url).path.partition(";")[0])[:TEXT_LIMIT]
        fault = ServerFault(method=response.request.method, status=response.status, path=path)
        known = self._traffic.server_faults
        if self._origins.allows(response.url) and fault not in known and len(known) < MAX_FAULTS:
            known.append(fault)

    def _on_failure(self, request: Request) -> None:
        self.navigations.failed(request)
        self._traffic.off_origin_requests += self._leaks.failed(request.url, request.failure or "")

    def _on_page(self, page: Page) -> None:
        page.on("framenavigated", _at_hand(self.navigations.arrived))
        page.on("download", self._on_download)
        page.on("crash", self._on_crash)
        page.on("close", self._on_close)
        if len(self.pages) > MAX_EXTRA_TABS:
            self.tabs_refused += 1
            self.note(Event(kind="tab-closed", text=clean_text(page.url)[:TEXT_LIMIT], answer="too many tabs"))
            self._start(page.close())
            return
        self.pages.append(page)
        if len(self.pages) > 1:
            event = Event(kind="new-tab", text=clean_text(page.url)[:TEXT_LIMIT], answer="followed")
            self.note(event)
            self._opened.append((event, page))
        self._opening.set()

    def _on_close(self, page: Page) -> None:
        self.navigations.forget(page)
        if page in self.pages:
            self.pages.remove(page)
            if self.pages:
                self.note(Event(kind="tab-closed", text=clean_text(page.url)[:TEXT_LIMIT]))

    def _on_crash(self, page: Page) -> None:
        self.crashed = True
        self.navigations.stays(page)
        self.note(Event(kind="crash", text=clean_text(page.url)[:TEXT_LIMIT]))

    def _on_download(self, download: Download) -> None:
        self.navigations.stays(download.page)
        name = clean_text(download.suggested_filename)[:TEXT_LIMIT]
        self.note(Event(kind="download", text=name, answer="dropped"))

    def _on_dialog(self, dialog: Dialog) -> None:
        self.dialogs += 1
        accept = dialog.type == "alert" or self.dialog_answer == "accept"
        if dialog.type == "beforeunload":
            accept = accept or self.accept_leaving
        answer = f"{dialog.type} {'accepted' if accept else 'dismissed'}"
        self.note(Event(kind="dialog", text=clean_text(dialog.message)[:TEXT_LIMIT], answer=answer))
        if self.dialogs > MAX_DIALOGS and dialog.page is not None:
            self.stormed = True
            self._start(dialog.page.close())
            return
        if dialog.type == "beforeunload" and not accept and dialog.page is not None:
            self.navigations.stays(dialog.page)
        self._start(_answered(dialog, accept))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(_quietly(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _at_hand(handler: Callable[[T], None]) -> Callable[[T], None]:
    """The handler with its signature kept, which playwright works out at every event, at more cost than handling it."""

    def told(happening: T) -> None:
        handler(happening)

    told.__signature__ = inspect.signature(told)  # type: ignore[attr-defined]  # as ``inspect`` documents it
    return told


async def _answered(dialog: Dialog, accept: bool) -> None:
    if accept:
        await dialog.accept(dialog.default_value)
    else:
        await dialog.dismiss()


async def _quietly(work: Awaitable[None]) -> None:
    """A page that went away needs no answer any more."""
    with suppress(PlaywrightError):
        await work
