"""What an observation of a web page holds."""

from __future__ import annotations

from looking import at, only
from page_server import PageServer

from pipeline.domain.locators import record, resolve
from pipeline.domain.observation import Observation, RegionPart
from pipeline.environments.web import WebEnvironment


async def contract(web: WebEnvironment, pages: PageServer) -> Observation:
    return await web.begin(None, pages.url("/contract.html"))


async def test_location_title_status_and_quiet(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    assert (seen.location, seen.title, seen.status) == (pages.url("/contract.html"), "Contract page", 200)
    assert seen.settled and seen.notes == ()


async def test_controls_carry_their_key_constraints_and_form(web: WebEnvironment, pages: PageServer) -> None:
    control = only(await contract(web, pages), "textbox", "Customer").control
    assert control is not None
    assert (control.kind, control.field, control.required, control.max_length, control.label) == (
        "text", "customer", True, 40, "Customer",
    )  # fmt: skip


async def test_a_control_without_a_label_is_named_by_the_words_before_it(
    web: WebEnvironment, pages: PageServer
) -> None:
    seen = await contract(web, pages)
    resolution = only(seen, "combobox", "Resolve as")
    assert resolution.name_source == "label" and resolution.value == "works for me"
    assert only(seen, "spinbutton", "Quantity").control.maximum == "9"  # type: ignore[union-attr]  # it is a control


async def test_placeholder_and_field_key_are_the_last_names(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    assert only(seen, "textbox", "Search hint").name_source == "placeholder"
    assert only(seen, "textbox", "bare_field").name_source == "field"


async def test_select_options_are_complete(web: WebEnvironment, pages: PageServer) -> None:
    control = only(await contract(web, pages), "combobox", "Resolve as").control
    assert control is not None
    assert [(o.label, o.value, o.selected, o.disabled) for o in control.options] == [
        ("fixed", "f", False, False),
        ("works for me", "w", True, False),
        ("duplicate", "d", False, True),
    ]


async def test_line_ends_of_a_text_area_are_kept(web: WebEnvironment, pages: PageServer) -> None:
    assert only(await contract(web, pages), "textbox", "Notes").value == "first\nsecond"


async def test_a_password_is_nowhere_in_an_observation(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    assert only(seen, "textbox", "Secret").value == "•" * 8
    assert "Pa55-word" not in seen.model_dump_json()


async def test_forms_are_read_although_their_fields_shadow_action_and_method(
    web: WebEnvironment, pages: PageServer
) -> None:
    form = (await contract(web, pages)).forms[0]
    assert (form.name, form.method, form.target) == ("New order", "post", pages.url("/orders"))
    assert form.token_fields == ("token", "action", "method")


async def test_hidden_values_are_not_read(web: WebEnvironment, pages: PageServer) -> None:
    assert "t0k3n-value" not in (await contract(web, pages)).model_dump_json()


async def test_a_link_is_named_by_its_picture_and_tells_where_it_leads(web: WebEnvironment, pages: PageServer) -> None:
    link = only(await contract(web, pages), "link", "Second page")
    assert link.leads_to == pages.url("/second.html")


async def test_submit_buttons_belong_to_their_form(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    button = only(seen, "button", "Create order").control
    assert button is not None and (button.kind, button.form) == ("submit", 0)
    assert "disabled" in only(seen, "button", "Cannot be pressed").states


async def test_radios_and_checkboxes_know_state_value_and_group(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    post = only(seen, "radio", "By post")
    assert "checked" in post.states and post.control is not None and post.control.submitted_value == "post"
    assert RegionPart(role="group", name="Delivery") in post.region


async def test_a_checkbox_without_a_name_takes_its_rows(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    assert only(seen, "checkbox", "Bob").name_source == "row"


async def test_regions_name_landmark_section_table_and_row(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    second = seen.named("button", "Edit")[1]
    assert [(p.role, p.name) for p in second.region] == [
        ("main", ""), ("section", "All orders"), ("table", "Open orders"), ("row", "Bob"),
    ]  # fmt: skip


async def test_a_table_that_only_arranges_gives_no_row_names(web: WebEnvironment, pages: PageServer) -> None:
    inner = "<table><tr><th>Status</th><td><input type=checkbox name=s></td></tr></table>"
    page = f"<table><tr><td>{inner}</td></tr></table>"
    box = only(await web.begin(None, pages.html("/layout", page)), "checkbox", "Status")
    assert {(p.role, p.name) for p in box.region} == {("row", "Status")}


async def test_two_buttons_of_one_name_are_told_apart_by_their_row(web: WebEnvironment, pages: PageServer) -> None:
    """A13: a recorded locator matches exactly one element."""
    seen = await contract(web, pages)
    locators = [record(e, seen) for e in seen.named("button", "Edit")]
    assert all(locator is not None and len(resolve(locator, seen)) == 1 for locator in locators)
    assert locators[0] != locators[1]


async def test_labels_and_values_of_a_property_table_can_be_read(web: WebEnvironment, pages: PageServer) -> None:
    seen = await contract(web, pages)
    words = [(e.role, e.name) for e in seen.elements if e.role in ("rowheader", "cell", "term", "definition")]
    assert ("rowheader", "Priority:") in words and ("cell", "major") in words
    assert words.index(("rowheader", "Owner:")) + 1 == words.index(("cell", "ann"))
    assert ("term", "Version") in words and ("definition", "1.6") in words


async def test_text_holds_what_a_person_can_see_and_nothing_else(web: WebEnvironment, pages: PageServer) -> None:
    """E7: hidden and off-screen words are dropped."""
    seen = await contract(web, pages)
    assert "Plain words here" in seen.text
    for hidden in ("off the screen", "not seen", "Transparent", "Folded"):
        assert hidden not in seen.text
    assert not any("off the screen" in e.name for e in seen.elements)


async def test_a_folded_section_reads_as_collapsed(web: WebEnvironment, pages: PageServer) -> None:
    assert "collapsed" in only(await contract(web, pages), "button", "More").states


async def test_controls_in_open_shadow_roots_are_elements(web: WebEnvironment, pages: PageServer) -> None:
    """A1: the open half."""
    inner = "<form><label>Card <input name=card></label><button>Pay now</button></form>"
    page = (
        "<x-pay></x-pay><script>customElements.define('x-pay',class extends HTMLElement{constructor(){super();"
        "this.attachShadow({mode:'%s'}).innerHTML='" + inner + "'}})</script>"
    )
    seen = await web.begin(None, pages.html("/open", page % "open"))
    assert only(seen, "textbox", "Card").control is not None
    only(seen, "button", "Pay now")
    assert seen.unreachable == ()
    seen = await web.begin(None, pages.html("/closed", page % "closed"))
    assert seen.named("button", "Pay now") == ()
    assert [(u.kind, u.name) for u in seen.unreachable] == [("closed-shadow", "x-pay")]


async def test_a_declared_closed_shadow_root_is_unreachable(web: WebEnvironment, pages: PageServer) -> None:
    page = "<x-bar><template shadowrootmode=closed><button>Inside</button></template></x-bar>"
    seen = await web.begin(None, pages.html("/declared", page))
    assert [u.kind for u in seen.unreachable] == ["closed-shadow"]


async def test_a_painted_application_is_unreachable(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.html("/canvas", "<canvas id=board width=200 height=60></canvas>"))
    assert [(u.kind, u.name) for u in seen.unreachable] == [("canvas", "board")]


async def test_frames_are_part_of_the_observation(web: WebEnvironment, pages: PageServer) -> None:
    pages.html(
        "/inner", "<form action=/go><label>Amount <input name=amount value=7></label><button>Send</button></form>"
    )
    page = "<form><input aria-label=Outer></form><iframe name=pay src=/inner style='margin-top:50px'></iframe>"
    seen = await web.begin(None, pages.html("/outer", page))
    amount = only(seen, "textbox", "Amount")
    assert (amount.frame, amount.value, amount.control and amount.control.form) == ("pay", "7", 1)
    assert amount.box is not None and amount.box.y > 50
    assert seen.forms[1].target == pages.url("/go")
    assert at(seen, "button", "Send").frame == "pay"


async def test_a_strangers_frame_is_unreachable(
    web: WebEnvironment, pages: PageServer, other_pages: PageServer
) -> None:
    page = f"<iframe name=ad src={other_pages.url('/ad')}></iframe>"
    seen = await web.begin(None, pages.html("/with-ad", page))
    assert [(u.kind, u.name) for u in seen.unreachable] == [("foreign-frame", "ad")]
    assert other_pages.asked == []


async def test_a_lone_surrogate_becomes_a_replacement_character(web: WebEnvironment, pages: PageServer) -> None:
    """F4: everything that is observed can be written as UTF-8."""
    half = "\\ud83d"
    page = (
        f"<script>document.title='a{half}';"
        f"document.write('<button>b{half}</button><p>c{half}<input value=\"d{half}\">')</script>"
    )
    seen = await web.begin(None, pages.html("/odd", page))
    seen.model_dump_json().encode("utf-8")
    assert seen.title == "a�" and len(seen.named("button", "b�")) == 1


async def test_generated_ids_and_classes_are_in_no_locator(web: WebEnvironment, pages: PageServer) -> None:
    """B9: two loads give the same locators although every id and class differs."""
    page = (
        "<script>const r=()=>'x-'+Math.random().toString(36).slice(2);"
        "document.write(`<div class=${r()}><button id=${r()} class=${r()}>Save</button>"
        "<input id=${r()} name=title aria-label=Title></div>`)</script>"
    )
    address = pages.html("/minted", page)
    first, second = await web.begin(None, address), await web.begin(None, address)
    assert [record(e, first) for e in first.elements] == [record(e, second) for e in second.elements]


async def test_two_looks_differ_only_in_what_changes_by_itself(web: WebEnvironment, pages: PageServer) -> None:
    """B1, the adapter's side: refs and boxes aside, only the clock's words differ."""
    page = (
        "<h1>Board</h1><p id=t>Updated 0 times</p><button>Stop</button>"
        "<script>let n=0;setInterval(()=>t.textContent='Updated '+(++n)+' times',50)</script>"
    )
    first = await web.begin(None, pages.html("/clock", page))
    second = await web.observe()
    differing = [(a.name, b.name) for a, b in zip(first.elements, second.elements, strict=True) if a.name != b.name]
    assert len(differing) <= 1 and all(a.startswith("Updated") for a, _ in differing)
    assert first.settled and second.settled


async def test_big_pages_are_cut_and_say_so(web: WebEnvironment, pages: PageServer) -> None:
    """What can be acted on goes before words: the button at the end is still there."""
    rows = "".join(f"<p>Line {i} <a href=/x{i}>link {i}</a></p>" for i in range(1000))
    seen = await web.begin(None, pages.html("/long", rows + "<button>Save</button>"))
    assert len(seen.elements) == 1500 and "cut at 1500 elements" in seen.notes
    only(seen, "button", "Save")


async def test_icons_that_a_font_draws_are_no_words(web: WebEnvironment, pages: PageServer) -> None:
    seen = await web.begin(None, pages.url("/icons.html"))
    assert only(seen, "link", "share").leads_to == pages.url("/share")
    assert [e.name for e in seen.headings()] == ["Orchids"]
    heart = only(seen, "link", "")
    target = record(heart, seen)
    assert target is not None and resolve(target, seen) == (heart,)
    assert seen.text.split() == ["Orchids", "share"]


async def test_a_page_that_moves_while_it_is_read_is_read_again(web: WebEnvironment, pages: PageServer) -> None:
    """An editor that unfolds late pushes the rest down: boxes of the two readings no longer agree."""
    page = (
        "<form method=post><input name=title aria-label=Title><button id=last>Save</button></form>"
        "<script>const own=Element.prototype.getBoundingClientRect;let moves=2;"
        "Element.prototype.getBoundingClientRect=function(){const box=own.call(this);"
        "if(moves&&(this.id==='last'||this===document.body))document.body.style.marginTop=30*moves--+'px';return box}"
        "</script>"
    )
    seen = await web.begin(None, pages.html("/moving", page))
    title, save = only(seen, "textbox", "Title").control, only(seen, "button", "Save").control
    assert title is not None and save is not None and title.form == save.form == 0


async def test_a_page_of_which_a_part_moves_is_read_again(web: WebEnvironment, pages: PageServer) -> None:
    """Only what stands below the editor is pushed down."""
    page = (
        "<form method=post><input name=title aria-label=Title><p id=editor></p><button id=last>Save</button></form>"
        "<script>const own=Element.prototype.getBoundingClientRect;let moves=2;"
        "Element.prototype.getBoundingClientRect=function(){const box=own.call(this);"
        "if(moves&&(this.id==='last'||this===document.body))editor.style.height=30*moves--+'px';return box}</script>"
    )
    seen = await web.begin(None, pages.html("/moving-below", page))
    assert only(seen, "textbox", "Title").control is not None
    save = only(seen, "button", "Save").control
    assert save is not None and save.form == 0
