"""Pages that are restless, slow, hostile or dead end in bounded time, and the next run is clean."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from looking import at, click, do
from page_server import Asked, PageServer, Reply
from playwright.async_api import Error as PlaywrightError

from pipeline.domain.action import Back, Click
from pipeline.domain.environment import Surroundings
from pipeline.environments import leftovers, settle
from pipeline.environments.browser import OVERRIDE, SharedBrowser, find_browser
from pipeline.environments.landing import wait_of
from pipeline.environments.web import WebEnvironment
from pipeline.errors import AppFault, BrowserFault, UserError

MakeWeb = Callable[[Surroundings], WebEnvironment]


async def still_works(web: WebEnvironment, pages: PageServer) -> None:
    assert (await web.begin(None, pages.url("/second.html"))).title == "Second page"


async def test_a_long_poll_does_not_hold_the_page(web: WebEnvironment, pages: PageServer) -> None:
    """A10: it is waited for once, for a moment, and never again."""
    pages.hang("/hang")
    page = "<h1>Chat</h1><button>Say</button><script>(async()=>{for(;;)await fetch('/hang')})()</script>"
    seen = await web.begin(None, pages.html("/chat", page))
    assert seen.settled and seen.named("heading", "Chat")
    since = time.monotonic()
    _, seen = await click(web, seen, "button", "Say")
    assert seen.settled and time.monotonic() - since < 0.6


async def test_an_event_source_does_not_hold_the_page(web: WebEnvironment, pages: PageServer) -> None:
    """A10: the other kind of endless request."""
    pages.hang("/events")
    seen = await web.begin(None, pages.html("/live", "<h1>Live</h1><script>new EventSource('/events')</script>"))
    assert seen.settled


async def test_a_page_that_never_rests_is_observed_all_the_same(
    web: WebEnvironment, pages: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A10: the hard cap is a note on the observation, not a failure."""
    monkeypatch.setattr(settle, "CAP_SECONDS", 0.4)
    page = "<h1>Busy</h1><p id=p></p><script>setInterval(()=>p.textContent=Math.random(),1)</script>"
    seen = await web.begin(None, pages.html("/busy", page))
    assert (seen.settled, seen.notes) == (False, ("never settled",)) and seen.named("heading", "Busy")


async def test_a_page_that_leaves_while_it_is_looked_at(web: WebEnvironment, pages: PageServer) -> None:
    """A17: what is returned is one document, never half of two."""
    rows = "".join(f"<p>{i} <a href=/{i}>x</a></p>" for i in range(400))
    for delay in (30, 60, 90):
        page = f"<h1>Old</h1>{rows}<script>setTimeout(()=>location='/second.html',{delay})</script>"
        seen = await web.begin(None, pages.html(f"/leaving{delay}", page))
        old, new = bool(seen.named("heading", "Old")), bool(seen.named("heading", "Second"))
        assert old != new and (seen.title == "Second page") == new


async def test_errors_of_the_server_are_noted_by_their_path_whoever_asked(
    web: WebEnvironment, pages: PageServer
) -> None:
    """Pages, also those that go on elsewhere by themselves, and scripts; not pictures, and no query."""
    for path in ("/told;s=abc", "/pixel.png", "/gone"):
        pages.on(path, lambda asked: Reply("<script>location='/second.html'</script>", status=500))
    asks = "<h1>Old</h1><img src=/pixel.png><script>fetch('/told;s=abc?key=1',{method:'POST'})</script>"
    web.traffic.server_faults.clear()
    seen = await web.begin(None, pages.html("/asks", f"{asks}<a href='/gone?key=1'>Go</a>"))
    _, seen = await click(web, seen, "link", "Go")
    assert seen.location == pages.url("/second.html")
    noted = [(f.method, f.status, f.path) for f in web.traffic.server_faults]
    assert noted == [("POST", 500, "/told"), ("GET", 500, "/gone")]


async def test_a_crashed_page_is_a_fault_and_never_an_observation(web: WebEnvironment, pages: PageServer) -> None:
    """A17: after a crash some calls answer with nothing instead of failing."""
    await web.begin(None, pages.url("/second.html"))
    page = web._session.page
    with suppress(PlaywrightError):
        await page.goto("chrome://crash", timeout=3000)
    with pytest.raises(BrowserFault):
        await web.observe()
    await still_works(web, pages)


