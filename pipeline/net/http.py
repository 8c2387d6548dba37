"""One GET at a time over httpx: no environment proxies, no redirect that leaves the allowed origins, bounded answers.

The only module that builds an httpx client; what foreign errors mean is decided here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from ssl import SSLContext
from types import TracebackType
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx

from pipeline.errors import NetworkFault

_REDIRECTS = 5
_LARGEST = 4_000_000
"""Bytes of an answer that are read; the rest is dropped."""


@dataclass(frozen=True)
class Answer:
    """One HTTP answer, headers in lower case."""

    url: str
    status: int
    text: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


class Unanswered(NetworkFault):
    """Nothing came back: refused, reset or too late. A caller that waits for readiness tries again."""


class OffOrigin(NetworkFault):
    """A redirect leads to an origin that is not allowed; it was not followed."""


@cache
def _trusted() -> SSLContext:
    """The usual authorities, read once: an application that is restarted gets a new client every time."""
    return httpx.create_ssl_context(trust_env=False)


class Client:
    """A client that stays on the given origins; use as an async context manager, or ``close`` it."""

    def __init__(self, allowed_origins: Collection[str], timeout: float = 10) -> None:
        self._allowed = {origin(url) for url in allowed_origins}
        # Proxies of the machine's environment would carry requests for loopback elsewhere.
        self._http = httpx.AsyncClient(trust_env=False, verify=_trusted(), follow_redirects=False, timeout=timeout)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close connections; idempotent."""
        await self._http.aclose()

    async def get(self, url: str) -> Answer:
        """The answer after at most five redirects within the allowed origins.

        Raises:
            OffOrigin: the address or a redirect lies outside the allowed origins.
            Unanswered: nothing came back in time.
        """
        for _ in range(_REDIRECTS):
            if origin(url) not in self._allowed:
                raise OffOrigin(f"{url} lies outside the allowed origins and was not asked.")
            answer = await self._once(url)
            if answer.status not in (301, 302, 303, 307, 308) or "location" not in answer.headers:
                return answer
            url = urljoin(url, answer.headers["location"])
        raise NetworkFault(f"{url} redirects more than {_REDIRECTS} times.")

    async def _once(self, url: str) -> Answer:
        try:
            async with self._http.stream("GET", url) as response:
                body = bytearray()
                async for chunk in response.aiter_bytes():
                    body += chunk
                    if len(body) > _LARGEST:
                        break
                text = bytes(body[:_LARGEST]).decode(response.encoding or "utf-8", "replace")
                headers = {name.lower(): value for name, value in response.headers.items()}
                return Answer(url, response.status_code, text, headers)
        except httpx.TransportError as error:
            raise Unanswered(f"{url} did not answer: {type(error).__name__}.") from error
        except (httpx.HTTPError, httpx.InvalidURL, LookupError) as error:
            raise NetworkFault(f"{url} could not be read: {error}.") from error


def origin(url: str) -> str:
    """``scheme://host:port`` with the port written."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    return f"{parts.scheme}://{parts.hostname or ''}:{port}"


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds that a Retry-After header asks for, given as seconds or as a date; None without one that can be read."""
    value = headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except ValueError:
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - (now or datetime.now(UTC))).total_seconds())
