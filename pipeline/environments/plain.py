"""Replaying actions with Playwright alone: its own waiting, the load event after each, one warm context: a yardstick.

Nothing is observed, checked or recorded here, and origins are not enforced; it is used on applications of our own only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from playwright.async_api import BrowserContext, Dialog, Frame, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator as Found

from pipeline.domain.action import Action, Answer, Back, Check, Click, Fill, Open, Press, Scroll, Select
from pipeline.domain.environment import SessionState, Surroundings
from pipeline.domain.observation import Locator
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.faults import first_line
from pipeline.errors import BrowserFault

_ROLES = frozenset(
    "article banner cell complementary contentinfo dialog form grid group heading list listitem main menu navigation "
    "radiogroup region row rowgroup search table tabpanel toolbar".split()
)
"""Regions that Playwright can be asked for."""
_DEADLINE_MS = 5000


class PlainPlayer:
    """One page in a context that is made once; use as an async context manager."""

    def __init__(self, browser: SharedBrowser, surroundings: Surroundings, session: SessionState | None) -> None:
        self._browser = browser
        self._surroundings = surroundings
        self._session = session
        self._context: BrowserContext | None = None
        self._page: Page | None = None

    async def __aenter__(self) -> PlainPlayer:
        fixed = self._surroundings
        stored: Any = dict(self._session.stored) if self._session else None
        self._context = await self._browser.new_context(
            storage_state=stored,
            locale=fixed.locale,
            timezone_id=fixed.timezone,
            viewport={"width": fixed.width, "height": fixed.height},
        )
        self._context.set_default_timeout(_DEADLINE_MS)
        self._page = await self._context.new_page()
        self._page.on("dialog", _accept)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._context is not None:
            await self._browser.release(self._context)

    async def replay(self, start: str, actions: Sequence[Action]) -> None:
        """Open the start place and do every action; locations are absolute.

        Raises:
            BrowserFault: an action could not be done.
        """
        assert self._page is not None, "PlainPlayer is used inside 'async with'"
        try:
            await self._page.goto(start)
            for action in actions:
                await _do(self._page, action)
                await self._page.wait_for_load_state()
        except PlaywrightError as error:
            raise BrowserFault(f"Playwright alone could not replay: {first_line(error)}") from error

    async def snapshot(self) -> str:
        """Playwright's own picture of the page for assistive technology."""
        assert self._page is not None, "PlainPlayer is used inside 'async with'"
        return await self._page.locator("body").aria_snapshot()


async def _accept(dialog: Dialog) -> None:
    await dialog.accept()


async def _do(page: Page, action: Action) -> None:
    match action:
        case Click():
            await _found(page, action.target).click()
        case Fill():
            await _found(page, action.target).fill(action.text)
        case Select():
            await _found(page, action.target).select_option(label=action.option)
        case Check():
            await _found(page, action.target).set_checked(action.on)
        case Press():
            target = _found(page, action.target) if action.target else page.locator("body")
            await target.press(action.key)
        case Open():
            await page.goto(action.location)
        case Back():
            await page.go_back()
        case Scroll():
            await page.mouse.wheel(0, action.steps * page.viewport_size["height"] / 10 if page.viewport_size else 0)
        case Answer():
            pass
        case _:
            assert_never(action)


def _found(page: Page, target: Locator) -> Found:
    """By role, exact name and region, as the product's own locators say."""
    place: Page | Found | Frame = page
    for part in target.region:
        if part.role in _ROLES:
            place = place.get_by_role(part.role, name=part.name or None, exact=True).first  # type: ignore[arg-type]  # our roles are ARIA's
    found = place.get_by_role(target.role, name=target.name or None, exact=True)  # type: ignore[arg-type]  # likewise
    if target.field:
        found = found.and_(page.locator(f'[name="{target.field}"]'))
    return found.first
