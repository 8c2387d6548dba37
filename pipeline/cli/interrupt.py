"""Running the async part of a command so that Ctrl-C first drains and then stops. Owns the signal handlers."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pipeline.errors import EnvironmentFault

T = TypeVar("T")

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupted(Exception):
    """The user stopped the command before it had a result; ``str()`` says how to go on, if there is a way."""


@dataclass(frozen=True)
class Finished(Generic[T]):
    """A result, and whether it came early because the user asked to stop."""

    value: T
    interrupted: bool


def run_to_end(
    work: Callable[[asyncio.Event], Coroutine[Any, Any, T]],
    *,
    say: Callable[[str], None],
    drains: bool = False,
    how_to_go_on: str = "",
) -> Finished[T]:
    """Run ``work`` with an event that is set at the first signal; the second one (the first, unless it drains) cancels.

    Raises:
        Interrupted: the work was cancelled by a signal.
    """
    return asyncio.run(_supervised(work, say, drains, how_to_go_on))


async def _supervised(
    work: Callable[[asyncio.Event], Coroutine[Any, Any, T]],
    say: Callable[[str], None],
    drains: bool,
    how_to_go_on: str,
) -> Finished[T]:
    stop = asyncio.Event()
    task = asyncio.ensure_future(work(stop))

    def on_signal() -> None:
        if drains and not stop.is_set():
            say("Stopping: what is running is brought to an end; press Ctrl-C again to stop at once.")
        elif not task.cancelling():
            if not task.cancel():
                return  # it has its result already
            say("Stopping at once.")
        stop.set()

    # Futures of a browser that was ended under our hands are nobody's business any more.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, on_signal)
    try:
        value = await task
    except (asyncio.CancelledError, EnvironmentFault):
        if not stop.is_set():
            raise
        # a signal to all of a process group ends the browser and its driver under our hands as well
        raise Interrupted(how_to_go_on) from None
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
    if stop.is_set() and not drains:
        raise Interrupted(how_to_go_on)  # what was found while it was stopped is no result
    return Finished(value, stop.is_set())
