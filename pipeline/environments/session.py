"""One browser context, kept warm and made equal to a new one before every run.

A new context has a cold HTTP cache, which costs more than the run itself on a real application. So the context stays,
and what tells it from a new one is removed: cookies, storage, workers, history, extra tabs, pointer position. Whether
that worked is checked in the first document of the run; where it did not, the context is thrown away.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import BrowserContext, CDPSession, Page, Route
from playwright.async_api import Error as PlaywrightError

from pipeline.domain.environment import SessionState, Surroundings, Traffic
from pipeline.domain.redact import Redactor
from pipeline.domain.step import Event
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.faults import CALL_SECONDS, NAVIGATION_SECONDS, no_document, within
from pipeline.environments.happenings import Happenings
from pipeline.environments.origins import Origins, Sink
from pipeline.environments.settle import QUIET_MS, WATCH_SCRIPT, Settled, settle
from pipeline.errors import BrowserFault, EnvironmentFault

RUNS_PER_CONTEXT = 200
"""Request objects live as long as their context; a long run takes a new one now and then."""
_STORAGE = "local_storage,indexeddb,cache_storage,service_workers,file_systems,websql,interest_groups,shared_storage"
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_TAB_SECONDS = 1.5
_END_SECONDS = 1.0


class BrowserSession:
    """One context with its current page. Not safe for concurrent use."""

    def __init__(self, browser: SharedBrowser, surroundings: Surroundings, traffic: Traffic) -> None:
        self._browser = browser
        self._surroundings = surroundings
        self._traffic = traffic
        self._sink: Sink | None = None
        self._context: BrowserContext | None = None
        self._devtools: tuple[Page, CDPSession] | None = None
        self._touched: set[str] = set()
        self._runs = 0
        self.origins = Origins(surroundings.allowed_origins)
        self.happenings = Happenings(self.origins, traffic)
        self.redactor = Redactor(surroundings.secrets)
        self.broken = False
        self.tab_is_used = False
        """The tab holds what only closing it removes: session storage or a window name."""
        self.tab_is_new = False
        """The tab was opened for the present run."""
        self.carried_over = False
        """The present document began with session storage or a window name."""
        self.slow_requests: set[str] = set()

    @property
    def page(self) -> Page:
        """The page a person would be looking at: the newest tab.

        Raises:
            BrowserFault: there is none, or it crashed.
        """
        pages = self.happenings.pages
        if self.happenings.crashed:
            raise BrowserFault("The page crashed.")
        if self.happenings.stormed:
            raise BrowserFault("The page raised dialogs without end.")
        if not pages:
            raise BrowserFault("The session has no open page.")
        return pages[-1]

    async def renew(self, state: SessionState | None) -> None:
        """Become equal to a new session with this state, standing on a blank page."""
        stored: Mapping[str, Any] = state.stored if state else {}
        if self._context is None or self._is_worn_out(self._context):
            context = await self._open()
        else:
            context = await self._cleared(self._context)
        async with within(CALL_SECONDS, "filling the session"):
            await _restore(context, stored)
        self._runs += 1
        self.happenings.take()

    async def land(self, location: str) -> None:
        """Go to a location; returns when its document began to arrive. A file leaves the blank page."""
        self._note_origin(location)
        async with within(NAVIGATION_SECONDS + 1, f"opening {location}"):
            try:
                await self.page.goto(location, wait_until="commit", timeout=NAVIGATION_SECONDS * 1000)
            except PlaywrightError as error:
                if not no_document(error):
                    raise

    async def settle(self, fresh: bool, quiet: int = QUIET_MS, since: int | None = None) -> Settled:
        """Wait until the current page is settled; a tab that is being opened is awaited and followed.

        ``since`` as for ``pipeline.environments.settle.settle``.
        """
        known = len(self.happenings.pages)
        async with within(NAVIGATION_SECONDS + CALL_SECONDS, "waiting for the page to settle"):
            done = await self._settle_current(fresh, quiet, since)
            if done.opened:
                if await self.happenings.tab_opened(known, _TAB_SECONDS):
                    done = await self._settle_current(fresh, quiet, None)
                else:
                    await self._close_stillborn_tabs()
        self._note_origin(self.page.url)
        return done

    async def _settle_current(self, fresh: bool, quiet: int, since: int | None) -> Settled:
        """A tab may close or open while it is waited for."""
        for _ in range(5):
            page = self.page
            try:
                done = await settle(page, self.happenings.navigations, self.slow_requests, fresh, quiet, since)
            except PlaywrightError:
                if not page.is_closed():
                    raise
                continue  # the next turn sees the tab before, or tells why there is none
            if page is self.page:
                return done
        return Settled("tabs keep opening and closing")

    async def save(self) -> dict[str, Any]:
        """Cookies and storage. Secret."""
        if self._context is None:
            raise BrowserFault("There is no running session to save.")
        async with within(CALL_SECONDS, "saving the session"):
            state = await self._context.storage_state()
        return {"cookies": list(state.get("cookies", [])), "origins": list(state.get("origins", []))}

    async def close(self) -> None:
        """End the context and its sink; idempotent."""
        await self._drop_context()
        if self._sink is not None:
            await self._sink.close()
            self._sink = None

    async def devtools(self) -> CDPSession:
        """The protocol session of the current page."""
        page = self.page
        if self._devtools is None or self._devtools[0] is not page:
            self._devtools = (page, await page.context.new_cdp_session(page))
        return self._devtools[1]

    async def _close_stillborn_tabs(self) -> None:
        """Tabs whose first document was refused are never told of by playwright, yet they are there."""
        tools = await self.devtools()
        me = (await tools.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
        for target in (await tools.send("Target.getTargets"))["targetInfos"]:
            if target["type"] == "page" and target.get("openerId") == me and not target["url"]:
                await tools.send("Target.closeTarget", {"targetId": target["targetId"]})
                self.happenings.note(Event(kind="tab-closed", text="", answer="its location was refused"))

    def _is_worn_out(self, context: BrowserContext) -> bool:
        return (
            self.broken
            or self.happenings.crashed
            or self.happenings.stormed
            or self.happenings.tabs_refused > 0
            or not self.happenings.pages
            or self._runs >= RUNS_PER_CONTEXT
            or self._browser.is_stale(context)
        )

    async def _cleared(self, context: BrowserContext) -> BrowserContext:
        """The context cleaned, or a new one where it cannot be."""
        self.happenings.start_step("dismiss", accept_leaving=True)
        try:
            async with within(CALL_SECONDS, "clearing the session"):
                await self._clear(context)
        except EnvironmentFault:
            return await self._open()
        return context

    async def _open(self) -> BrowserContext:
        await self._drop_context()
        self._browser.retire_if_big()
        self.happenings = Happenings(self.origins, self._traffic)
        if self._sink is None:
            self._sink = await Sink(lambda blocked: self.happenings.on_blocked(blocked)).start()
        self.happenings.refusal_token = self._sink.token
        context = await self._browser.new_context(**self._options(self._sink))
        self._context, self._runs, self.broken = context, 0, False
        self.tab_is_used, self.tab_is_new = False, True
        self.happenings.listen(context)
        async with within(CALL_SECONDS, "preparing a new session"):
            await context.add_init_script(WATCH_SCRIPT)
            if self._surroundings.clock:
                await context.clock.set_fixed_time(self._surroundings.clock)
            if self._surroundings.read_only:
                await context.route("**/*", self._only_reads)
            await context.new_page()
            await self.devtools()  # made now, since a page that is busy for ever would not let it be made
        return context

    def _options(self, sink: Sink) -> dict[str, Any]:
        fixed = self._surroundings
        proxy = {"server": sink.address}
        if self.origins.bypass:
            proxy["bypass"] = self.origins.bypass
        return {
            "proxy": proxy,
            "locale": fixed.locale,
            "timezone_id": fixed.timezone,
            "viewport": {"width": fixed.width, "height": fixed.height},
            "device_scale_factor": 1,
            "color_scheme": "light",
            "reduced_motion": "reduce",
            "accept_downloads": False,
            # a worker's requests cannot be intercepted, so where writes are to be aborted there are no workers
            "service_workers": "block" if fixed.read_only else "allow",
        }

    async def _only_reads(self, route: Route) -> None:
        """Interception costs the HTTP cache; only sessions on applications that cannot be reset pay it."""
        request = route.request
        if request.method in _SAFE_METHODS:
            await route.continue_()
            return
        self._traffic.aborted_writes += 1
        text = f"{request.method} {urlsplit(request.url).path}"
        self.happenings.note(Event(kind="blocked-request", text=text, answer="aborted"))
        if request.is_navigation_request():
            await route.fulfill(status=204)  # the page stays; an aborted one would be replaced by an error page
        else:
            await route.abort()

    async def _clear(self, context: BrowserContext) -> None:
        pages = list(self.happenings.pages)
        for extra in pages[1:]:
            await extra.close()
        if self.tab_is_used:
            await context.new_page()
            await pages[0].close()
            self.tab_is_used, self.tab_is_new = False, True
        else:
            self.tab_is_new = False
            await pages[0].goto("about:blank", wait_until="commit")  # ends every script that could still write
        await self.happenings.drain()
        await self._prove_one_tab()
        tools = await self.devtools()
        await asyncio.gather(
            context.clear_cookies(),
            tools.send("Page.resetNavigationHistory"),
            self.page.mouse.move(0, 0),
            *(
                tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": _STORAGE})
                for origin in sorted(self._touched | set(self._surroundings.allowed_origins))
            ),
        )

    async def _prove_one_tab(self) -> None:
        """A script that had not ended may have opened a tab while the others were closed, which is told of later.

        Raises:
            BrowserFault: there is such a tab; only a new context is sure to be without it.
        """
        tools = await self.devtools()
        mine = (await tools.send("Target.getTargetInfo"))["targetInfo"].get("browserContextId")
        targets = (await tools.send("Target.getTargets"))["targetInfos"]
        tabs = [t for t in targets if t["type"] == "page" and t.get("browserContextId") == mine]
        if len(tabs) != 1 or len(self.happenings.pages) != 1:
            raise BrowserFault("A tab was opened while the session was cleared.")

    def _note_origin(self, location: str) -> None:
        parts = urlsplit(location)
        if parts.scheme in ("http", "https"):
            self._touched.add(f"{parts.scheme}://{parts.netloc}")

    async def _drop_context(self) -> None:
        context, tools = self._context, self._devtools
        self._context, self._devtools = None, None
        if context is None:
            return
        if self.broken and tools is not None:
            with suppress(PlaywrightError, TimeoutError):  # a script that never ends would hold the closing up
                async with asyncio.timeout(_END_SECONDS):
                    await tools[1].send("Runtime.terminateExecution")
        await self._browser.release(context)


async def _restore(context: BrowserContext, stored: Mapping[str, Any]) -> None:
    cookies, origins = stored.get("cookies", []), stored.get("origins", [])
    if origins:  # visits each origin once, which takes a tenth of a second
        await context.set_storage_state({"cookies": cookies, "origins": origins})
    elif cookies:
        await context.add_cookies(cookies)
