"""A session is equal to a new one, whatever the one before left behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

import pytest
from looking import at, click, do, fill, only
from page_server import Asked, PageServer, Reply

from pipeline.domain.action import Back, Click
from pipeline.domain.environment import SessionState, Surroundings
from pipeline.environments.sign_in import sign_in
from pipeline.environments.web import WebEnvironment
from pipeline.errors import SessionFault

MakeWeb = Callable[[Surroundings], WebEnvironment]

TRACES = """<pre id=t></pre><script>(async () => {
  const found = {
    cookies: document.cookie, local: localStorage.length, session: sessionStorage.length, name: window.name,
    history: history.length, state: history.state, caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    databases: (await indexedDB.databases()).length, controlled: Boolean(navigator.serviceWorker.controller),
    referrer: document.referrer, scroll: scrollY, focus: document.activeElement.tagName, opener: Boolean(opener),
  };
  t.textContent = JSON.stringify(found);
})()</script>"""
LITTER = """<button onclick="go()">Litter</button><script>async function go() {
  document.cookie = "left=over; max-age=3600"; localStorage.setItem("a", "b");
  await caches.open("c"); await navigator.serviceWorker.register("/sw.js"); await navigator.serviceWorker.ready;
  await new Promise((done) => { const r = indexedDB.open("d"); r.onsuccess = done; });
  history.pushState({ x: 1 }, "", "/litter?2"); window.open("/second.html");
  addEventListener("pagehide", () => { document.cookie = "late=1; max-age=3600"; localStorage.setItem("late", "1"); });
  document.title = "littered";
}</script>"""
TAB_LITTER = """<button onclick="go()">Litter</button><script>
go = () => { sessionStorage.setItem("s", "1"); window.name = "n"; document.title = "littered"; }
addEventListener("pagehide", () => sessionStorage.setItem("late", "1"))</script>"""


async def traces(web: WebEnvironment, pages: PageServer, state: SessionState | None = None) -> dict[str, object]:
    seen = await web.begin(state, pages.html("/traces", TRACES))
    async with asyncio.timeout(20):
        while not seen.text:
            seen = await web.observe()
    found: dict[str, object] = json.loads(seen.text)
    return found


async def test_nothing_that_is_read_from_a_page_holds_a_secret(make_web: MakeWeb, pages: PageServer) -> None:
    """An application may show a password or a session's token: in text, names, values, addresses and dialogs."""
    token = "f4daf91a0944a4de"
    body = (
        f"<h1>Key {token}</h1><p>is {token}</p><a href='/next?key={token}'>More {token}</a>"
        f"<input aria-label=Key value={token}><button onclick='alert(\"{token}\")'>Tell</button>"
        f"<iframe title=Inner srcdoc='<p>also {token}</p>'></iframe>"
    )
    web = make_web(Surroundings(allowed_origins=(pages.origin,), secrets=frozenset({token})))
    seen = await web.begin(None, pages.html("/keys", body))
    outcome, after = await click(web, seen, "button", "Tell")
    for told in (seen, outcome, after):
        assert token not in told.model_dump_json() and "•••" in told.model_dump_json()


async def until_littered(web: WebEnvironment, tabs: int) -> None:
    """A worker takes a while to start; a tab that opens while the session is cleared costs the session."""
    pages = web._session.happenings.pages
    async with asyncio.timeout(20):
        while len(pages) != tabs or await pages[0].title() != "littered":
            await asyncio.sleep(0.02)
        await pages[-1].wait_for_load_state()


@pytest.mark.parametrize("litter", [LITTER, TAB_LITTER])
async def test_a_reused_session_equals_a_new_one(make_web: MakeWeb, pages: PageServer, litter: str) -> None:
    """Cookies, storage, caches, workers, databases, history, tabs and names of the run before are gone."""
    pages.on("/sw.js", lambda asked: Reply("self.addEventListener('fetch',()=>0)", content_type="text/javascript"))
    surroundings = Surroundings(allowed_origins=(pages.origin,))
    new = await traces(make_web(surroundings), pages)
    web = make_web(surroundings)
    seen = await web.begin(None, pages.html("/litter", litter))
    await click(web, seen, "button", "Litter")
    await until_littered(web, tabs=2 if "window.open" in litter else 1)
    context = web._session._context
    assert await traces(web, pages) == new
    assert web._session._context is context, "the session was not reused, so nothing was proved"


