"""Default-deny origins by a refusing proxy, and an independent count of what got out.

Request interception would do the same but switches the HTTP cache off, which costs a factor of two to eight. Here
every context gets a proxy that refuses everything, and the allowed origins bypass it: what is not listed can reach
nothing but this sink, whatever part of the browser asks for it (frames, tabs, workers, sockets, redirects).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self
from urllib.parse import urlsplit

REFUSAL_HEADER = "x-request-refused"
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_HIDDEN_ANSWER = ("ERR_BLOCKED_BY_ORB", "ERR_BLOCKED_BY_RESPONSE")
_HEAD_SECONDS = 5.0
_HEAD_BYTES = 65536


@dataclass(frozen=True)
class Blocked:
    """One refused request: ``host:port`` it was meant for, and whether a document was asked for."""

    destination: str
    document: bool


class Origins:
    """The list of a profile, asked by URL."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = {place for place in map(_host_and_port, allowed) if place}

    def allows(self, url: str) -> bool:
        """True for listed origins over http(s) or web sockets, and for the blank page."""
        return url == "about:blank" or _host_and_port(url) in self._allowed

    def is_network(self, url: str) -> bool:
        """True where loading the URL means talking to a host."""
        return _host_and_port(url) is not None

    @property
    def bypass(self) -> str:
        """Proxy bypass list: what goes out directly."""
        return ",".join(sorted(self._allowed))


@lru_cache(maxsize=10_000)  # every answer that a page gets is asked for it, twice
def _host_and_port(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None
    if not parts.hostname or port is None or parts.scheme not in _DEFAULT_PORTS:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{host}:{port}"


class Leaks:
    """Counts answers that came from outside the list and were not our refusal.

    Some answers the browser hides from the page and from us (a picture that is none, a foreign answer without
    permission to be read) and reports as failures; such a failure is explained only by a refusal at the sink.
    """

    def __init__(self, origins: Origins) -> None:
        self._origins = origins
        self._unexplained: Counter[str] = Counter()

    def refused(self, destination: str) -> None:
        """The sink refused a request to this ``host:port``."""
        self._unexplained[destination] += 1

    def answered(self, url: str, ours: bool) -> int:
        """1 when this answer came from outside."""
        if not self._is_outside(url):
            return 0
        if ours:
            self._explain(url)
        return int(not ours)

    def failed(self, url: str, reason: str) -> int:
        """1 when this failure can only come from an answer from outside."""
        if not self._is_outside(url) or self._explain(url):
            return 0
        return int(any(text in reason for text in _HIDDEN_ANSWER))

    def _is_outside(self, url: str) -> bool:
        return self._origins.is_network(url) and not self._origins.allows(url)

    def _explain(self, url: str) -> bool:
        place = _host_and_port(url) or ""
        if self._unexplained[place] < 1:
            return False
        self._unexplained[place] -= 1
        return True


class Sink:
    """A proxy on loopback that refuses every request and tells who asked for what."""

    def __init__(self, on_blocked: Callable[[Blocked], None]) -> None:
        self._on_blocked = on_blocked
        self._server: asyncio.Server | None = None
        self.token = secrets.token_hex(8)

    async def start(self) -> Self:
        """Listen on a free loopback port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_HEAD_BYTES)
        return self

    @property
    def address(self) -> str:
        """Proxy server URL."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Stop listening; idempotent."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_HEAD_SECONDS):
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            blocked = _blocked(head)
            self._on_blocked(blocked)
            writer.write(self._refusal(blocked))
            await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            pass  # a connection that was only opened, or broke off: nothing was asked
        finally:
            writer.close()

    def _refusal(self, blocked: Blocked) -> bytes:
        # "No content" leaves a person on the page where the link was; anything else would show the refusal as a page.
        line = "204 No Content" if blocked.document else "403 Forbidden"
        head = f"HTTP/1.1 {line}\r\n{REFUSAL_HEADER}: {self.token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        return head.encode("latin-1")


def _blocked(head: str) -> Blocked:
    method, _, rest = head.partition(" ")
    target = rest.split(" ", 1)[0]
    if method == "CONNECT":
        return Blocked(destination=target, document=False)
    fields = head.lower()
    document = "\r\nupgrade-insecure-requests: 1" in fields or "\r\nsec-fetch-mode: navigate" in fields
    return Blocked(destination=_host_and_port(target) or target[:200], document=document)
