"""E4: nothing but the listed origins is reached, by whatever part of the browser; what was stopped is counted."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from looking import click, do
from page_server import PageServer, Reply

from pipeline.domain.action import Open
from pipeline.domain.environment import Surroundings
from pipeline.environments.origins import Origins
from pipeline.environments.web import WebEnvironment
from pipeline.errors import BrowserFault

MakeWeb = Callable[[Surroundings], WebEnvironment]


@pytest.fixture
def guarded(make_web: MakeWeb, pages: PageServer) -> WebEnvironment:
    """An environment of its own, so that its counters are this test's."""
    return make_web(Surroundings(allowed_origins=(pages.origin,)))


WAYS = {
    "picture": "<img src={off}/x.png>",
    "script": "<script src={off}/x.js></script>",
    "style": "<link rel=stylesheet href={off}/x.css>",
    "frame": "<iframe src={off}/frame></iframe>",
    "fetch": "<script>fetch('{off}/data',{{mode:'no-cors'}}).catch(()=>0)</script>",
    "beacon": "<script>navigator.sendBeacon('{off}/beacon','x')</script>",
    "socket": "<script>new WebSocket('{off}/socket'.replace('http','ws'))</script>",
    "event source": "<script>new EventSource('{off}/events')</script>",
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([`fetch('{off}/w',{{mode:'no-cors'}})`])))</script>",
    "refresh": "<meta http-equiv=refresh content='0;url={off}/refresh'>",
    "redirect in script": "<script>location='{off}/moved'</script>",
    "preload": "<link rel=preload as=fetch href={off}/pre>",
    "other name of the host": "<img src={local}/x.png>",
    "secure": "<img src={secure}/x.png>",
}


@pytest.mark.parametrize("way", WAYS)
async def test_no_part_of_a_page_reaches_another_port(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer, way: str
) -> None:
    body = WAYS[way].format(
        off=other_pages.origin,
        local=f"http://localhost:{other_pages.port}",
        secure=f"https://127.0.0.1:{other_pages.port}",
    )
    seen = await guarded.begin(None, pages.html("/page", f"<h1>Here</h1>{body}"))
    end = time.monotonic() + 3
    while not guarded.traffic.off_origin_blocked and time.monotonic() < end:  # a worker takes a while to start
        seen = await guarded.observe()
    assert other_pages.asked == []
    assert guarded.traffic.off_origin_blocked >= 1 and guarded.traffic.off_origin_requests == 0
    assert seen.location == pages.url("/page")


async def test_a_service_worker_does_not_reach_another_port(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer
) -> None:
    reach = f"fetch('{other_pages.origin}/sw',{{mode:'no-cors'}}).catch(()=>0)"
    script = f"self.addEventListener('install',e=>e.waitUntil({reach}))"
    pages.on("/sw.js", lambda asked: Reply(script, content_type="text/javascript"))
    register = (
        "<p id=p>-</p><script>navigator.serviceWorker.register('/sw.js')"
        ".then(()=>navigator.serviceWorker.ready).then(()=>p.textContent='ready')</script>"
    )
    seen = await guarded.begin(None, pages.html("/app", register))
    for _ in range(40):
        if "ready" in seen.text:
            break
        seen = await guarded.observe()
    assert "ready" in seen.text
    assert other_pages.asked == [] and guarded.traffic.off_origin_blocked >= 1


async def test_a_link_elsewhere_leaves_the_person_where_they_were(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer
) -> None:
    seen = await guarded.begin(None, pages.html("/page", f"<a href={other_pages.url('/off')}>Off</a>"))
    outcome, seen = await click(guarded, seen, "link", "Off")
    assert [(e.kind, e.text) for e in outcome.events] == [("blocked-request", f"127.0.0.1:{other_pages.port}")]
    assert seen.location == pages.url("/page") and seen.settled and other_pages.asked == []


async def test_a_secure_link_elsewhere_is_returned_from(guarded: WebEnvironment, pages: PageServer) -> None:
    seen = await guarded.begin(None, pages.html("/page", "<a href=https://elsewhere.example/x>Off</a>"))
    outcome, seen = await click(guarded, seen, "link", "Off")
    assert ("blocked-request", "elsewhere.example:443") in [(e.kind, e.text) for e in outcome.events]
    assert seen.location == pages.url("/page") and seen.named("link", "Off")


async def test_a_redirect_elsewhere_is_stopped(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer
) -> None:
    pages.on("/off", lambda asked: Reply(status=302, headers={"Location": other_pages.url("/target")}))
    seen = await guarded.begin(None, pages.html("/page", "<a href=/off>Out</a>"))
    outcome, seen = await click(guarded, seen, "link", "Out")
    assert "blocked-request" in [e.kind for e in outcome.events]
    assert other_pages.asked == [] and seen.location == pages.url("/page")


