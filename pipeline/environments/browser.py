"""Finding and launching Chromium, and sharing one of it among workers. Refuses to know pages."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from playwright.async_api import Browser, BrowserContext, Playwright, async_playwright
from playwright.async_api import Error as PlaywrightError

from pipeline.environments import leftovers
from pipeline.environments.faults import CALL_SECONDS, first_line, within
from pipeline.errors import BrowserFault, UserError

OVERRIDE = "TASKSIEVE_CHROMIUM"
HOW_TO_GET = (
    "No Chromium was found: run 'playwright install chromium' (or install your distribution's chromium package), "
    f"or set {OVERRIDE} to the path of one."
)
CONTEXTS_PER_BROWSER = 200
MEMORY_LIMIT_MB = 3000
_LAUNCH_SECONDS = 30.0
_CLOSE_SECONDS = 4.0
_SHELL_NAMES = ("chromium-headless-shell",)
"""Builds without a window: a third less work for the same page, since no browser interface is drawn around it."""
_DISTRIBUTION_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=AutofillServerCommunication",  # asks a server about every form it sees
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # peer connections would go round the proxy
)


@dataclass(frozen=True)
class BrowserFound:
    """A browser that can be launched: its path and where it came from."""

    path: str
    origin: str


async def find_browser() -> BrowserFound | None:
    """The browser that will be used, or None; starts playwright's driver shortly to ask for its own download.

    Raises:
        BrowserFault: the override names a file that does not exist.
    """
    early = _overridden()
    if early:
        return early
    async with within(_LAUNCH_SECONDS, "asking playwright for its browser"), async_playwright() as playwright:
        return _found(playwright)


def _overridden() -> BrowserFound | None:
    path = os.environ.get(OVERRIDE, "")
    if path and not Path(path).exists():
        raise BrowserFault(f"{OVERRIDE} names {path!r}, which does not exist; correct or unset it.")
    return BrowserFound(path, OVERRIDE) if path else None


def _found(playwright: Playwright, headed: bool = False) -> BrowserFound | None:
    own = playwright.chromium.executable_path
    if own and Path(own).exists():
        return BrowserFound(own, "playwright")
    for name in (*(() if headed else _SHELL_NAMES), *_DISTRIBUTION_NAMES):
        path = shutil.which(name) or f"/usr/bin/{name}"
        if Path(path).exists():
            return BrowserFound(path, "distribution")
    return None


@dataclass(eq=False)
class _Generation:
    """One launched browser; retired when it is old, closed when its last context is."""

    playwright: Playwright
    browser: Browser
    made: int = 0
    open: set[BrowserContext] = field(default_factory=set)
    retired: bool = False


class SharedBrowser:
    """One browser for all workers: relaunched when it died, replaced when it is old or big, its files swept.

    Use as ``async with SharedBrowser(child_env) as browser``. ``child_env`` is added to the browser's environment, so
    that a later start can recognise what a killed run left.
    """

    def __init__(
        self,
        child_env: Mapping[str, str] | None = None,
        *,
        contexts_per_browser: int = CONTEXTS_PER_BROWSER,
        memory_limit_mb: int = MEMORY_LIMIT_MB,
        headed: bool = False,
    ) -> None:
        self._headed = headed
        self._child_env = dict(child_env or {})
        self._contexts_per_browser = contexts_per_browser
        self._memory_limit_mb = memory_limit_mb
        self._lock = asyncio.Lock()
        self._now: _Generation | None = None
        self._all: list[_Generation] = []
        self._temp: leftovers.TempRoot | None = None
        self.launches = 0

    async def __aenter__(self) -> Self:
        leftovers.sweep()
        self._temp = leftovers.TempRoot()
        return self

    async def __aexit__(self, *_: object) -> None:
        for generation in list(self._all):
            await self._end(generation)
        if self._temp:
            self._temp.remove()

    async def new_context(self, **options: Any) -> BrowserContext:
        """A context in the current browser, launched first where there is none alive.

        A browser that opens none, such as one that died unnoticed a moment ago, is replaced once.

        Raises:
            BrowserFault: no browser is installed, or it could not be launched.
        """
        async with self._lock:
            try:
                return await self._opened(**options)
            except BrowserFault:
                if self._now is None:
                    raise  # it could not even be launched
                dead = self._now
                self._retire(dead)
                if not dead.open:
                    await self._end(dead)
            return await self._opened(**options)

    async def _opened(self, **options: Any) -> BrowserContext:
        generation = await self._current()
        async with within(CALL_SECONDS, "opening a browser session"):
            context: BrowserContext = await generation.browser.new_context(**options)
        generation.made += 1
        generation.open.add(context)
        return context

    def is_stale(self, context: BrowserContext) -> bool:
        """True when the context's browser died or is to be replaced; its user should take a new context."""
        generation = self._of(context)
        return generation is None or generation.retired or not generation.browser.is_connected()

    async def release(self, context: BrowserContext) -> None:
        """Close a context, and its browser if that was retired and is now empty; never raises.

        A context that cannot be closed takes its browser with it as soon as nobody else uses that.
        """
        generation = self._of(context)
        if generation is None:
            return
        generation.open.discard(context)
        try:
            async with asyncio.timeout(_CLOSE_SECONDS):
                await context.close()
        except (PlaywrightError, TimeoutError):
            self._retire(generation)
        if generation.retired and not generation.open:
            await self._end(generation)

    def retire_if_big(self) -> None:
        """Retire the current browser when its processes together hold more memory than the limit."""
        if self._now is not None and self._temp is not None and self._temp.megabytes() > self._memory_limit_mb:
            self._retire(self._now)

    def _of(self, context: BrowserContext) -> _Generation | None:
        return next((g for g in self._all if context in g.open), None)

    async def _current(self) -> _Generation:
        now = self._now
        if now is not None and (now.made >= self._contexts_per_browser or not now.browser.is_connected()):
            self._retire(now)
            if not now.open or not now.browser.is_connected():
                await self._end(now)
        if self._now is None:
            self._now = await self._launch()
            self._all.append(self._now)
        return self._now

    def _retire(self, generation: _Generation) -> None:
        generation.retired = True
        if self._now is generation:
            self._now = None

    async def _launch(self) -> _Generation:
        assert self._temp is not None, "SharedBrowser is used inside 'async with'"
        env = {**os.environ, **self._child_env, "TMPDIR": str(self._temp.path)}
        async with within(_LAUNCH_SECONDS, "launching the browser"):
            playwright = await async_playwright().start()
            try:
                browser = await _launch_chromium(playwright, env, self._headed, self._temp.path)
            except BaseException:
                await playwright.stop()
                raise
        self._temp.adopt_profiles()
        self.launches += 1
        return _Generation(playwright, browser)

    async def _end(self, generation: _Generation) -> None:
        if generation in self._all:
            self._all.remove(generation)
        if self._now is generation:
            self._now = None
        with suppress(Exception):  # a browser that is already dead cannot be closed, and need not be
            async with asyncio.timeout(_CLOSE_SECONDS):
                await generation.browser.close()
        with suppress(Exception):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await generation.playwright.stop()


async def _launch_chromium(playwright: Playwright, env: Mapping[str, str], headed: bool, temp: Path) -> Browser:
    if headed and sys.platform.startswith("linux") and not (env.get("DISPLAY") or env.get("WAYLAND_DISPLAY")):
        raise UserError("There is no display to show a browser on (DISPLAY is not set); leave out --headed.")
    found = _overridden() or _found(playwright, headed)
    if found is None:
        raise BrowserFault(HOW_TO_GET)
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    try:
        return await playwright.chromium.launch(
            # of its own downloads playwright knows the lighter one that needs no window
            executable_path=None if found.origin == "playwright" else found.path,
            headless=not headed,
            args=[*_ARGUMENTS, *(("--no-sandbox",) if as_root else ())],
            env=dict(env),
            downloads_path=temp / "artifacts",  # or the driver makes a folder of its own
            handle_sigint=False,  # the run drains by itself on Ctrl-C
            handle_sigterm=False,
            handle_sighup=False,
            timeout=_LAUNCH_SECONDS * 1000,
        )
    except PlaywrightError as error:
        raise BrowserFault(
            f"The browser {found.path} could not be launched: {first_line(error)}. See `tasksieve doctor`."
        ) from error