async def test_a_tab_opened_while_the_session_ends_does_not_reach_the_next(
    web: WebEnvironment, pages: PageServer
) -> None:
    pages.on("/late", lambda asked: Reply("<p>late</p>"))
    for delay in range(0, 60, 4):
        script = f"go=()=>setTimeout(()=>window.open('/late'),{delay})"
        seen = await web.begin(
            None, pages.html(f"/opens{delay}", f"<button onclick=go()>Go</button><script>{script}</script>")
        )
        await web.act(Click(target=at(seen, "button", "Go")), seen)
        assert (await web.begin(None, pages.url("/second.html"))).location.endswith("/second.html")
        assert len(web._session.happenings.pages) == 1


async def test_the_http_cache_is_kept(make_web: MakeWeb, pages: PageServer) -> None:
    """Which is why sessions are reused at all."""
    lasting = {"Cache-Control": "max-age=600"}
    pages.on("/big.js", lambda asked: Reply("1", headers=lasting, content_type="text/javascript"))
    web = make_web(Surroundings(allowed_origins=(pages.origin,)))
    contexts = set()
    for _ in range(3):
        await web.begin(None, pages.html("/cached", "<script src=/big.js></script>"))
        contexts.add(web._session._context)
    assert (pages.count("GET", "/big.js"), len(contexts)) == (1, 1)


