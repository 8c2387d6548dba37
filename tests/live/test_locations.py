"""Own locations are stored without origin and come back with another one; strangers' stay as they are."""

from __future__ import annotations

import pytest

from pipeline.domain.action import Click, Open, Press
from pipeline.domain.observation import Element, Form, Locator, Observation
from pipeline.domain.step import ActionOutcome, Event
from pipeline.live.locations import absolute, relative, told_without_origin, with_origin, without_origin

BASE = "http://127.0.0.1:4711"


@pytest.mark.parametrize(
    ("location", "stored"),
    [
        (BASE, "/"),
        (BASE + "/", "/"),
        (BASE + "/items?sort=title", "/items?sort=title"),
        (BASE + "?q=1", "?q=1"),
        (BASE + "0/items", BASE + "0/items"),
        ("https://elsewhere.example/", "https://elsewhere.example/"),
        ("about:blank", "about:blank"),
    ],
)
def test_only_own_locations_lose_their_origin(location: str, stored: str) -> None:
    assert relative(location, BASE) == stored


def test_a_stored_location_comes_back_at_another_port() -> None:
    assert absolute(relative(BASE + "/items/3", BASE), "http://127.0.0.1:9") == "http://127.0.0.1:9/items/3"
    assert absolute("https://elsewhere.example/", BASE) == "https://elsewhere.example/"


def test_links_and_forms_of_an_observation_are_relative() -> None:
    link = Element(ref="1", role="link", name="Canoe", leads_to=BASE + "/items/7")
    seen = Observation(location=BASE + "/items", elements=(link,), forms=(Form(index=0, target=BASE + "/search"),))
    stored = without_origin(seen, BASE)
    assert (stored.location, stored.elements[0].leads_to, stored.forms[0].target) == ("/items", "/items/7", "/search")


def test_actions_get_the_origin_that_they_need() -> None:
    assert with_origin(Open(location="/items"), BASE) == Open(location=BASE + "/items")
    click = Click(target=Locator(role="link", name="Canoe", leads_to="/items/7"))
    assert with_origin(click, BASE).target.leads_to == BASE + "/items/7"  # type: ignore[union-attr]  # a click has one
    for plain in (Click(target=Locator(role="button", name="Save")), Press(key="Enter")):
        assert with_origin(plain, BASE) is plain


def test_what_an_action_tells_is_relative_too() -> None:
    moved = Event(kind="navigation", text=BASE + "/items")
    told = told_without_origin(ActionOutcome(dispatched=True, detail=f"left {BASE}/x", events=(moved,)), BASE)
    assert (told.events[0].text, told.detail) == ("/items", "left /x")
