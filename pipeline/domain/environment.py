"""What the workbench may ask of an environment. Adapters implement it; nothing here knows a platform."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from pipeline.domain.action import Action
from pipeline.domain.observation import Box, Locator, Observation
from pipeline.domain.step import ActionOutcome
from pipeline.domain.values import Value


@dataclass(frozen=True)
class SessionState:
    """What makes a signed-in user: cookies and storage, as the adapter saved them. Secret: never logged or exported."""

    user: str
    stored: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Surroundings:
    """Fixed surroundings of every session, so that dates, layout and language do not depend on the machine."""

    locale: str = "en-US"
    timezone: str = "UTC"
    width: int = 1280
    height: int = 800
    clock: str | None = None
    """ISO 8601 instant at which the session's clock stands, None for the machine's."""
    allowed_origins: tuple[str, ...] = ()
    """``scheme://host:port`` that may be touched; everything else is refused and counted."""
    read_only: bool = False
    """Abort and record every request that could change something (profiles that cannot be reset)."""
    secrets: frozenset[str] = field(default=frozenset(), repr=False)
    """What is taken out of everything that is read from a page."""


class ServerFault(Value):
    """The application answered a page, a form or a script with a server's error (status 5xx)."""

    method: str
    status: int
    path: str
    """Without query and path parameters."""


def told(faults: Iterable[ServerFault]) -> str:
    """One sentence about what the server answered, the first few of it; empty where there is nothing to tell."""
    said = sorted({f"{f.status} to {f.method} {f.path}" for f in faults})
    return f"The server answered {', '.join(said[:3])}{' and more' if said[3:] else ''}." if said else ""


@dataclass
class Traffic:
    """Counters of one environment, summed by the workbench, and what its server broke at."""

    off_origin_requests: int = 0
    """Requests that reached an origin outside the list; must stay 0."""
    off_origin_blocked: int = 0
    aborted_writes: int = 0
    server_faults: list[ServerFault] = field(default_factory=list)
    """Each once, in order, since the workbench last took them away."""


class Environment(Protocol):
    """One app instance seen through one adapter. Every method has a deadline and raises ``EnvironmentFault``."""

    traffic: Traffic

    async def begin(self, session: SessionState | None, location: str) -> Observation:
        """A session equal to a new one, signed in as given (None: nobody), standing at ``location``."""
        ...

    async def observe(self) -> Observation:
        """Wait until settled (hard cap) and look."""
        ...

    async def glimpse(self, *wanted: Locator) -> Observation:
        """Wait until settled and see no more than the place, its words, and which of the wanted things it shows.

        A fraction of what a look costs, for where nothing else of the screen counts.
        """
        ...

    async def act(self, action: Action, seen: Observation, hurried: bool = False) -> ActionOutcome:
        """Do one action; its target is resolved in ``seen``, which must be the latest observation.

        ``hurried`` tells that nobody looks before the next action, which waits for what it needs by itself.
        """
        ...

    async def glance(self, session: SessionState | None, location: str) -> Observation:
        """Look at a location in a fresh session of its own; the running session is not disturbed."""
        ...

    async def save_session(self, user: str) -> SessionState:
        """Cookies and storage of the running session."""
        ...

    async def picture(self, mark: Box | None = None) -> bytes:
        """JPEG of the viewport, passwords hidden, the marked box outlined."""
        ...

    async def close(self) -> None:
        """End every session; idempotent."""
        ...