async def test_a_page_that_leads_in_a_circle_is_no_page(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/loop", lambda asked: Reply(status=302, headers={"Location": "/loop"}))
    seen = await web.begin(None, pages.url("/loop"))
    assert not seen.location.startswith(pages.origin)
    await still_works(web, pages)


async def test_a_rate_limit_is_waited_for_and_is_no_observation(web: WebEnvironment, pages: PageServer) -> None:
    """A20: Retry-After is honoured, and the refusal is not stored as what the page is."""
    answers = iter([429, 429])

    def limited(asked: Asked) -> Reply:
        if next(answers, 200) == 429:
            return Reply("<title>Slow down</title>", status=429, headers={"Retry-After": "1"})
        return Reply("<title>Orders</title>")

    since = time.monotonic()
    seen = await web.begin(None, pages.on("/limited", limited))
    assert (seen.title, seen.status) == ("Orders", 200) and time.monotonic() - since >= 2
    assert "rate limited: waited 1 s" in seen.notes


async def test_a_refused_submission_is_not_sent_twice(web: WebEnvironment, pages: PageServer) -> None:
    """A20: only what was asked for by GET is asked for again."""
    pages.on("/orders", lambda asked: Reply("<title>Slow down</title>", status=429, headers={"Retry-After": "0"}))
    seen = await web.begin(None, pages.html("/form", "<form method=post action=/orders><button>Go</button></form>"))
    _, seen = await click(web, seen, "button", "Go")
    assert seen.status == 429 and pages.count("POST", "/orders") == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("2", 2.0), ("", 1.0), ("soon", 1.0), ("9999", 10.0), ("0", 0.1), ("Wed, 01 Jan 2025 00:00:03 GMT", 3.0)],
)
def test_retry_after_is_read_as_seconds_or_date_and_bounded(header: str, seconds: float) -> None:
    assert wait_of(header, datetime(2025, 1, 1, tzinfo=UTC)) == seconds


async def test_a_server_error_is_a_status(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.on("/broken", lambda asked: Reply("<h1>Oops</h1>", status=503)))
    assert seen.status == 503 and seen.named("heading", "Oops")


async def test_an_application_that_is_down_is_an_application_fault(make_web: MakeWeb) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{reserved.getsockname()[1]}"
    web = make_web(Surroundings(allowed_origins=(origin,)))
    with pytest.raises(AppFault, match="did not answer"):
        await web.begin(None, origin + "/")


async def test_a_page_that_never_answers_is_an_application_fault(
    web: WebEnvironment, pages: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settle, "NAVIGATION_SECONDS", 0.7)
    pages.hang("/never")
    seen = await web.begin(None, pages.html("/page", "<a href=/never>Never</a>"))
    with pytest.raises(AppFault, match="did not answer within"):
        await click(web, seen, "link", "Never")
    monkeypatch.undo()
    await still_works(web, pages)


