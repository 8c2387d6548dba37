"""What acting does, and what it refuses to do."""

from __future__ import annotations

import asyncio
import time

import pytest
from looking import at, click, do, fill, only
from page_server import PageServer, Reply

from pipeline.domain.action import Back, Check, Click, Fill, Open, Press, Scroll, Select
from pipeline.domain.observation import Locator
from pipeline.environments.web import WebEnvironment


async def test_fill_select_check_and_submit_reach_the_server(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/orders", lambda asked: Reply("<title>Made</title><h1>Order made</h1>", delay=0.15))
    seen = await web.begin(None, pages.url("/contract.html"))
    outcome, seen = await fill(web, seen, "Customer", "Zed & Söhne")
    assert (outcome.dispatched, outcome.problem, outcome.read_back) == (True, "", "Zed & Söhne")
    outcome, seen = await do(web, Select(target=at(seen, "combobox", "Resolve as"), option="fixed"), seen)
    assert outcome.read_back == "fixed"
    _, seen = await do(web, Check(target=at(seen, "checkbox", "As a gift")), seen)
    assert "checked" in only(seen, "checkbox", "As a gift").states
    outcome, seen = await click(web, seen, "button", "Create order")
    assert seen.title == "Made" and pages.count("POST", "/orders") == 1
    sent = next(a.body for a in pages.asked if a.method == "POST")
    assert "customer=Zed+%26+S%C3%B6hne" in sent and "resolution=f" in sent and "gift=yes" in sent


async def test_a_submit_is_never_observed_before_it_was_answered(web: WebEnvironment, pages: PageServer) -> None:
    """Whatever the server takes, the page after a submit is the answer's."""
    pages.on("/orders", lambda asked: Reply("<title>Made</title>Made", delay=int(asked.query or 0) / 1000))
    for delay in (0, 30, 60, 400, 2500):
        page = f"<title>Form</title><form method=post action=/orders?{delay}><button>Go</button></form>"
        seen = await web.begin(None, pages.html("/form", page))
        _, seen = await click(web, seen, "button", "Go")
        assert (seen.title, seen.settled) == ("Made", True), delay


async def test_a_submit_from_a_script_is_awaited_too(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/orders", lambda asked: Reply("<title>Made</title>Made", delay=0.3))
    page = "<form id=f method=post action=/orders></form><button onclick='setTimeout(()=>f.submit(),5)'>Go</button>"
    seen = await web.begin(None, pages.html("/scripted", page))
    _, seen = await click(web, seen, "button", "Go")
    assert seen.title == "Made"


async def test_checking_what_is_checked_sends_nothing(web: WebEnvironment, pages: PageServer) -> None:
    page = "<label><input type=checkbox checked onclick='document.title=\"clicked\"'> News</label>"
    seen = await web.begin(None, pages.html("/news", page))
    outcome, seen = await do(web, Check(target=at(seen, "checkbox", "News")), seen)
    assert (outcome.dispatched, outcome.problem, seen.title) == (False, "", "/news")


async def test_a_missing_target_is_not_found_at_once(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    since = time.monotonic()
    outcome = await web.act(Click(target=Locator(role="button", name="Nowhere")), seen)
    assert (outcome.dispatched, outcome.problem) == (False, "not-found")
    assert time.monotonic() - since < 0.3


async def test_two_matches_are_ambiguous_and_nothing_is_clicked(web: WebEnvironment, pages: PageServer) -> None:
    """A13: never the first of several."""
    page = "<button onclick='document.title=1'>Edit</button><button onclick='document.title=2'>Edit</button>"
    seen = await web.begin(None, pages.html("/two", page))
    outcome = await web.act(Click(target=Locator(role="button", name="Edit")), seen)
    assert outcome.problem == "ambiguous" and (await web.observe()).title == "/two"


async def test_names_are_matched_exactly(web: WebEnvironment, pages: PageServer) -> None:
    page = (
        "<button onclick='document.title=1'>Continue</button>"
        "<button onclick='document.title=2'>Continue with X</button>"
    )
    seen = await web.begin(None, pages.html("/exact", page))
    _, seen = await click(web, seen, "button", "Continue")
    assert seen.title == "1"


async def test_a_disabled_control_is_not_acted_on(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    outcome = await web.act(Click(target=at(seen, "button", "Cannot be pressed")), seen)
    assert (outcome.dispatched, outcome.problem) == (False, "disabled")


async def test_an_overlay_is_named_and_not_clicked_through(web: WebEnvironment, pages: PageServer) -> None:
    """A11: dismissing the overlay is a step of its own."""
    page = (
        "<button onclick=\"document.title='bought'\">Buy</button>"
        "<div role=dialog aria-label=Cookies style='position:fixed;inset:0'>"
        "<button onclick='this.parentNode.remove()'>Accept</button></div>"
    )
    seen = await web.begin(None, pages.html("/shop", page))
    outcome, seen = await click(web, seen, "button", "Buy")
    assert (outcome.dispatched, outcome.problem) == (False, "covered")
    assert "Cookies" in outcome.detail and [e.kind for e in outcome.events] == ["overlay"]
    assert seen.title == "/shop"
    _, seen = await click(web, seen, "button", "Accept")
    _, seen = await click(web, seen, "button", "Buy")
    assert seen.title == "bought"


@pytest.mark.parametrize(("answer", "left"), [("dismiss", 1), ("accept", 0)])
async def test_a_confirmation_is_answered_as_the_action_says(
    web: WebEnvironment, pages: PageServer, answer: str, left: int
) -> None:
    """A2: the answer is recorded with the step, and decides the outcome."""
    page = "<ul><li>Row A <button onclick=\"if(confirm('Delete A?'))this.parentNode.remove()\">Delete</button></ul>"
    seen = await web.begin(None, pages.html("/rows", page))
    action = Click(target=at(seen, "button", "Delete"), dialog=answer)  # type: ignore[arg-type]  # one of the two
    outcome, seen = await do(web, action, seen)
    past = "accepted" if answer == "accept" else "dismissed"
    assert [(e.kind, e.text, e.answer) for e in outcome.events] == [("dialog", "Delete A?", f"confirm {past}")]
    assert len(seen.named("button", "Delete")) == left


async def test_an_alert_is_accepted_and_recorded(web: WebEnvironment, pages: PageServer) -> None:
    page = "<button onclick=\"alert('Saved');document.title='after'\">Save</button>"
    seen = await web.begin(None, pages.html("/alert", page))
    outcome, seen = await click(web, seen, "button", "Save")
    assert [(e.text, e.answer) for e in outcome.events] == [("Saved", "alert accepted")] and seen.title == "after"


async def test_leaving_a_page_that_asks_is_refused_unless_allowed(web: WebEnvironment, pages: PageServer) -> None:
    page = (
        "<a href=/second.html>Away</a><input aria-label=Draft>"
        "<script>addEventListener('beforeunload',e=>{e.preventDefault();e.returnValue=''})</script>"
    )
    seen = await web.begin(None, pages.html("/draft", page))
    _, seen = await fill(web, seen, "Draft", "x")
    outcome, seen = await click(web, seen, "link", "Away")
    assert [e.answer for e in outcome.events] == ["beforeunload dismissed"] and seen.title == "/draft"
    outcome, seen = await do(web, Click(target=at(seen, "link", "Away"), dialog="accept"), seen)
    assert seen.title == "Second page"


async def test_a_value_wiped_once_by_the_page_is_filled_again_before_submitting(
    web: WebEnvironment, pages: PageServer
) -> None:
    """A6: hydration replaces the input after it was filled."""
    pages.on("/send", lambda asked: Reply(f"<title>{asked.body}</title>"))
    page = (
        "<form method=post action=/send><input id=n name=n aria-label=Name><button>Send</button></form>"
        "<script>setTimeout(()=>{const f=n.cloneNode();f.value='';n.replaceWith(f);document.title='wiped'},400)"
        "</script>"
    )
    seen = await web.begin(None, pages.html("/hydrated", page))
    _, seen = await fill(web, seen, "Name", "Zed")
    while seen.title != "wiped":
        seen = await web.observe()
    outcome, seen = await click(web, seen, "button", "Send")
    assert outcome.problem == "" and seen.title == "n=Zed"


@pytest.mark.parametrize("milliseconds", [0, 30])
async def test_a_control_that_is_replaced_while_it_is_filled_is_filled_again(
    web: WebEnvironment, pages: PageServer, milliseconds: int
) -> None:
    """A6: the first keystroke makes the page draw its form anew."""
    page = (
        "<form><input id=n aria-label=Name></form>"
        "<script>n.addEventListener('input',()=>setTimeout(()=>{const f=n.cloneNode();f.value='';n.replaceWith(f)},"
        f"{milliseconds}),{{once:true}})</script>"
    )
    seen = await web.begin(None, pages.html("/replaced", page))
    outcome, seen = await fill(web, seen, "Name", "Zed")
    assert (outcome.problem, outcome.read_back) == ("", "Zed")
    assert only(seen, "textbox", "Name").value == "Zed"


@pytest.mark.parametrize("looked", [True, False], ids=["looked at", "unlooked at"])
async def test_a_button_that_is_replaced_before_it_is_pressed_is_found_anew(
    web: WebEnvironment, pages: PageServer, looked: bool
) -> None:
    page = (
        "<button id=b>Go</button><p id=p>idle</p><script>setTimeout(()=>{const f=b.cloneNode(true);"
        "f.onclick=()=>{p.textContent='done'};b.replaceWith(f)},700)</script>"
    )
    seen = await web.begin(None, pages.html("/swapped", page))
    target = at(seen, "button", "Go")
    if not looked:
        seen = await web.glimpse()
    await asyncio.sleep(0.9)
    outcome = await web.act(Click(target=target), seen)
    assert (outcome.problem, "done" in (await web.observe()).text) == ("", True)


async def test_a_value_that_is_wiped_again_and_again_is_unstable(web: WebEnvironment, pages: PageServer) -> None:
    """A6: such a step is not to be relied on, and nothing is submitted."""
    page = (
        "<form method=post action=/send>"
        "<input aria-label=Name oninput=\"setTimeout(()=>{this.value='';document.title='wiped'},150)\">"
        "<button>Send</button></form>"
    )
    seen = await web.begin(None, pages.html("/wiping", page))
    outcome, seen = await fill(web, seen, "Name", "Zed")
    if not outcome.problem:  # on a busy machine the first fill sees it already
        while seen.title != "wiped":
            seen = await web.observe()
        outcome, seen = await click(web, seen, "button", "Send")
    # a machine that needs longer than the page to look at the value never saw it held
    assert outcome.problem in ("unstable-value", "refused-value") and pages.count("POST", "/send") == 0


async def test_a_value_that_the_control_refuses_fails_the_step(web: WebEnvironment, pages: PageServer) -> None:
    """A8: the call returns normally, the control holds something else."""
    page = "<input aria-label=Code oninput=\"this.value=this.value.replace(/\\D/g,'')\">"
    seen = await web.begin(None, pages.html("/digits", page))
    outcome, seen = await fill(web, seen, "Code", "abcXYZ")
    assert (outcome.problem, outcome.read_back) == ("refused-value", "")


async def test_a_date_control_takes_only_iso_dates(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    outcome, seen = await fill(web, seen, "Day", "03/01/2025")
    assert outcome.problem == "refused-value"
    outcome, seen = await fill(web, seen, "Day", "2025-03-01")
    assert (outcome.problem, outcome.read_back) == ("", "2025-03-01")


async def test_a_multi_line_text_reads_back_equal(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    outcome, seen = await fill(web, seen, "Notes", "one\r\ntwo\n\nthree")
    assert (outcome.problem, outcome.read_back) == ("", "one\ntwo\n\nthree")


async def test_a_password_is_typed_but_not_read_back(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    outcome, seen = await fill(web, seen, "Secret", "n3w-Secret")
    assert (outcome.problem, outcome.read_back) == ("", "•" * 8)
    assert "n3w-Secret" not in outcome.model_dump_json() + seen.model_dump_json()


async def test_an_unknown_or_disabled_option_is_refused(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/contract.html"))
    target = at(seen, "combobox", "Resolve as")
    assert (await web.act(Select(target=target, option="fix"), seen)).problem == "unknown-option"
    assert (await web.act(Select(target=target, option="duplicate"), seen)).problem == "disabled"


async def test_a_drawn_list_is_opened_and_chosen_from_in_one_step(web: WebEnvironment, pages: PageServer) -> None:
    """A5: the options do not exist before the control is opened."""
    page = """<div role=combobox tabindex=0 id=c aria-label=Colour onclick="setTimeout(() => {
      const list = document.createElement('ul'); list.setAttribute('role', 'listbox');
      list.innerHTML = '<li role=option>red</li><li role=option>green</li>';
      list.onclick = (e) => { c.textContent = e.target.textContent; list.remove(); };
      document.body.append(list); }, 300)">Pick</div>"""
    seen = await web.begin(None, pages.html("/drawn", page))
    target = at(seen, "combobox", "Colour")
    outcome, seen = await do(web, Select(target=target, option="green"), seen)
    assert (outcome.problem, outcome.read_back) == ("", "green")
    outcome = await web.act(Select(target=target, option="blue"), seen)
    assert outcome.problem == "unknown-option"


async def test_a_suggested_value_is_chosen(web: WebEnvironment, pages: PageServer) -> None:
    page = "<input aria-label=Town list=t><datalist id=t><option>Bern<option>Basel</datalist>"
    seen = await web.begin(None, pages.html("/towns", page))
    outcome, seen = await do(web, Select(target=at(seen, "combobox", "Town"), option="Basel"), seen)
    assert (outcome.problem, only(seen, "combobox", "Town").value) == ("", "Basel")


async def test_a_new_tab_is_followed_and_attributed(web: WebEnvironment, pages: PageServer) -> None:
    """A4: also where the link says noopener."""
    page = "<a href=/second.html target=_blank rel=noopener>Invoice</a>"
    seen = await web.begin(None, pages.html("/list", page))
    outcome, seen = await click(web, seen, "link", "Invoice")
    assert ("new-tab", pages.url("/second.html")) in [(e.kind, e.text) for e in outcome.events]
    assert seen.title == "Second page"


async def test_a_tab_that_opens_by_itself_is_closed_before_the_next_action(
    web: WebEnvironment, pages: PageServer
) -> None:
    """A4: a popup that no action asked for is nobody's result."""
    page = (
        "<button onclick=\"document.title='saved'\">Save</button>"
        "<script>setTimeout(()=>open('/second.html'),200)</script>"
    )
    seen = await web.begin(None, pages.html("/nagging", page))
    while len(web._session.happenings.pages) < 2:
        await asyncio.sleep(0.02)
    outcome, seen = await click(web, seen, "button", "Save")
    assert seen.title == "saved" and {"new-tab", "tab-closed"} <= {e.kind for e in outcome.events}


async def test_tabs_beyond_three_are_closed_and_recorded(web: WebEnvironment, pages: PageServer) -> None:
    """A4: popups are capped."""
    page = "<button onclick='for(let i=0;i<6;i++)window.open(\"/second.html?\"+i)'>Pop</button>"
    seen = await web.begin(None, pages.html("/pops", page))
    outcome, seen = await click(web, seen, "button", "Pop")
    kinds = [e.kind for e in outcome.events]
    for _ in range(20):  # a browser under load opens the last of them late: those are the next steps'
        if kinds.count("tab-closed") < 3:
            later, seen = await do(web, Scroll(steps=1), seen)
            kinds += [e.kind for e in later.events]
    assert kinds.count("new-tab") == 3 and kinds.count("tab-closed") == 3
    assert seen.title == "Second page"


async def test_when_a_tab_closes_itself_the_one_before_is_seen(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/popup", "<button onclick='window.close()'>Done</button>")
    seen = await web.begin(None, pages.html("/opener", "<button onclick='window.open(\"/popup\")'>Open</button>"))
    _, seen = await click(web, seen, "button", "Open")
    assert seen.title == "/popup"
    outcome, seen = await click(web, seen, "button", "Done")
    assert seen.title == "/opener" and "tab-closed" in [e.kind for e in outcome.events]


async def test_a_download_is_an_event_and_the_page_stays(web: WebEnvironment, pages: PageServer) -> None:
    disposition = {"Content-Disposition": "attachment; filename=orders.csv"}
    pages.on("/orders.csv", lambda asked: Reply("a,b\n", headers=disposition, content_type="text/csv"))
    seen = await web.begin(None, pages.html("/reports", "<a href=/orders.csv>Export</a>"))
    outcome, seen = await click(web, seen, "link", "Export")
    assert ("download", "orders.csv") in [(e.kind, e.text) for e in outcome.events]
    assert seen.title == "/reports" and seen.settled


async def test_enter_submits_and_shows_the_answer(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/search", lambda asked: Reply(f"<title>Found {asked.query}</title>", delay=0.1))
    page = "<form action=/search><input name=q aria-label=Search></form>"
    seen = await web.begin(None, pages.html("/start", page))
    _, seen = await fill(web, seen, "Search", "milk")
    _, seen = await do(web, Press(key="Enter", target=at(seen, "textbox", "Search")), seen)
    assert seen.title == "Found q=milk"


async def test_an_unknown_key_is_no_control(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/second.html"))
    assert (await web.act(Press(key="NoSuchKey"), seen)).problem == "no-control"


async def test_back_returns_to_the_place_before_but_not_before_the_start(
    web: WebEnvironment, pages: PageServer
) -> None:
    seen = await web.begin(None, pages.url("/second.html"))
    assert (await web.act(Back(), seen)).problem == "not-found"
    _, seen = await click(web, seen, "link", "Back to the orders")
    assert seen.title == "Contract page"
    outcome, seen = await do(web, Back(), seen)
    assert outcome.dispatched and seen.title == "Second page"


async def test_open_goes_to_a_location(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/second.html"))
    outcome, seen = await do(web, Open(location=pages.url("/contract.html")), seen)
    assert outcome.dispatched and seen.title == "Contract page"


async def test_scrolling_moves_by_tenths_of_the_viewport(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.html("/tall", "<h1>Top</h1><div style='height:5000px'></div>"))
    before = only(seen, "heading", "Top").box
    _, seen = await do(web, Scroll(steps=5), seen)
    after = only(seen, "heading", "Top").box
    assert before is not None and after is not None and before.y - after.y == 400


async def test_acting_in_a_frame_and_in_a_shadow_root(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/inner", "<button onclick='top.document.title=\"framed\"'>Inside</button>")
    page = (
        "<iframe name=f src=/inner></iframe><x-b></x-b><script>customElements.define('x-b',class extends HTMLElement{"
        "constructor(){super();this.attachShadow({mode:'open'}).innerHTML="
        "'<button onclick=\"document.title=`shadowed`\">Deep</button>'}})</script>"
    )
    seen = await web.begin(None, pages.html("/both", page))
    _, seen = await click(web, seen, "button", "Inside")
    assert seen.title == "framed"
    _, seen = await click(web, seen, "button", "Deep")
    assert seen.title == "shadowed"


async def test_a_request_begun_by_the_action_is_awaited(web: WebEnvironment, pages: PageServer) -> None:
    pages.on("/data", lambda asked: Reply("loaded", delay=0.35))
    page = "<p id=p>-</p><button onclick=\"fetch('/data').then(r=>r.text()).then(t=>p.textContent=t)\">Load</button>"
    seen = await web.begin(None, pages.html("/app", page))
    _, seen = await click(web, seen, "button", "Load")
    assert "loaded" in seen.text


async def test_a_click_that_keeps_the_page_busy_was_sent(web: WebEnvironment, pages: PageServer) -> None:
    page = "<button onclick='const t=Date.now();while(Date.now()-t<1300);document.title=\"worked\"'>Work</button>"
    seen = await web.begin(None, pages.html("/work", page))
    outcome, seen = await click(web, seen, "button", "Work")
    assert (outcome.dispatched, outcome.problem, seen.title) == (True, "", "worked")


async def test_the_acted_box_is_told(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/second.html"))
    outcome = await web.act(Click(target=at(seen, "link", "Back to the orders")), seen)
    assert outcome.box == only(seen, "link", "Back to the orders").box


async def test_filling_something_that_is_no_text_control(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/second.html"))
    outcome = await web.act(Fill(target=at(seen, "link", "Back to the orders"), text="x"), seen)
    assert (outcome.dispatched, outcome.problem) == (False, "no-control")
