"""The web adapter of ``pipeline.domain.environment.Environment``: joins sessions, looking and acting."""

from __future__ import annotations

from pipeline.domain.action import Action
from pipeline.domain.environment import SessionState, Surroundings, Traffic
from pipeline.domain.observation import Box, Locator, Observation
from pipeline.domain.step import ActionOutcome
from pipeline.environments import picture
from pipeline.environments.acting import Actor
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.landing import arrive
from pipeline.environments.session import BrowserSession
from pipeline.errors import EnvironmentFault


class WebEnvironment:
    """One app instance seen through a browser. One user at a time; every method has a deadline."""

    def __init__(self, browser: SharedBrowser, surroundings: Surroundings) -> None:
        self.traffic = Traffic()
        self._session = BrowserSession(browser, surroundings, self.traffic)
        self._aside = BrowserSession(browser, surroundings, self.traffic)
        self._actor = Actor(self._session)

    async def begin(self, session: SessionState | None, location: str) -> Observation:
        """A session equal to a new one, signed in as given, standing at ``location``.

        Raises:
            BrowserFault: the browser is missing, broken, or did not answer in time.
            AppFault: nothing answers at the location.
        """
        return self._actor.begin(await _arrive(self._session, session, location))

    async def observe(self) -> Observation:
        """Wait until settled and look."""
        return await self._actor.observe()

    async def glimpse(self, *wanted: Locator) -> Observation:
        """Wait until settled and see the place, its words, and those of the wanted (by role and name) that it shows."""
        return await self._actor.glimpse(wanted)

    async def act(self, action: Action, seen: Observation, hurried: bool = False) -> ActionOutcome:
        """Do one action. Targets are resolved in the adapter's own latest observation, of which ``seen`` is a copy.

        An action on a page that came since then is resolved on the page itself where it has just one such element;
        ``hurried`` tells that nobody looks before the next one.
        """
        try:
            return await self._actor.act(action, hurried)
        except EnvironmentFault:
            self._session.broken = True
            raise

    async def glance(self, session: SessionState | None, location: str) -> Observation:
        """Look at a location in a fresh session; the running one is not disturbed."""
        return await _arrive(self._aside, session, location)

    async def save_session(self, user: str) -> SessionState:
        """Cookies and storage of the running session. Secret."""
        return SessionState(user=user, stored=await self._session.save())

    async def picture(self, mark: Box | None = None) -> bytes:
        """JPEG of the viewport, quality 70."""
        return await picture.take(self._session, mark)

    async def close(self) -> None:
        """End both sessions; idempotent."""
        await self._session.close()
        await self._aside.close()


async def _arrive(place: BrowserSession, session: SessionState | None, location: str) -> Observation:
    try:
        return await arrive(place, session, location)
    except EnvironmentFault:
        place.broken = True
        raise
