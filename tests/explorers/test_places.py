"""Features that need no submission: going somewhere, sorting a list, reading a value off a page."""

from __future__ import annotations

import pytest
from drawn_pages import element, heading, link
from exploring import seen, visited
from small_app import BOOK, knowledge, shop, snapshot, start, table

from pipeline.domain.feature import Fixed, FromParameter
from pipeline.explorers.places import navigations, readings, sortings


def test_every_fixed_place_with_a_heading_of_its_own_can_be_gone_to() -> None:
    assert {f.location: f.heading for f in navigations(knowledge(), "shop")} == {
        "/books": "Books", "/genres": "Genres", "/search": "Search", "/about": "About this shop",
    }  # fmt: skip


def test_home_things_and_places_with_a_query_are_not_gone_to() -> None:
    known = visited(
        seen("/", heading("Home"), link("Q", "/q?a=1"), link("T", "/t/1")),
        seen("/q?a=1", heading("Query")),
        seen("/t/1", heading("Ticket")),
    )
    assert navigations(known, "shop") == []


@pytest.mark.parametrize(("link_name", "found"), [("Sign in", []), ("To the login", ["/in"])])
def test_a_place_whose_name_stands_in_its_title_only_is_not_asked_for(link_name: str, found: list[str]) -> None:
    known = visited(
        seen("/", heading("Home"), link(link_name, "/in")), seen("/in", element("text", "Hello"), title="Login")
    )
    assert [f.location for f in navigations(known, "shop")] == found


def test_two_places_of_one_heading_cannot_be_told_apart() -> None:
    known = visited(seen("/a", heading("Same")), seen("/b", heading("Same")), seen("/c", heading("Other")))
    assert [f.location for f in navigations(known, "shop")] == ["/c"]


def test_a_place_to_go_to_names_the_edges_that_lead_there() -> None:
    about = next(f for f in navigations(knowledge(), "shop") if f.location == "/about")
    edges = [knowledge().transitions[e] for e in about.evidence]
    assert edges and all(e.target == "/about" for e in edges)


def test_ids_do_not_depend_on_the_order_of_looking() -> None:
    places = [seen(p, heading(p)) for p in ("/a", "/b")]
    one, other = navigations(visited(*places), "shop"), navigations(visited(*reversed(places)), "shop")
    assert {f.id for f in one} == {f.id for f in other}


def test_a_list_is_sorted_by_the_links_in_its_header() -> None:
    [feature] = sortings(knowledge(), "shop")
    [column] = feature.parameters
    assert (feature.location, column.options, column.option_values) == (
        "/books",
        ("Title", "Owner"),
        ("title", "owner"),
    )
    effect = feature.effects.location
    assert effect is not None and effect.path == Fixed(value="/books")
    assert effect.query == {"sort": FromParameter(parameter="sort")}


def test_header_links_that_lead_elsewhere_sort_nothing() -> None:
    head = [e for n in ("Help", "More") for e in (element("columnheader", n), link(n, f"/{n.lower()}?a={n}"))]
    assert sortings(visited(seen("/list", *head)), "shop") == []


def test_one_header_link_alone_does_not_tell_which_part_names_the_column() -> None:
    assert sortings(visited(seen("/l", element("columnheader", "A"), link("A", "/l?s=a&d=1"))), "shop") == []


def test_two_parts_that_both_tell_the_columns_apart_are_no_sorting() -> None:
    head = [e for n in "AB" for e in (element("columnheader", n), link(n, f"/l?s={n}&t={n}"))]
    assert sortings(visited(seen("/l", *head)), "shop") == []


def test_a_value_that_stands_in_one_column_on_every_page_can_be_asked_for() -> None:
    found = {f.answer_label: f for f in readings(knowledge(), "shop", start())}
    assert {k: f.answer_column for k, f in found.items()} == {"owner": "owner", "genre": "genre"}
    assert found["owner"].entity == BOOK and found["owner"].sample == ("1", "Winter Tales")


def test_a_value_that_is_the_same_everywhere_is_no_question() -> None:
    rows = [{"id": n, "title": f"Title {n}", "owner": "ann"} for n in (1, 2)]
    pages = [
        seen(f"/books/{r['id']}", heading(str(r["title"])), element("rowheader", "Owner:"), element("cell", "ann"))
        for r in rows
    ]
    assert readings(visited(*pages), "shop", snapshot(table("book", ("id",), *rows))) == []


def test_a_value_that_no_column_or_two_columns_hold_is_no_question() -> None:
    rows = [{"id": n, "title": f"Title {n}", "owner": who, "author": who} for n, who in ((1, "ann"), (2, "bob"))]
    pages = [
        seen(
            f"/books/{r['id']}",
            heading(str(r["title"])),
            element("rowheader", "Owner:"),
            element("cell", str(r["owner"])),
            element("rowheader", "Shelf:"),
            element("cell", f"S{r['id']}"),
        )
        for r in rows
    ]
    assert readings(visited(*pages), "shop", snapshot(table("book", ("id",), *rows))) == []


@pytest.mark.parametrize("label", ["Is active", "In stock", "#", "You saved"])
def test_a_label_that_does_not_name_what_it_holds_makes_no_question(label: str) -> None:
    rows = [{"id": n, "title": f"Title {n}", "owner": who} for n, who in ((1, "ann"), (2, "bob"))]
    pages = [
        seen(f"/b/{r['id']}", heading(str(r["title"])), element("rowheader", label), element("cell", str(r["owner"])))
        for r in rows
    ]
    assert readings(visited(*pages), "shop", snapshot(table("book", ("id",), *rows))) == []


def test_things_without_a_row_are_asked_nothing() -> None:
    assert readings(knowledge(), "shop", snapshot()) == []


def test_the_features_of_the_sample_application_are_what_is_found() -> None:
    """The hand-made features that all tests use agree with what the explorer would make of the same pages."""
    found = readings(knowledge(), "shop", start())
    made = next(f for f in found if f.answer_column == "owner")
    by_hand = shop().features["read-owner"]
    same = ("operation", "noun", "location", "entity", "sample", "answer_column", "answer_label", "heading")
    assert [getattr(made, n) for n in same] == [getattr(by_hand, n) for n in same]