async def test_a_session_is_made_anew_after_so_many_runs(
    make_web: MakeWeb, pages: PageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.environments.session.RUNS_PER_CONTEXT", 2)
    web = make_web(Surroundings(allowed_origins=(pages.origin,)))
    contexts = []
    for _ in range(3):
        await web.begin(None, pages.url("/second.html"))
        contexts.append(web._session._context)
    assert contexts[0] is contexts[1] is not contexts[2]


async def test_signed_in_state_is_saved_and_given_back(web: WebEnvironment, pages: PageServer) -> None:
    page = "<button onclick=\"document.cookie='sid=42';localStorage.setItem('user','ann')\">In</button>"
    seen = await web.begin(None, pages.html("/in", page))
    await do(web, Click(target=at(seen, "button", "In")), seen)
    state = await web.save_session("ann")
    assert state.user == "ann" and "42" not in repr(state)
    assert (await traces(web, pages))["cookies"] == ""
    found = await traces(web, pages, state)
    assert (found["cookies"], found["local"]) == ("sid=42", 1)


async def test_a_glance_disturbs_nothing_and_shares_nothing(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    _, seen = await fill(web, seen, "Customer", "half typed")
    state = SessionState("ann", {"cookies": [{"name": "sid", "value": "1", "url": pages.origin}], "origins": []})
    pages.on("/who", lambda asked: Reply(f"<p>{asked.headers.get('cookie', 'nobody')}</p>"))
    assert "sid=1" in (await web.glance(state, pages.url("/who"))).text
    assert "nobody" in (await web.glance(None, pages.url("/who"))).text
    assert only(await web.observe(), "textbox", "Customer").value == "half typed"


async def test_back_does_not_reach_the_run_before(web: WebEnvironment, pages: PageServer) -> None:
    await web.begin(None, pages.url("/contract.html"))
    seen = await web.begin(None, pages.url("/second.html"))
    assert (await web.act(Back(), seen)).problem == "not-found"


async def test_dates_and_numbers_do_not_depend_on_the_machine(make_web: MakeWeb, pages: PageServer) -> None:
    """A24: locale, timezone, viewport, colour scheme and motion are the surroundings'."""
    page = (
        "<p id=p></p><script>const m=q=>matchMedia(q).matches;"
        "p.textContent=[new Date('2025-03-01T23:30:00Z').toLocaleDateString(),innerWidth,innerHeight,"
        "navigator.language,m('(prefers-color-scheme: light)'),m('(prefers-reduced-motion: reduce)')].join(' ')"
        "</script>"
    )
    pages.html("/day", page)
    expected = {
        ("en-US", "UTC"): "3/1/2025",
        ("de-DE", "America/New_York"): "1.3.2025",
        ("ja", "Asia/Tokyo"): "2025/3/2",
    }
    for (locale, timezone), day in expected.items():
        web = make_web(
            Surroundings(locale=locale, timezone=timezone, width=900, height=600, allowed_origins=(pages.origin,))
        )
        assert (await web.begin(None, pages.url("/day"))).text == f"{day} 900 600 {locale} true true"


async def test_the_clock_stands_where_the_surroundings_say(make_web: MakeWeb, pages: PageServer) -> None:
    page = "<p id=p></p><script>setTimeout(()=>p.textContent=new Date().toISOString(),10)</script>"
    fixed = Surroundings(clock="2024-02-29T12:00:00Z", allowed_origins=(pages.origin,))
    web = make_web(fixed)
    for _ in range(2):
        seen = await web.begin(None, pages.html("/clock", page))
        assert (await web.observe()).text == "2024-02-29T12:00:00.000Z"
        assert seen.settled


def _form(refused: bool = False) -> str:
    note = "<p>Wrong</p>" if refused else ""
    return (
        f"{note}<form method=post action=/login><input name=user><input type=password name=word>"
        "<button>Sign in</button></form>"
    )


def _login(asked: Asked) -> Reply:
    if asked.method == "POST" and "word=Pa55" in asked.body:
        return Reply(status=303, headers={"Location": "/home", "Set-Cookie": "sid=7"})
    return Reply(_form(refused=asked.method == "POST"))


async def test_signing_in_through_the_form(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/login", _login)
    pages.on("/home", lambda asked: Reply(f"<title>Home</title>{asked.headers.get('cookie')}"))
    seen = await sign_in(web, pages.origin, "/login", "user", "word", "Sign in", "ann", "Pa55")
    assert seen.title == "Home" and "sid=7" in seen.text
    assert (await web.save_session("ann")).stored["cookies"][0]["name"] == "sid"


async def test_a_wrong_password_is_one_sentence_without_the_password(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/login", _login)
    with pytest.raises(SessionFault, match="'ann' was not accepted") as fault:
        await sign_in(web, pages.origin, "/login", "user", "word", "Sign in", "ann", "wr0ng-Secret")
    assert "wr0ng" not in str(fault.value)


async def test_a_form_without_a_secret_field_is_still_the_form(web: WebEnvironment, pages: PageServer) -> None:
    place = pages.html("/open", "<form><input name=user><input name=word><button>Sign in</button></form>")
    with pytest.raises(SessionFault, match="'ann' was not accepted at /open: the sign-in form is still shown"):
        await sign_in(web, place, "/open", "user", "word", "Sign in", "ann", "x")


@pytest.mark.parametrize(("before", "told"), [("Not ", "'Not •••, ann'"), ("n" * 112 + " ", "n •••")])
async def test_what_a_refusal_says_is_told_without_the_password(
    web: WebEnvironment, pages: PageServer, before: str, told: str
) -> None:
    fields = "<input name=user><input type=password name=word><button>Sign in</button>"
    said = f"<p>{before}s3cret-One, ann</p>"

    def answer(asked: Asked) -> Reply:
        return Reply(f"<h1>Enter</h1>{said if asked.method == 'POST' else ''}<form method=post>{fields}</form>")

    pages.on("/l", answer)
    with pytest.raises(SessionFault, match="still shown, saying") as fault:
        await sign_in(web, pages.origin, "/l", "user", "word", "Sign in", "ann", "s3cret-One")
    assert told in str(fault.value) and "s3c" not in str(fault.value)


async def test_a_password_that_a_refusal_spells_otherwise_is_not_told(web: WebEnvironment, pages: PageServer) -> None:
    form = "<form method=post><input name=user><input type=password name=word><button>Go</button></form>"
    pages.on("/j", lambda asked: Reply(f"{'<p>{q: s3%26w%2F0rd}</p>' if asked.method == 'POST' else ''}{form}"))
    with pytest.raises(SessionFault, match="still shown, saying") as fault:
        await sign_in(web, pages.origin, "/j", "user", "word", "Go", "ann", "s3&w/0rd")
    assert "s3" not in str(fault.value)


async def test_one_field_of_the_forms_names_is_not_the_form(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/c", lambda asked: Reply(CODE if asked.method == "POST" else f"{CODE}<input name=user form=f>"))
    seen = await sign_in(web, pages.origin, "/c", "user", "code", "Go", "ann", "s3cret-One")
    assert only(seen, "textbox", "code")


CODE = "<form id=f method=post><input name=code aria-label=code><button>Go</button></form>"
"""A form for a code, as many a start page has one."""


async def test_a_missing_sign_in_form_names_the_field(web: WebEnvironment, pages: PageServer) -> None:
    with pytest.raises(SessionFault, match="'user' is not there"):
        await sign_in(web, pages.origin, "/second.html", "user", "word", "Sign in", "ann", "x")


async def test_a_field_of_another_name_is_offered(web: WebEnvironment, pages: PageServer) -> None:
    place = pages.html("/colon", "<form><label>User: <input name=u></label><input type=password name=p></form>")
    with pytest.raises(SessionFault, match=r"'User' is not there at .*/colon; there are 'User:'"):
        await sign_in(web, place, "/colon", "User", "p", "Sign in", "ann", "x")
