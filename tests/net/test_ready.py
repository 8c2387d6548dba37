"""Readiness and fetching: bounded, polite to 429, and never off the allowed origins."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from email.utils import format_datetime

import pytest

from pipeline.errors import AppFault
from pipeline.net.http import Client, OffOrigin, Unanswered, retry_after
from pipeline.net.ready import Readiness, wait_ready

Serve = Callable[..., "asyncio.Future[str]"]


class Script:
    """A server that gives its answers in order and then the last one again; it remembers when it was asked."""

    def __init__(self, answers: list[bytes]) -> None:
        self.answers = answers
        self.asked: list[float] = []
        self.url = ""

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked.append(time.monotonic())
        answer = self.answers[min(len(self.asked), len(self.answers)) - 1]
        if answer == b"hang":
            await asyncio.sleep(30)
        writer.write(answer)
        writer.close()


def answer(status: int, text: str = "", **headers: str) -> bytes:
    named = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(text)}\r\nConnection: close\r\n{named}\r\n{text}".encode()


@pytest.fixture
async def script() -> AsyncIterator[Callable[..., object]]:
    servers: list[asyncio.Server] = []

    async def start(*answers: bytes) -> Script:
        played = Script(list(answers))
        server = await asyncio.start_server(played, "127.0.0.1", 0)
        servers.append(server)
        played.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return played

    yield start
    for server in servers:
        server.close()


def lives() -> None:
    return None


async def wait(script: Script, deadline: float = 5, text: str = "", died: Callable[[], str | None] = lives) -> str:
    async with Client([script.url]) as client:
        return (await wait_ready(client, Readiness(script.url + "/", text=text, deadline=deadline), died)).text


async def test_it_waits_until_status_and_text_are_right(script) -> None:
    played = await script(answer(503), answer(200, "starting"), answer(200, "ready"))
    assert await wait(played, text="ready") == "ready"
    assert len(played.asked) == 3


async def test_retry_after_in_seconds_is_honoured(script) -> None:
    """Case A20: a rate limit is waited out, not hammered."""
    played = await script(answer(429, Retry_After="1"), answer(200, "ready"))
    assert await wait(played) == "ready"
    assert played.asked[1] - played.asked[0] >= 0.95


async def test_retry_after_beyond_the_deadline_is_not_waited_for(script) -> None:
    played = await script(answer(429, Retry_After="600"))
    began = time.monotonic()
    with pytest.raises(AppFault, match="it keeps answering 429 Too Many Requests"):
        await wait(played, deadline=1)
    assert time.monotonic() - began < 1
    assert len(played.asked) == 1


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        (format_datetime(datetime(2026, 3, 2, 10, 0, 9, tzinfo=UTC), usegmt=True), 9.0),
        ("soon", None),
        ("", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, datetime(2026, 3, 2, 10, 0, 0, tzinfo=UTC)) == seconds


async def test_a_retry_after_in_the_past_is_no_wait() -> None:
    assert retry_after({"retry-after": "Mon, 02 Mar 2020 10:00:00 GMT"}) == 0.0


async def test_a_server_that_never_answers_is_given_up_at_the_deadline(script) -> None:
    played = await script(b"hang")
    began = time.monotonic()
    with pytest.raises(AppFault, match=r"not ready within 0\.4 s; the last try got no answer"):
        await wait(played, deadline=0.4)
    assert time.monotonic() - began < 1.5


async def test_what_was_answered_last_is_told_although_the_deadline_cut_the_try_after_it_off(script) -> None:
    with pytest.raises(AppFault, match="it answers 404 instead of 200"):
        await wait(await script(answer(404), b"hang"), deadline=0.3)


async def test_an_application_that_has_ended_is_noticed_while_a_stranger_holds_the_port(script) -> None:
    played = await script(b"hang")
    began = time.monotonic()
    with pytest.raises(AppFault, match="it ended"):
        await wait(played, died=lambda: "it ended" if time.monotonic() - began > 0.2 else None)
    assert time.monotonic() - began < 1


async def test_an_answer_after_the_application_has_ended_does_not_count(script) -> None:
    played = await script(answer(200, "ready"))
    with pytest.raises(AppFault, match="it ended"):
        await wait(played, died=lambda: "it ended" if played.asked else None)


async def test_a_redirect_off_the_allowed_origins_is_never_followed(script) -> None:
    outside = await script(answer(200, "ready"))
    played = await script(answer(302, Location=outside.url + "/"))
    with pytest.raises(OffOrigin):
        await wait(played)
    assert outside.asked == []


async def test_a_redirect_within_the_origin_is_followed(script) -> None:
    played = await script(answer(302, Location="/home"), answer(200, "ready"))
    assert await wait(played, text="ready") == "ready"


async def test_nobody_listening_is_unanswered(script) -> None:
    async with Client(["http://127.0.0.1:9"]) as client:
        with pytest.raises(Unanswered):
            await client.get("http://127.0.0.1:9/")


async def test_proxies_of_the_environment_are_not_used(script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    played = await script(answer(200, "ready"))
    assert await wait(played) == "ready"
