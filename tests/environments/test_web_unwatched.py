"""Acting on without looking: a page that came since the last look is acted on as surely as one that was looked at."""

from __future__ import annotations

import asyncio

from page_server import PageServer

from pipeline.domain.action import Check, Click, Fill, Open, Select
from pipeline.domain.locators import record
from pipeline.domain.observation import Locator, Observation
from pipeline.environments.web import WebEnvironment

LINK = Locator(role="link", name="Next")
SAVE = Locator(role="button", name="Save")
NAME, SIZE = Locator(role="textbox", name="Name"), Locator(role="combobox", name="Size")
GIFT, FAST = (Locator(role="checkbox", name=name) for name in ("Gift", "Fast"))


async def test_links_are_followed_without_a_look_between(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/two", "<a href=/three>Next</a>")
    pages.html("/three", "<h1>Three</h1>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a>"))
    for _ in range(2):
        assert (await web.act(Click(target=LINK), seen)).dispatched
    assert (await web.observe()).named("heading", "Three")


async def test_a_place_is_opened_and_its_link_followed(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/two", "<h1>Two</h1>")
    seen = await web.begin(None, pages.html("/start", "<p>Start"))
    await web.act(Open(location=pages.html("/one", "<a href=/two>Next</a>")), seen)
    assert (await web.act(Click(target=LINK), seen)).problem == ""
    assert (await web.observe()).named("heading", "Two")


async def test_two_of_one_name_stay_ambiguous(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/two", "<a href=/three>Next</a> <a href=/four>Next</a>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a>"))
    await web.act(Click(target=LINK), seen)
    assert (await web.act(Click(target=LINK), seen)).problem == "ambiguous"


async def test_what_is_not_there_or_disabled_or_covered_is_said(web: WebEnvironment, pages: PageServer) -> None:
    cover = "<div style='position:fixed;inset:0;background:#fff'></div>"
    for there, problem in (("", "not-found"), ("<button disabled>Save</button>", "disabled"),
                           (f"<button>Save</button>{cover}", "covered")):  # fmt: skip
        pages.html("/two", there)
        seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a>"))
        await web.act(Click(target=LINK), seen)
        assert (await web.act(Click(target=SAVE), seen)).problem == problem


async def test_a_form_on_the_next_page_is_filled_in_and_sent(web: WebEnvironment, pages: PageServer) -> None:
    form = "<form method=post action=/done><label>Name <input name=name></label><button>Save</button></form>"
    at_form = await web.begin(None, pages.html("/two", form))
    field = record(at_form.named("textbox", "Name")[0], at_form)
    assert field is not None
    pages.html("/done", "<h1>Done</h1>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a>"))
    await web.act(Click(target=LINK), seen)
    assert (await web.act(Fill(target=field, text="Zed"), seen)).read_back == "Zed"
    await web.act(Click(target=SAVE), seen)
    assert (await web.observe()).named("heading", "Done")
    assert [a.body for a in pages.asked if a.method == "POST"] == ["name=Zed"]


FORM = """<form method=post action=/done><label>Name <input name=name></label>
<label>Size <select name=size><option>small<option>large</select></label>
<label><input type=checkbox name=gift value=yes>Gift</label> <label><input type=checkbox name=fast checked>Fast</label>
<button>Save</button></form>"""


async def _at_a_form_unseen(web: WebEnvironment, pages: PageServer, form: str = FORM) -> Observation:
    """On a page with a form that nobody has looked at."""
    pages.html("/two", form)
    pages.html("/done", "<h1>Done</h1>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a>"))
    await web.act(Click(target=LINK), seen)
    return seen


def _sent(pages: PageServer) -> list[str]:
    return [a.body for a in pages.asked if a.method == "POST"]


async def test_every_kind_of_field_is_found_by_role_and_name(web: WebEnvironment, pages: PageServer) -> None:
    seen = await _at_a_form_unseen(web, pages)
    assert (await web.act(Fill(target=NAME, text="Zed"), seen)).read_back == "Zed"
    assert (await web.act(Select(target=SIZE, option="large"), seen)).read_back == "large"
    assert (await web.act(Check(target=GIFT, on=True), seen)).dispatched
    assert (await web.act(Check(target=FAST, on=True), seen)).detail == "already so"
    assert (await web.act(Click(target=SAVE), seen)).problem == ""
    assert _sent(pages) == ["name=Zed&size=large&gift=yes&fast=on"]


