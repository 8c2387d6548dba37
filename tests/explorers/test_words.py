"""Labels with their values, and nouns, as a person reads them off a page."""

from __future__ import annotations

import pytest
from drawn_pages import control, element, heading, link, page

from pipeline.domain.feature import Parameter
from pipeline.domain.labels import pairs
from pipeline.domain.observation import Element, Locator, Observation
from pipeline.domain.wording import plain_heading
from pipeline.explorers.nouns import created_noun, entity_noun, noun_in, place_heading, says_create, singular
from pipeline.explorers.units import Trial


def _pairs(*elements: Element) -> list[tuple[str, str]]:
    return [(p.label, p.value) for p in pairs(page("/", *elements))]


def test_a_header_cell_speaks_of_the_value_right_behind_it() -> None:
    row = [element("rowheader", "Owner:"), element("cell", " ann \n"), element("cell", "other")]
    assert _pairs(*row) == [("owner", "ann")]


def test_a_term_speaks_of_its_definition() -> None:
    assert _pairs(element("term", "Due date"), element("definition", "May 1")) == [("due date", "May 1")]


def test_a_column_header_speaks_only_where_it_ends_in_a_colon() -> None:
    assert _pairs(element("columnheader", "Owner"), element("cell", "ann")) == []
    assert _pairs(element("columnheader", "Owner:"), element("cell", "ann")) == [("owner", "ann")]


def test_two_headers_in_a_row_speak_of_nothing() -> None:
    assert _pairs(element("rowheader", "A:"), element("rowheader", "B:"), element("cell", "b")) == [("b", "b")]


def test_a_sentence_is_no_label() -> None:
    assert _pairs(element("rowheader", "What you should know of it:"), element("cell", "x")) == []


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("Add Milestone:", "milestone"), ("Create a new ticket", "ticket"), ("New Ticket", "ticket"),
        ("Edit this page", "page"), ("Delete selected reports", "report"), ("Manage Categories (3)", "category"),
        ("Submit changes", ""), ("Remove selected items", ""), ("Add", ""), ("Milestones", ""), ("Save", ""),
        ("Rename the sub-project", "sub-project"), ("Publish private story", "private story"),
    ],
)  # fmt: skip
def test_a_button_or_heading_with_a_verb_names_a_thing(text: str, noun: str) -> None:
    assert noun_in(text) == noun


@pytest.mark.parametrize(("many", "one"), [("categories", "category"), ("news", "news"), ("status", "status"),
                                           ("user groups", "user group"), ("", "")])  # fmt: skip
def test_the_last_word_is_put_into_the_singular(many: str, one: str) -> None:
    assert singular(many) == one


NAME = Parameter(key="name", label="name", kind="text", target=Locator(role="textbox"))


def _trial(submit: str = "Save", route: str = "/x") -> Trial:
    return Trial(form="f", route=route, submit=submit, sites=())


def _near(*region: tuple[str, str]) -> Observation:
    return page("/x", heading("Settings"), control("text", "Name", "name", region=region))


@pytest.mark.parametrize(
    ("seen", "submit", "creates"),
    [
        (_near(("group", "Add genre:")), "Save", True),
        (_near(("section", "New genre")), "OK", True),
        (_near(), "Create", True),
        (_near(("group", "Modify genre:")), "Save", False),
        (_near(), "Add to cart", False),
        (_near(), "Address", False),
    ],
)
def test_a_form_says_by_its_nearest_words_whether_it_makes_something(
    seen: Observation, submit: str, creates: bool
) -> None:
    assert says_create(seen, _trial(submit), [NAME]) is creates


def test_what_a_form_makes_is_named_from_the_nearest_words_outward() -> None:
    assert created_noun(_near(("group", "Add genre:")), _trial("Create shelf"), [NAME]) == "genre"
    assert created_noun(_near(), _trial("Create shelf"), [NAME]) == "shelf"
    assert created_noun(page("/x", heading("Add a member")), _trial(), [NAME, NAME]) == "member"