async def test_a_tab_elsewhere_is_closed_again(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer
) -> None:
    seen = await guarded.begin(None, pages.html("/page", f"<a target=_blank href={other_pages.url('/ad')}>Ad</a>"))
    outcome, seen = await click(guarded, seen, "link", "Ad")
    assert [e.kind for e in outcome.events] == ["blocked-request", "tab-closed"]
    assert other_pages.asked == [] and seen.location == pages.url("/page")


async def test_a_form_cannot_post_elsewhere(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer
) -> None:
    page = f"<form method=post action={other_pages.url('/steal')}><button>Send</button></form>"
    seen = await guarded.begin(None, pages.html("/page", page))
    outcome, seen = await click(guarded, seen, "button", "Send")
    assert "blocked-request" in [e.kind for e in outcome.events] and other_pages.asked == []


@pytest.mark.parametrize(
    "location", ["{off}/x", "https://elsewhere.example/", "file:///etc/passwd", "chrome://version"]
)
async def test_opening_an_off_limits_location_is_refused_before_it_is_tried(
    guarded: WebEnvironment, pages: PageServer, other_pages: PageServer, location: str
) -> None:
    seen = await guarded.begin(None, pages.url("/second.html"))
    outcome = await guarded.act(Open(location=location.format(off=other_pages.origin)), seen)
    assert (outcome.dispatched, outcome.problem) == (False, "off-limits")
    assert guarded.traffic.off_origin_blocked == 0 and other_pages.asked == []


async def test_the_blank_page_is_allowed(guarded: WebEnvironment, pages: PageServer) -> None:
    seen = await guarded.begin(None, pages.url("/second.html"))
    outcome, seen = await do(guarded, Open(location="about:blank"), seen)
    assert (outcome.problem, seen.location) == ("", "about:blank")


async def test_beginning_off_limits_is_a_fault(guarded: WebEnvironment, other_pages: PageServer) -> None:
    with pytest.raises(BrowserFault, match="outside the allowed origins"):
        await guarded.begin(None, other_pages.url("/"))


async def test_what_gets_out_is_counted(
    make_web: MakeWeb, pages: PageServer, other_pages: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second count is independent: with a hole in the list of what goes directly, it is not zero."""
    web = make_web(Surroundings(allowed_origins=(pages.origin, other_pages.origin)))
    bypass = Origins((pages.origin, other_pages.origin)).bypass
    listed = web._session.origins
    listed._allowed.discard(f"127.0.0.1:{other_pages.port}")
    monkeypatch.setattr(Origins, "bypass", bypass)  # the hole: the proxy is told of both
    pages.html("/page", WAYS["picture"].format(off=other_pages.origin) + WAYS["fetch"].format(off=other_pages.origin))
    await web.begin(None, pages.url("/page"))
    assert web.traffic.off_origin_requests == 2 and len(other_pages.asked) == 2


async def test_nothing_is_blocked_on_a_page_of_its_own(guarded: WebEnvironment, pages: PageServer) -> None:
    """The browser itself talks to nobody."""
    await guarded.begin(None, pages.url("/contract.html"))
    assert (guarded.traffic.off_origin_blocked, guarded.traffic.off_origin_requests) == (0, 0)


async def test_read_only_aborts_what_could_change_something(make_web: MakeWeb, pages: PageServer) -> None:
    web = make_web(Surroundings(allowed_origins=(pages.origin,), read_only=True))
    page = "<form method=post action=/orders><button>Order</button></form><a href=/second.html>Look</a>"
    seen = await web.begin(None, pages.html("/page", page))
    outcome, seen = await click(web, seen, "button", "Order")
    assert [(e.kind, e.text, e.answer) for e in outcome.events if e.kind == "blocked-request"] == [
        ("blocked-request", "POST /orders", "aborted")
    ]
    assert pages.count("POST", "/orders") == 0 and web.traffic.aborted_writes == 1
    seen = await web.begin(None, pages.url("/page"))
    _, seen = await click(web, seen, "link", "Look")
    assert seen.title == "Second page"


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        ("http://127.0.0.1:80/x", True),
        ("http://127.0.0.1/x", True),
        ("ws://127.0.0.1/s", True),
        ("http://127.0.0.1:81/", False),
        ("http://127.0.0.1.evil.example/", False),
        ("http://user@evil.example:80@127.0.0.1/", True),
        ("http://127.0.0.1@evil.example/", False),
        ("javascript:alert(1)", False),
        ("http://127.0.0.1:x/", False),
        ("", False),
    ],
)
def test_origins_are_compared_by_host_and_port(url: str, allowed: bool) -> None:
    assert Origins(["http://127.0.0.1:80"]).allows(url) is allowed
