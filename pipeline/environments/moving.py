"""Moving between documents and within one: opening, going back, scrolling, and returning from refused places."""

from __future__ import annotations

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from pipeline.domain.observation import Box
from pipeline.domain.step import Event
from pipeline.environments.faults import CALL_SECONDS, NAVIGATION_SECONDS, first_line, no_document, within
from pipeline.environments.inputs import Sent
from pipeline.environments.session import BrowserSession
from pipeline.errors import AppFault

_ERROR_PAGE = "chrome-error://"
_BLANK = ("", "about:blank")


async def go(session: BrowserSession, location: str) -> Sent:
    """Open a location that is allowed; a download or an answer without content leaves the page where it is."""
    try:
        await session.page.goto(location, wait_until="commit", timeout=NAVIGATION_SECONDS * 1000)
    except PlaywrightError as error:
        if not no_document(error):
            raise
    return Sent()


async def go_back(session: BrowserSession) -> Sent:
    """One place back; refused where the run began."""
    tools = await session.devtools()
    history = await tools.send("Page.getNavigationHistory")
    index = int(history["currentIndex"])
    if index < 1 or history["entries"][index - 1]["url"] in _BLANK:
        return Sent("not-found", "there is no place before this one")
    await session.page.go_back(wait_until="commit", timeout=NAVIGATION_SECONDS * 1000)
    return Sent()


async def scroll(session: BrowserSession, steps: int, box: Box | None) -> None:
    """Turn the wheel by tenths of the viewport's height, over the element's middle or the viewport's."""
    size = session.page.viewport_size or {"width": 1280, "height": 800}
    x, y = size["width"] / 2, size["height"] / 2
    if box is not None:
        x = min(max(box.x + box.width / 2, 0), size["width"] - 1)
        y = min(max(box.y + box.height / 2, 0), size["height"] - 1)
    await session.page.mouse.move(x, y)
    await session.page.mouse.wheel(0, steps * size["height"] / 10)


async def after_refusal(session: BrowserSession, before: Page, blocked_before: int) -> None:
    """Leave an error page that a refused request left behind, so that the run goes on where a person would be.

    Raises:
        AppFault: the error page is not our refusal's: the application does not answer.
    """
    page, happenings = session.page, session.happenings
    refused = happenings.blocked > blocked_before
    async with within(NAVIGATION_SECONDS + CALL_SECONDS, "returning from a refused location"):
        if page is not before and page.url.startswith((_ERROR_PAGE, "about:blank")) and refused:
            await page.close()
            await happenings.drain()
        elif page.url.startswith(_ERROR_PAGE):
            if not refused:
                raise AppFault("The application did not answer: the browser shows its own error page.")
            try:
                await page.go_back(wait_until="commit", timeout=NAVIGATION_SECONDS * 1000)
            except PlaywrightError as error:
                happenings.note(Event(kind="blocked-request", text=first_line(error), answer="could not return"))
        else:
            return
    await session.settle(fresh=True)