def test_a_form_without_words_is_named_by_its_value_or_its_place() -> None:
    assert created_noun(_near(), _trial(), [NAME]) == "name"
    assert created_noun(_near(), _trial(), [NAME.model_copy(update={"label": "write story"})]) == "story"
    assert created_noun(page("/x"), _trial(route="/user-groups"), []) == "user group"
    assert created_noun(page("/x"), _trial(route="/"), []) == "entry"
    assert created_noun(page("/story/publish"), _trial("Publish", "/story/publish"), [NAME, NAME]) == "story"


@pytest.mark.parametrize(
    ("route", "own", "noun"),
    [("/tickets/{}", True, "ticket"), ("/newticket/{}", True, "ticket"), ("/news/{}", True, "news item"),
     ("/a/{}/comments/{}", True, "comment"), ("/{}", True, "entry"), ("/admin/milestones", False, "milestone")],
)  # fmt: skip
def test_a_thing_is_named_by_the_place_where_it_stands(route: str, own: bool, noun: str) -> None:
    assert entity_noun(page("/x"), route, own) == noun


def test_a_thing_is_named_by_the_list_that_its_breadcrumbs_lead_to() -> None:
    crumbs = [("navigation", "breadcrumb")]
    seen = page(
        "/x", link("Home", "/", crumbs), link("Club members", "/people/", crumbs), link("Elders", "/people/7/", crumbs)
    )
    assert entity_noun(seen, "/people/{}/edit", True) == "club member"


@pytest.mark.parametrize(
    ("said", "noun"), [("All members", "member"), ("Results", "person"), ("Members of Leeds", "person")]
)
def test_what_is_picked_in_a_list_is_named_by_the_lists_heading(said: str, noun: str) -> None:
    assert entity_noun(page("/x", heading(said)), "/people", False) == noun


def test_a_thing_is_not_named_by_what_can_be_added_to_it() -> None:
    seen = page("/x", element("button", "Delete"), element("button", "Add comment"), element("heading", "New item"))
    assert entity_noun(seen, "/items/{}", True) == "item"
    assert entity_noun(page("/x", element("button", "Delete page")), "/wiki/{}", True) == "wiki page"


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("Add Blog post", "blog post"),
        ("All Blog posts", "blog post"),
        ("blogpost", "blogpost"),
        ("B log post", "blogpost"),
    ],
)
def test_what_an_address_runs_together_is_written_as_the_page_writes_it(text: str, noun: str) -> None:
    seen = page("/x").model_copy(update={"text": text})
    assert entity_noun(seen, "/blogpost/{}", True) == noun
    assert created_noun(seen, _trial("Save", "/blogpost/add"), [NAME, NAME]) == noun


def test_a_thing_whose_place_only_says_what_is_done_is_named_by_its_buttons_or_by_its_table() -> None:
    seen = page("/x", heading("Edit Tomato"), element("button", "Add note"), element("button", "Save"))
    assert entity_noun(seen, "/edit/{}", True, ["Tomato"], "garden_plants") == "plant"
    assert entity_noun(seen, "/edit/{}", True, ["Tomato"], "T1") == "entry"
    named = page("/x", heading("Edit Tomato"), element("button", "Delete herb"))
    assert entity_noun(named, "/edit/{}", True, ["Tomato"], "garden_plants") == "herb"
    assert entity_noun(page("/x"), "/manage", False, table="plant") == "plant"


def test_the_heading_of_a_place_is_its_highest_own_one() -> None:
    seen = page("/x", heading("Aside", 3), heading("My shop", 1), heading("Users (12)", 2), title="Users - My shop")
    assert place_heading(seen, frozenset({"My shop"})) == "Users"
    for mark in ("–", "::", "»"):
        assert place_heading(page("/x", title=f"Users {mark} My shop")) == "Users"


@pytest.mark.parametrize(
    ("text", "plain"),
    [("{1} Active Tickets (10 matches)", "Active Tickets"), ("Users (3)", "Users"), ("Top (ten)", "Top (ten)"),
     ("2024 (1)", "2024"), ("  Two   words ", "Two words")],
)  # fmt: skip
def test_counters_are_left_out_of_headings(text: str, plain: str) -> None:
    assert plain_heading(text) == plain