async def test_an_option_that_is_not_there_is_said(web: WebEnvironment, pages: PageServer) -> None:
    seen = await _at_a_form_unseen(web, pages)
    assert (await web.act(Select(target=SIZE, option="huge"), seen)).problem == "unknown-option"


async def test_a_value_that_the_page_undoes_later_is_filled_once_more(web: WebEnvironment, pages: PageServer) -> None:
    late = "setTimeout(() => e.target.value = '', 60)"
    undone = f"<script>let n = 0; document.forms[0].name.oninput = (e) => {{ if (!n++) {late} }}</script>"
    seen = await _at_a_form_unseen(web, pages, FORM + undone)
    await web.act(Fill(target=NAME, text="Zed"), seen)
    await asyncio.sleep(0.15)
    assert (await web.act(Click(target=SAVE), seen)).problem == ""
    assert _sent(pages)[0].startswith("name=Zed&")


async def test_a_field_that_was_folded_away_is_no_value_that_was_lost(web: WebEnvironment, pages: PageServer) -> None:
    fold = "<button type=button onclick=\"document.querySelector('form').hidden=true\">Fold</button>"
    seen = await _at_a_form_unseen(web, pages, FORM + fold + "<button>Other</button>")
    await web.act(Fill(target=NAME, text="Zed"), seen)
    await web.act(Click(target=Locator(role="button", name="Fold")), seen)
    assert (await web.act(Click(target=Locator(role="button", name="Other")), seen)).problem == ""


async def test_a_list_that_a_script_draws_is_looked_at(web: WebEnvironment, pages: PageServer) -> None:
    drawn = """<div role=combobox tabindex=0 aria-label=Size onclick="l.hidden=false">small</div>
<ul id=l role=listbox hidden>
<li role=option onclick="document.querySelector('[role=combobox]').textContent='large';l.hidden=true">large</ul>"""
    seen = await _at_a_form_unseen(web, pages, drawn)
    assert (await web.act(Select(target=SIZE, option="large"), seen)).read_back == "large"


async def test_a_tab_that_a_click_opened_is_where_one_goes_on(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/two", "<a href=/three>Next</a>")
    pages.html("/three", "<h1>Three</h1>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two target=_blank>Next</a>"))
    for _ in range(2):
        await web.act(Click(target=LINK), seen)
    assert (await web.observe()).named("heading", "Three")


async def test_a_menu_that_a_click_unfolded_is_clicked_in(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/two", "<h1>Two</h1>")
    menu = "<button onclick='m.hidden=false'>More</button><div id=m hidden><a href=/two>Next</a></div>"
    seen = await web.begin(None, pages.html("/one", menu))
    await web.act(Click(target=Locator(role="button", name="More")), seen)
    assert (await web.act(Click(target=LINK), seen)).dispatched
    assert (await web.observe()).named("heading", "Two")


async def test_a_glimpse_tells_the_place_its_words_and_what_is_wanted_of_it(
    web: WebEnvironment, pages: PageServer
) -> None:
    pages.html("/two", "<title>Second</title><p>Hello ann</p><button>Save</button><a href=/one>Next</a>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a>"))
    await web.act(Click(target=LINK), seen)
    short, whole = await web.glimpse(SAVE, GIFT), await web.observe()
    assert [(e.role, e.name) for e in short.elements] == [("button", "Save")]
    assert (short.location, short.title, short.text, short.status) == (
        whole.location, whole.title, whole.text, whole.status,
    )  # fmt: skip


async def test_what_comes_after_a_glimpse_is_acted_on_as_after_a_look(web: WebEnvironment, pages: PageServer) -> None:
    pages.html("/two", "<h1>Two</h1>")
    seen = await web.begin(None, pages.html("/one", "<a href=/two>Next</a> <a href=/three>Next</a>"))
    after = await web.glimpse()
    assert (await web.act(Click(target=LINK), after)).problem == "ambiguous"
    assert (await web.act(Click(target=record(seen.elements[0], seen) or LINK), after)).problem == ""
    assert (await web.observe()).named("heading", "Two")
