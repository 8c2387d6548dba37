"""Pictures of the viewport, with a box marked and passwords covered, without changing the page's document."""

from __future__ import annotations

from playwright.async_api import CDPSession, Page

from pipeline.domain.observation import Box
from pipeline.environments.faults import CALL_SECONDS, within
from pipeline.environments.session import BrowserSession

QUALITY = 70
_OUTLINE = {"r": 220, "g": 30, "b": 30, "a": 1}
_FILL = {"r": 220, "g": 30, "b": 30, "a": 0.08}


async def take(session: BrowserSession, mark: Box | None) -> bytes:
    """JPEG of the current viewport.

    Raises:
        BrowserFault: the browser did not answer in time.
    """
    page = session.page
    async with within(CALL_SECONDS, "taking a picture"):
        if mark is None:
            return await _shot(page)
        tools = await session.devtools()
        await _outline(tools, mark)
        try:
            return await _shot(page)
        finally:
            await tools.send("Overlay.hideHighlight")
            await tools.send("Overlay.disable")


async def _outline(tools: CDPSession, mark: Box) -> None:
    """The inspector's overlay is painted above the page and is no part of its document."""
    await tools.send("DOM.enable")
    await tools.send("Overlay.enable")
    place = {"x": round(mark.x), "y": round(mark.y), "width": round(mark.width), "height": round(mark.height)}
    await tools.send("Overlay.highlightRect", {**place, "color": _FILL, "outlineColor": _OUTLINE})


async def _shot(page: Page) -> bytes:
    passwords = page.locator("input[type=password]")
    hidden = [passwords] if await passwords.count() else []
    return await page.screenshot(type="jpeg", quality=QUALITY, caret="initial", mask=hidden, mask_color="#444444")
