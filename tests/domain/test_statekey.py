"""The key of a state: equal for the same place whatever the clock says, different where other things can be done."""

from __future__ import annotations

import pytest
from drawn_pages import control, element, heading, page
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.observation import Element, Observation
from pipeline.domain.routes import RoutePatterns
from pipeline.domain.statekey import changed_by_itself, masked, signature, state_key


def _key(seen: Observation, mask: tuple[str, ...] = ()) -> str:
    return state_key(RoutePatterns().template(seen.location), seen, mask)


def _board(count: int, clock: str, id: str) -> Observation:
    return page("/board", heading(f"Inbox ({count})"), element("text", clock), element("button", f"Open {id}"))


@given(st.integers(0, 10**6), st.datetimes(), st.integers(10**8, 10**12))
def test_clocks_counters_and_hex_ids_do_not_change_the_key(count: int, clock: object, id: int) -> None:
    assert _key(_board(count, str(clock), f"{id:x}".zfill(8))) == _key(_board(3, "now", "3f9a1b2c"))


@pytest.mark.parametrize("id", ["3f9a1b2c", "9e8d7c6b", "af93be12", "00000000", "DEADBEEF12"])
def test_a_hex_id_is_masked_whole(id: str) -> None:
    assert masked(f"Open {id}") == "Open #"


def test_what_changed_between_two_looks_is_masked() -> None:
    one, two = (page("/", element("button", name), element("button", "Stay")) for name in ("Sunny", "Rainy"))
    mask = changed_by_itself(one, two)
    assert mask == ("button|Rainy", "button|Sunny")
    assert _key(one, mask) == _key(two, mask) != _key(one)


def test_a_heading_that_changed_between_two_looks_is_masked() -> None:
    one, two = (page("/", heading(f"{weather} today"), heading("Stay")) for weather in ("Sunny", "Rainy"))
    mask = changed_by_itself(one, two)
    assert _key(one, mask) == _key(two, mask) != _key(page("/", heading("Gone")), mask)


def test_a_value_that_ticks_is_noticed() -> None:
    one, two = (page("/", control("text", "Clock", value=v)) for v in ("10:00", "10:01"))
    assert changed_by_itself(one, two) == ("textbox|Clock",)


def test_two_hash_routes_are_two_states() -> None:
    assert _key(page("/#/users", heading("List"))) != _key(page("/#/orders", heading("List")))


@pytest.mark.parametrize("state", ["expanded", "disabled", "checked", "selected", "pressed"])
def test_a_toggled_control_is_another_state(state: str) -> None:
    def seen(*states: str) -> Observation:
        return page("/", element("button", "Menu", states=frozenset(states)))

    assert _key(seen(state)) != _key(seen())


def test_an_open_menu_is_another_state_than_a_closed_one() -> None:
    menu = element("button", "Menu")
    assert _key(page("/", menu, element("button", "New note"))) != _key(page("/", menu))


def test_focus_is_no_state() -> None:
    assert _key(page("/", element("button", "Menu", states=frozenset({"focused"})))) == _key(
        page("/", element("button", "Menu"))
    )


def _rows(count: int) -> list[Element]:
    return [element("button", f"Edit {n}", [("row", f"Row {n}")]) for n in range(count)]


def test_a_longer_list_is_the_same_place() -> None:
    assert signature(page("/list", *_rows(2))) == signature(page("/list", *_rows(9)))


def test_headings_of_things_do_not_split_their_places() -> None:
    assert state_key("/books/{}", page("/books/1", heading("Winter Tales"))) == state_key(
        "/books/{}", page("/books/2", heading("River Songs"))
    )


def test_headings_of_fixed_places_do() -> None:
    assert state_key("/a", page("/a", heading("Types"))) != state_key("/a", page("/a", heading("Users")))


def test_an_error_is_a_state_of_its_own() -> None:
    assert _key(page("/a", status=404)) != _key(page("/a", status=200))
