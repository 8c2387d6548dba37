"""Arriving: a clean session at a location, rate limits respected, and the proof that the session was clean."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pipeline.domain.environment import SessionState
from pipeline.domain.observation import Observation
from pipeline.environments.faults import CALL_SECONDS, NAVIGATION_SECONDS, within
from pipeline.environments.observing import look
from pipeline.environments.session import BrowserSession
from pipeline.errors import BrowserFault

TOO_MANY = 429
MAX_WAIT_SECONDS = 10.0
_DEFAULT_WAIT_SECONDS = 1.0
_MAX_RETRIES = 3


async def arrive(session: BrowserSession, state: SessionState | None, location: str) -> Observation:
    """Stand at ``location`` in a session equal to a new one.

    Raises:
        BrowserFault: the location is off limits, or the browser failed.
    """
    if not session.origins.allows(location):
        raise BrowserFault(f"The location {location!r} is outside the allowed origins.")
    seen = await _stand(session, state, location)
    if session.carried_over and not session.tab_is_new:
        # the tab kept something although it was blanked: take a new one, which has nothing by construction
        session.tab_is_used = True
        seen = await _stand(session, state, location)
    seen = await unhurried(session, seen)
    session.happenings.take()
    return seen


async def _stand(session: BrowserSession, state: SessionState | None, location: str) -> Observation:
    await session.renew(state)
    await session.land(location)
    return await look(session)


async def unhurried(session: BrowserSession, seen: Observation) -> Observation:
    """Where a page was refused with 429, wait as the server asked (bounded) and load it again.

    Only pages that were asked for by GET are loaded again: anything else would be done twice.
    """
    for _ in range(_MAX_RETRIES):
        answer = session.happenings.navigations.answer(session.page)
        if answer is None or answer.status != TOO_MANY or answer.method != "GET":
            return seen
        pause = wait_of(answer.retry_after, datetime.now(UTC))
        await asyncio.sleep(pause)
        async with within(NAVIGATION_SECONDS + CALL_SECONDS, "loading a page again after a rate limit"):
            await session.page.reload(wait_until="commit", timeout=NAVIGATION_SECONDS * 1000)
        seen = await look(session)
        seen = seen.model_copy(update={"notes": (*seen.notes, f"rate limited: waited {pause:g} s")})
    return seen


def wait_of(retry_after: str, now: datetime) -> float:
    """Seconds to wait for a Retry-After value (seconds or an HTTP date), between 0.1 and ``MAX_WAIT_SECONDS``."""
    seconds = _DEFAULT_WAIT_SECONDS
    text = retry_after.strip()
    if text.isdigit():
        seconds = float(text)
    elif text:
        try:
            seconds = (parsedate_to_datetime(text) - now).total_seconds()
        except (TypeError, ValueError):
            seconds = _DEFAULT_WAIT_SECONDS
    return min(max(seconds, 0.1), MAX_WAIT_SECONDS)
