"""When a page counts as settled: its document is quiet, is not being left, and nothing short is on its way.

"Network idle" is no such rule: a page that polls is never idle. Here the document's own changes are watched, requests
that the last action began are awaited for a bounded time, and everything is under a hard cap.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from pipeline.environments.faults import CALL_SECONDS, NAVIGATION_SECONDS, document_went
from pipeline.environments.navigations import Navigations
from pipeline.errors import AppFault

WATCH_SCRIPT = resources.files(__package__).joinpath("page_watch.js").read_text("utf-8")
QUIET_MS = 20
REST_MS = 10
"""What follows a document's load event, for what its handlers put off."""
STEADY_MS = 300
"""Quiet that is asked for where a page has already undone an input once."""
PATIENCE_MS = 600
"""How long a request of the page's script is awaited before it counts as a long poll."""
LOAD_PATIENCE_MS = 1000
"""How long pictures and the like may still load after the document itself was read."""
CAP_SECONDS = 2.0
_LEAVE_SECONDS = 0.5
_PATIENCE = {"patience": PATIENCE_MS, "loadPatience": LOAD_PATIENCE_MS}

_SETTLED = """async (wish) => {
  const watch = window.__tasksieve;
  if (!watch) { await new Promise((done) => setTimeout(done, wish.quiet)); return { how: "quiet", opened: 0 }; }
  const how = await watch.settled(wish);
  return { how, opened: watch.opened() };
}"""
_STAY = "() => { if (window.__tasksieve) window.__tasksieve.stay(); }"


@dataclass(frozen=True)
class Settled:
    """How waiting ended; ``note`` is empty when the page was quiet."""

    note: str = ""
    opened: int = 0
    """Tabs that the page has begun to open since the last look."""


async def settle(
    page: Page, navigations: Navigations, slow: Iterable[str], fresh: bool, quiet: int, since: int | None = None
) -> Settled:
    """Wait until the page is quiet; ``fresh`` when an input was just sent, so that quiet is measured from now.

    ``quiet`` is in milliseconds; ``slow`` are requests known to be long polls. ``since`` is how many documents there
    were before the input, where whoever comes next waits for what it needs: of another document than those no more is
    awaited than that it has loaded. Bounded by ``CAP_SECONDS`` a document, and by ``NAVIGATION_SECONDS`` in all.

    Raises:
        AppFault: a document that was asked for did not come.
    """
    end = time.monotonic() + NAVIGATION_SECONDS
    cap = time.monotonic() + CAP_SECONDS
    opened, rest = 0, REST_MS
    while True:
        if not await navigations.over(page, end - time.monotonic()):
            raise AppFault(f"The application did not answer within {NAVIGATION_SECONDS:g} s while a page was opened.")
        if since is not None and navigations.documents(page) != since:
            quiet, rest, fresh = 0, 0, False
        asked = {"quiet": quiet, "rest": rest, "fresh": fresh}
        wish = {**_PATIENCE, **asked, "cap": max(cap - time.monotonic(), 0.05) * 1000, "slow": list(slow)}
        try:
            # while a navigation is pending the browser holds such questions back, so this one has a deadline of its own
            async with asyncio.timeout(min(max(end - time.monotonic(), 0.05), CALL_SECONDS)):
                answer = await page.evaluate(_SETTLED, wish)
            opened += int(answer["opened"])
            if answer["how"] == "leaving" and not await navigations.begun(page, _LEAVE_SECONDS):
                await page.evaluate(_STAY)  # it was called off, or went to a program outside the browser
        except TimeoutError:
            if not navigations.pending(page):
                raise
            continue
        except PlaywrightError as error:
            if not document_went(error) or time.monotonic() > end:
                raise
            cap, fresh = time.monotonic() + CAP_SECONDS, False  # another document: it gets its own time
            continue
        if answer["how"] == "quiet" and not navigations.pending(page):
            return Settled("", opened)
        if (answer["how"] == "busy" and not navigations.pending(page)) or time.monotonic() > end:
            return Settled("never settled", opened)
