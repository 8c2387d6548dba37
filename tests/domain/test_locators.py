"""Locators: exact names, unique when recorded and again when resolved; otherwise refused."""

from __future__ import annotations

from drawn_pages import control, element, link, page
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.locators import record, resolve
from pipeline.domain.observation import Element, Locator, RegionPart

ROWS = [element("button", "Edit", [("table", "People"), ("row", who)]) for who in ("Ann", "Bob")]


def test_two_buttons_of_one_name_are_told_apart_by_their_rows() -> None:
    seen = page("/people", *ROWS)
    ann, bob = (record(e, seen) for e in ROWS)
    assert ann is not None and ann.region == (RegionPart(role="row", name="Ann"),)
    assert bob is not None and resolve(bob, seen) == (ROWS[1],)


def test_a_locator_does_not_find_the_other_row_when_its_own_is_gone() -> None:
    ann = record(ROWS[0], page("/people", *ROWS))
    assert ann is not None and resolve(ann, page("/people", ROWS[1])) == ()


def test_two_alike_in_one_row_are_refused() -> None:
    twins = [element("button", "Edit", [("row", "Ann")]) for _ in range(2)]
    assert record(twins[0], page("/people", *twins)) is None


def test_a_name_is_matched_whole() -> None:
    plain, longer = element("button", "Continue"), element("button", "Continue with mail")
    seen = page("/", plain, longer)
    assert record(plain, seen) == Locator(role="button", name="Continue")
    assert resolve(Locator(role="button", name="Continue"), seen) == (plain,)


def test_a_unique_name_needs_no_region() -> None:
    only = element("button", "Save", [("form", "Profile")])
    assert record(only, page("/", only)) == Locator(role="button", name="Save")


def test_two_region_parts_are_used_where_one_is_not_enough() -> None:
    cells = [element("button", "Edit", [("group", g), ("row", r)]) for g in ("Staff", "Guests") for r in ("Ann", "Bob")]
    found = record(cells[0], page("/", *cells))
    assert found is not None and [p.name for p in found.region] == ["Staff", "Ann"]


def test_fields_of_one_name_are_told_apart_by_their_key() -> None:
    boxes = [control("text", "Date", k) for k in ("from", "to")]
    found = record(boxes[1], page("/", *boxes))
    assert found is not None and found.field == "to"


def test_links_of_one_name_are_told_apart_by_where_they_lead() -> None:
    links = [link("Details", f"/books/{n}") for n in (1, 2)]
    found = record(links[1], page("/", *links))
    assert found is not None and found.leads_to == "/books/2"


def test_a_frame_is_part_of_where_an_element_is() -> None:
    inside = element("button", "Save", frame="editor")
    assert resolve(Locator(role="button", name="Save"), page("/", inside)) == ()


_ELEMENTS = st.lists(
    st.builds(
        lambda role, name, region: element(role, name, region),
        st.sampled_from(["button", "link"]),
        st.sampled_from(["", "Edit", "Save"]),
        st.lists(st.tuples(st.sampled_from(["row", "group"]), st.sampled_from(["Ann", "Bob"])), max_size=2),
    ),
    max_size=6,
)


@given(_ELEMENTS)
def test_whatever_is_recorded_resolves_to_that_element_alone(elements: list[Element]) -> None:
    seen = page("/", *elements)
    for one in elements:
        found = record(one, seen)
        assert found is None or resolve(found, seen) == (one,)
