"""Pictures of the viewport, with a box marked and passwords covered, without changing the page's document."""

from __future__ import annotations

import base64

from playwright.async_api import CDPSession, Page

from pipeline.domain.observation import Box
from pipeline.environments.faults import CALL_SECONDS, within
from pipeline.environments.session import BrowserSession

QUALITY = 70
# The outline is drawn on a copy in memory: an element laid over the page would be seen by the page, and the inspector's
# own overlay is not painted by browsers without a window.
_DRAW = """async (picture, x, y, width, height, quality) => {
  const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  pen.strokeStyle = "rgb(220, 30, 30)";
  pen.lineWidth = 3;
  pen.strokeRect(x - 2, y - 2, width + 4, height + 4);
  const drawn = new Uint8Array(await (await canvas.convertToBlob({ type: "image/jpeg", quality })).arrayBuffer());
  let text = "";
  for (let i = 0; i < drawn.length; i += 8192) text += String.fromCharCode(...drawn.subarray(i, i + 8192));
  return btoa(text);
}"""


async def take(session: BrowserSession, mark: Box | None) -> bytes:
    """JPEG of the current viewport.

    Raises:
        BrowserFault: the browser did not answer in time.
    """
    page = session.page
    async with within(CALL_SECONDS, "taking a picture"):
        plain = await _shot(page)
        return plain if mark is None else await _marked(await session.devtools(), plain, mark)


async def _marked(tools: CDPSession, plain: bytes, mark: Box) -> bytes:
    """Drawn in a world of its own inside the page, where the page's scripts have no hand in it."""
    tree = await tools.send("Page.getFrameTree")
    world = await tools.send(
        "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "tasksieve"}
    )
    given = [base64.b64encode(plain).decode(), mark.x, mark.y, mark.width, mark.height, QUALITY / 100]
    answer = await tools.send(
        "Runtime.callFunctionOn",
        {
            "functionDeclaration": _DRAW,
            "executionContextId": world["executionContextId"],
            "arguments": [{"value": value} for value in given],
            "awaitPromise": True,
            "returnByValue": True,
        },
    )
    drawn = answer["result"].get("value")
    return base64.b64decode(drawn) if isinstance(drawn, str) else plain


async def _shot(page: Page) -> bytes:
    passwords = page.locator("input[type=password]")
    hidden = [passwords] if await passwords.count() else []
    return await page.screenshot(type="jpeg", quality=QUALITY, caret="initial", mask=hidden, mask_color="#444444")
