"""Waiting until an application answers: bounded, polite to 429, and never fooled by a process that has died."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_before_delay

from pipeline.errors import AppFault, NetworkFault
from pipeline.net.http import Answer, Client, Unanswered, retry_after

_FIRST, _LONGEST = 0.02, 0.25
"""Seconds between tries: start-up takes 0.3 s for small applications, so the first tries are close together."""


@dataclass(frozen=True)
class Readiness:
    """What counts as ready."""

    url: str
    status: int = 200
    text: str = ""
    deadline: float = 30
    """Seconds until it is given up."""


class NotReady(AppFault):
    """Not ready by the deadline; ``lacks_text`` where everything but the wanted text was there at last."""

    def __init__(self, sentence: str, lacks_text: bool) -> None:
        super().__init__(sentence)
        self.lacks_text = lacks_text


class _NotYet(Exception):
    """Not ready: what was seen (nothing, where the deadline cut the try off), how long we were asked to wait."""

    def __init__(self, seen: str, pause: float | None = None, lacks_text: bool = False) -> None:
        super().__init__(seen)
        self.pause = pause
        self.lacks_text = lacks_text


async def wait_ready(client: Client, wanted: Readiness, died: Callable[[], str | None]) -> Answer:
    """The first answer that counts as ready.

    Args:
        client: stays on the application's origins.
        wanted: what counts as ready.
        died: one sentence when the application has ended, else None; asked before each try and after the good one.

    Raises:
        AppFault: it ended.
        NotReady: it was not ready by the deadline; the sentence says what was seen last.
        OffOrigin: it redirects to an origin that is not allowed.
    """
    until = time.monotonic() + wanted.deadline
    tries = AsyncRetrying(
        stop=stop_before_delay(wanted.deadline),
        wait=_pause,
        retry=retry_if_exception_type(_NotYet),
        reraise=True,
    )
    seen = _NotYet("the last try got no answer")
    try:
        async for attempt in tries:
            with attempt:
                try:
                    return await _try(client, wanted, died, until)
                except _NotYet as now:
                    seen = now if str(now) else seen
                    raise
    except _NotYet as last:
        said = f"{wanted.url} was not ready within {wanted.deadline:g} s; {seen}."
        raise NotReady(said, seen.lacks_text) from last
    raise NetworkFault(f"{wanted.url} was never asked.")  # unreachable: the first attempt always runs


async def _try(client: Client, wanted: Readiness, died: Callable[[], str | None], until: float) -> Answer:
    if sentence := died():
        raise AppFault(sentence)
    try:
        answer = await _answer(client, wanted.url, died, until)
    except TimeoutError as error:
        raise _NotYet("") from error
    except Unanswered as error:
        raise _NotYet("the last try got no answer") from error
    if sentence := died():  # what answered was another process on the same port
        raise AppFault(sentence)
    if answer.status == 429:
        raise _NotYet("it keeps answering 429 Too Many Requests", retry_after(answer.headers))
    if answer.status != wanted.status:
        raise _NotYet(f"it answers {answer.status} instead of {wanted.status}")
    if wanted.text not in answer.text:
        raise _NotYet(f"its answer does not hold {wanted.text!r}", lacks_text=True)
    return answer


async def _answer(client: Client, url: str, died: Callable[[], str | None], until: float) -> Answer:
    """One GET; given up at the deadline, or as soon as the application has ended: a stranger may hold its port."""
    asking = asyncio.ensure_future(client.get(url))
    try:
        while not asking.done():
            await asyncio.wait({asking}, timeout=max(0.0, min(0.05, until - time.monotonic())))
            if not asking.done() and (sentence := died()):
                raise AppFault(sentence)
            if not asking.done() and time.monotonic() > until:
                raise TimeoutError
        return asking.result()
    finally:
        asking.cancel()


def _pause(state: RetryCallState) -> float:
    """Seconds to the next try: from 20 to 250 ms, or what a Retry-After asks for."""
    failure = state.outcome.exception() if state.outcome else None
    asked = failure.pause if isinstance(failure, _NotYet) else None
    return asked if asked is not None else min(_LONGEST, _FIRST * 1.5 ** (state.attempt_number - 1))
