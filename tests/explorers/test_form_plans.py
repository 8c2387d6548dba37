"""Which trials a form deserves, and which forms are left alone."""

from __future__ import annotations

import pytest
from drawn_pages import choice, control, heading, link
from exploring import seen, visited
from small_app import knowledge

from pipeline.domain.action import Click
from pipeline.domain.exploration import Page, Transition
from pipeline.domain.observation import Element, Form, Locator
from pipeline.domain.routes import RoutePatterns
from pipeline.explorers.executing import find_form
from pipeline.explorers.form_plans import PER_FORM, trials
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Result, Trial


def _form(*elements: Element, method: str = "post", target: str = "/x", at: str = "/x") -> Knowledge:
    return visited(seen(at, *elements, forms=[Form.model_validate({"index": 0, "method": method, "target": target})]))


def _planned(known: Knowledge, limit: int = 50) -> list[Trial]:
    return list(trials(known, limit))


SAVE = control("submit", "Save")
NAME = control("text", "Name", "name")


def test_a_form_for_something_new_takes_its_name_and_then_two_more_at_a_time() -> None:
    more = [control("text", n, n) for n in ("city", "street", "phone")]
    must = control("text", "Code", "code", required=True)
    known = _form(NAME, must, *more, control("checkbox", "Public", "public"), SAVE)
    assert [t.parameters for t in _planned(known)] == [
        ("name", "code"), ("name", "code", "city", "street"), ("name", "code", "phone"),
    ]  # fmt: skip


def test_a_form_that_is_filled_already_takes_one_value_at_a_time_choices_first() -> None:
    known = knowledge()
    known.patterns = RoutePatterns()
    planned = [t for t in _planned(known) if t.route == "/books/{}"]
    assert [t.parameters for t in planned] == [("status",), ("genre",), ("title",), ("owner",)]


def test_what_has_to_be_given_beside_filled_fields_is_given_every_time() -> None:
    member = control("text", "Member", "member", required=True, value="ann")
    words = control("multiline", "Words", "words", required=True)
    known = _form(member, control("text", "Title", "title", required=True), words, SAVE)
    assert next(t.parameters for t in _planned(known)) == ("title", "words")


def test_a_form_of_a_thing_is_tried_on_two_things() -> None:
    trial = next(t for t in _planned(knowledge()) if t.route == "/books/{}")
    assert [(s.location, s.key) for s in trial.sites] == [("/books/1", "1"), ("/books/2", "2")]
    assert "Winter Tales" in trial.sites[0].names


def test_another_thing_is_known_by_a_link_to_it_and_preferred_where_its_page_has_the_form() -> None:
    forms = [Form.model_validate({"index": 0, "method": "post", "target": "/x"})]
    link = Element(ref="e9", role="link", name="Two", leads_to="/clubs/2")
    linked = visited(seen("/clubs/1", NAME, SAVE, link, forms=forms))
    assert [s.key for s in _planned(linked)[0].sites] == ["1", "2"]
    pages = [seen(f"/clubs/{n}", NAME, SAVE if n != 2 else control("submit", "Leave"), forms=forms) for n in (1, 2, 3)]
    assert [s.key for s in _planned(visited(*pages))[0].sites] == ["1", "3"]


def test_what_can_be_done_with_picked_rows_is_tried_choice_by_choice() -> None:
    boxes = [control("checkbox", n, "chosen", region=[("row", n)]) for n in ("Ann", "Bob")]
    acts = choice("Action", "act", [("-- choose --", ""), ("Archive", "a"), ("Restore", "r")], "-- choose --")
    picked = [t.pinned for t in _planned(_form(*boxes, acts, control("submit", "Go"))) if t.pick_field]
    assert picked == [(("act", "Archive"),), (("act", "Restore"),), ()]


def test_another_thing_is_known_by_its_other_places() -> None:
    save = control("submit", "Delete")
    gone = seen("/clubs/1/delete", save, forms=[Form(index=0, method="post", target="/clubs/1/delete")])
    known = visited(seen("/", link("Chess", "/clubs/1"), link("Go", "/clubs/2/edit"), link("Fog", "/books/3")), gone)
    assert [[s.location for s in t.sites] for t in _planned(known)] == [["/clubs/1/delete", "/clubs/2/delete"]]


def test_a_verb_may_stand_before_the_key() -> None:
    save = control("submit", "Delete")
    gone = seen("/clubs/delete/1", save, forms=[Form(index=0, method="post", target="/clubs/delete/1")])
    known = visited(seen("/", link("Fog", "/books/3"), link("Go", "/clubs/stats/2")), gone)
    assert [[s.location for s in t.sites] for t in _planned(known)] == [["/clubs/delete/1", "/clubs/delete/2"]]


def test_each_sheet_of_a_form_is_tried() -> None:
    forms = [Form(index=0, method="post", target="/x")]
    more = [control("text", n, n) for n in ("city", "street")]
    known = visited(seen("/x", NAME, SAVE, forms=forms), seen("/x", *more, SAVE, id="/x§1", forms=forms))
    assert [t.parameters for t in _planned(known)] == [("name",), ("city",), ("city", "street")]


def test_a_form_is_tried_where_it_stands_alone() -> None:
    lend = [control("submit", "Lend", form=n, region=[("listitem", name)]) for n, name in enumerate(("Dune", "Emma"))]
    forms = [Form(index=n, method="post", target=f"/lend/{n + 1}") for n in (0, 1)]
    known = visited(seen("/books", *lend, forms=forms), seen("/books/1", heading("Dune"), lend[0], forms=forms[:1]))
    assert [t.route for t in _planned(known)] == ["/books/{}"]