async def test_a_script_that_never_ends_is_a_fault(
    web: WebEnvironment, pages: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = await web.begin(None, pages.html("/loop", "<button onclick='for(;;);'>Loop</button>"))
    monkeypatch.setattr("pipeline.environments.settle.CALL_SECONDS", 0.5)
    since = time.monotonic()
    with pytest.raises(BrowserFault):
        await web.act(Click(target=at(seen, "button", "Loop")), seen)
        await web.observe()
    monkeypatch.undo()
    await still_works(web, pages)
    assert time.monotonic() - since < 12


async def test_an_alert_storm_is_a_fault_at_once(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.html("/storm", "<button onclick='for(;;)alert(1)'>Storm</button>"))
    since = time.monotonic()
    with pytest.raises(BrowserFault, match="dialogs without end"):
        await click(web, seen, "button", "Storm")
    await still_works(web, pages)
    assert time.monotonic() - since < 8


async def test_endless_popups_are_bounded(web: WebEnvironment, pages: PageServer) -> None:
    page = "<button onclick='setInterval(()=>window.open(\"/second.html\"),20)'>Pop</button>"
    seen = await web.begin(None, pages.html("/popups", page))
    outcome, seen = await click(web, seen, "button", "Pop")
    assert len(web._session.happenings.pages) <= 4 and len(outcome.events) <= 50
    await still_works(web, pages)


async def test_a_history_trap_is_bounded(web: WebEnvironment, pages: PageServer) -> None:
    trap = "<h1>Trap</h1><script>history.pushState(1,'');onpopstate=()=>history.pushState(1,'')</script>"
    pages.html("/trap", trap)
    seen = await web.begin(None, pages.html("/start", "<a href=/trap>In</a>"))
    _, seen = await click(web, seen, "link", "In")
    since = time.monotonic()
    for _ in range(3):
        _, seen = await do(web, Back(), seen)
    assert seen.location and time.monotonic() - since < 6


async def test_a_huge_document_is_bounded_and_says_that_it_was_cut(web: WebEnvironment, pages: PageServer) -> None:
    script = (
        "<script>document.body.innerHTML=Array.from({length:10000},(_,i)=>`<div><span>cell ${i}</span></div>`).join('')"
        "</script>"
    )
    seen = await web.begin(None, pages.html("/huge", script))
    assert len(seen.elements) == 1500 and {"cut at 1500 elements", "text cut"} <= set(seen.notes)
    assert len(seen.text) <= 60_000


async def test_pictures_are_jpeg_and_leave_the_document_as_it_is(web: WebEnvironment, pages: PageServer) -> None:
    page = (
        "<button>Mark me</button><script>let n=0;new MutationObserver(()=>document.title=++n)"
        ".observe(document,{subtree:true,childList:true,attributes:true})</script>"
    )
    seen = await web.begin(None, pages.html("/still", page))
    plain = await web.picture()
    marked = await web.picture(seen.named("button", "Mark me")[0].box)
    assert plain[:3] == marked[:3] == b"\xff\xd8\xff"
    assert marked != plain, "the mark does not show"
    assert (await web.observe()).title == "/still"


async def test_closing_twice_is_fine(make_web: MakeWeb, pages: PageServer) -> None:
    web = make_web(Surroundings(allowed_origins=(pages.origin,)))
    await still_works(web, pages)
    await web.close()
    await web.close()


async def test_a_killed_browser_is_replaced_and_leaves_nothing(pages: PageServer) -> None:
    """F9: the run goes on with a new browser, and no file of either is left at the end."""
    async with SharedBrowser({"TASKSIEVE_TEST": "1"}) as shared:
        web = WebEnvironment(shared, Surroundings(allowed_origins=(pages.origin,)))
        await still_works(web, pages)
        assert shared._temp is not None
        root = shared._temp.path
        (first,) = [link.readlink() for link in root.glob("profile-*")]
        assert first.is_dir()
        for process in shared._temp.processes():
            process.kill()
        with pytest.raises(BrowserFault):
            for _ in range(50):
                await web.observe()
        await still_works(web, pages)
        assert shared.launches == 2
        profiles = [link.readlink() for link in root.glob("profile-*")]
        await web.close()
    assert len(profiles) == 2 and not any(path.exists() for path in (root, *profiles))


async def test_a_browser_that_died_unnoticed_is_replaced_when_it_opens_no_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That it is gone is told a moment later; until then it still looks connected."""

    async def fails(**_: object) -> None:
        raise PlaywrightError("Target page, context or browser has been closed")

    async with SharedBrowser() as shared:
        await shared.release(await shared.new_context())
        assert shared._now is not None
        monkeypatch.setattr(shared._now.browser, "new_context", fails)
        await shared.release(await shared.new_context())
        assert (shared.launches, len(shared._all)) == (2, 1)


async def test_the_browser_carries_the_runs_mark() -> None:
    """A later start recognises what a killed run left by its environment."""
    async with SharedBrowser({"TASKSIEVE_TEST": "marked"}) as shared:
        context = await shared.new_context()
        assert shared._temp is not None
        assert shared._temp.processes()[0].environ()["TASKSIEVE_TEST"] == "marked"
        await shared.release(context)


def test_only_folders_of_dead_processes_are_swept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    profile, stranger = tmp_path / "playwright_chromiumdev_profile-a", tmp_path / "playwright_chromiumdev_profile-b"
    dead, alive = tmp_path / "tasksieve-browser-999999999-x", tmp_path / f"tasksieve-browser-{os.getpid()}-x"
    for folder in (profile, stranger, dead, alive):
        folder.mkdir()
    (dead / "profile-1").symlink_to(profile)
    leftovers.sweep()
    assert (profile.exists(), dead.exists(), stranger.exists(), alive.exists()) == (False, False, True, True)


@pytest.mark.parametrize("limit", [{"contexts_per_browser": 1}, {"memory_limit_mb": 1}], ids=["sessions", "memory"])
async def test_a_browser_that_is_old_or_big_is_replaced(pages: PageServer, limit: dict[str, int]) -> None:
    """F9: whoever opens a session next gets a new browser; the old one is closed with its last session."""
    async with SharedBrowser(**limit) as shared:  # type: ignore[arg-type]  # either limit is a number
        surroundings = Surroundings(allowed_origins=(pages.origin,))
        first, second = WebEnvironment(shared, surroundings), WebEnvironment(shared, surroundings)
        await still_works(first, pages)
        await still_works(second, pages)
        assert (shared.launches, len(shared._all)) == (2, 2)
        await first.close()
        assert len(shared._all) == 1
        await still_works(second, pages)
        await second.close()


async def test_an_override_that_does_not_exist_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OVERRIDE, "/nowhere/chromium")
    with pytest.raises(BrowserFault, match="'/nowhere/chromium', which does not exist"):
        await find_browser()


async def test_an_override_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OVERRIDE, "/bin/sh")
    found = await find_browser()
    assert found is not None and (found.path, found.origin) == ("/bin/sh", OVERRIDE)


async def test_something_that_is_no_browser_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OVERRIDE, "/bin/false")
    async with SharedBrowser() as shared:
        with pytest.raises(BrowserFault, match="/bin/false could not be launched"):
            await shared.new_context()


async def test_no_browser_at_all_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(OVERRIDE, raising=False)
    monkeypatch.setattr("pipeline.environments.browser._found", lambda *_: None)
    async with SharedBrowser() as shared:
        with pytest.raises(BrowserFault, match="playwright install chromium"):
            await shared.new_context()


async def test_without_a_display_no_browser_is_shown(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    async with SharedBrowser(headed=True) as browser:
        with pytest.raises(UserError, match="no display"):
            await browser.new_context()