def _alike(*targets: str, at: str = "/settings", role: str = "section") -> Page:
    """Forms that differ only in where they lead and in what they stand under."""
    regions = [[(role, f"Part {n}")] for n in range(len(targets))]
    fields = [control("text", "Address", "v", form=n, region=r) for n, r in enumerate(regions)]
    saves = [control("submit", "Save", form=n, region=r) for n, r in enumerate(regions)]
    return seen(at, *fields, *saves, forms=[Form(index=n, method="post", target=t) for n, t in enumerate(targets)])


def test_alike_forms_of_one_page_are_told_apart_by_where_they_lead() -> None:
    page = _alike("/settings?k=mail", "/settings?k=web")
    mail, web = _planned(visited(page))
    assert mail.key != web.key
    found = [find_form(page.observation, t) for t in (mail, web)]
    assert [f.form.index for f in found if f] == [0, 1]


def test_a_form_that_is_alone_on_its_page_is_the_same_wherever_it_leads() -> None:
    pages = [_alike(f"/books/{n}?act=move", at=f"/books/{n}") for n in (1, 2)]
    [trial] = _planned(visited(*pages))
    assert not trial.leads_to and all(find_form(p.observation, trial) for p in pages)


@pytest.mark.parametrize(("one", "two", "role"), [("/x/1", "/x/2", "section"), ("/x/red", "/x/blue", "listitem")])
def test_alike_forms_of_things_are_not_told_apart(one: str, two: str, role: str) -> None:
    assert {t.leads_to for t in _planned(visited(_alike(one, two, role=role)))} == {""}


def test_checkboxes_in_rows_pick_two_things() -> None:
    [trial] = [t for t in _planned(knowledge()) if t.pick_field]
    assert (trial.submit, trial.pick_field, trial.sensitive) == ("Remove selected", "pick", True)
    assert [s.row for s in trial.sites] == ["Cooking", "History"]


def test_a_search_box_that_stands_everywhere_is_tried_once() -> None:
    box = [control("search", "Words", "q"), control("submit", "Search")]
    form = [Form(index=0, method="get", target="/search")]
    known = visited(*(seen(f"/{n}", *box, forms=form) for n in "abc"))
    assert [t.parameters for t in _planned(known)] == [("q",)]


@pytest.mark.parametrize(
    "elements",
    [
        [control("password", "New password", "p"), SAVE],
        [control("text", "API key", "k"), SAVE],
        [control("file", "Attachment", "f", required=True), NAME, SAVE],
        [control("submit", "Log out")],
        [NAME, control("submit", "Sign out")],
        [NAME, control("checkbox", "Sign in by e-mail", "mail"), SAVE],
    ],
)
def test_credentials_files_and_ways_to_sign_in_or_out_are_never_tried(elements: list[Element]) -> None:
    assert _planned(_form(*elements)) == []


@pytest.mark.parametrize("target", ["/logout", "/session/end", "http://other.test/x"])
def test_a_form_that_leads_out_is_never_tried(target: str) -> None:
    assert _planned(_form(NAME, SAVE, target=target)) == []


@pytest.mark.parametrize("name", ["Cancel", "Preview", "Vorschau", "返回", "»"])
def test_a_button_that_does_nothing_lasting_is_not_pressed(name: str) -> None:
    assert {t.submit for t in _planned(_form(NAME, SAVE, control("submit", name)))} == {"Save"}


def test_the_main_button_comes_first() -> None:
    planned = _planned(_form(control("submit", "Archive"), NAME, SAVE))
    assert planned[0].submit == "Save"


def test_a_disabled_button_is_not_pressed() -> None:
    assert _planned(_form(NAME, control("submit", "Save", states=["disabled"]))) == []


def test_a_button_alone_is_tried_without_values() -> None:
    [trial] = _planned(_form(control("submit", "Archive")))
    assert (trial.parameters, trial.submit) == ((), "Archive")


def test_a_get_form_without_values_is_no_trial() -> None:
    assert _planned(_form(control("submit", "Refresh"), method="get")) == []


def test_trials_of_one_form_are_bounded() -> None:
    many = [control("text", f"F{n}", f"f{n}", value="x") for n in range(30)]
    assert len(_planned(_form(*many, SAVE))) == PER_FORM


def test_every_form_gets_its_best_trial_before_any_gets_its_second() -> None:
    city = control("text", "City", "city")
    known = visited(
        *(
            seen(at, heading(at), NAME, city, SAVE, forms=[Form(index=0, method="post", target=at)])
            for at in ("/a", "/b")
        )
    )
    assert [t.route for t in _planned(known)] == ["/a", "/b", "/a", "/b"]


def test_what_was_done_is_not_done_again() -> None:
    known = _form(NAME, SAVE)
    [trial] = _planned(known)
    known.add([Result(key=trial.key, kind="trial", actions=9)])
    assert _planned(known) == []


def test_trials_that_another_one_called_for_come_first() -> None:
    known = _form(NAME, SAVE)
    called = Trial(form="f", route="/r", submit="Go", sites=(), pinned=(("a", "b"),))
    known.add([Result(key="trial x", kind="trial", actions=9, follow_ups=(called,))])
    assert _planned(known)[0] == called


def test_a_form_behind_a_click_is_reached_by_it() -> None:
    click = Click(target=Locator(role="button", name="New note"))
    known = visited(seen("/x"))
    hidden = seen("/x", NAME, SAVE, id="/x§1", forms=[Form(index=0, method="post", target="/x")])
    edge = Transition(id="t", source="/x", action=click, target="/x§1")
    known.add([Result(key="poke", kind="poke", actions=2, page=hidden, transition=edge)])
    assert _planned(known)[0].prelude == (click,)
