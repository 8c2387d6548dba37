"""What a look notes, and what a click has to show to be worth knowing."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from drawn_pages import element, heading, page

from pipeline.domain.observation import Element, Observation
from pipeline.domain.state import StateSnapshot
from pipeline.explorers.units import Visit
from pipeline.explorers.visiting import shows_links, visit

MENU = Element(ref="e1", role="link", name="Menu", leads_to="/clubs#")


def test_a_menu_that_unfolds_shows_its_links() -> None:
    folded = Observation(location="/clubs", elements=(MENU,))
    unfolded = Observation(location="/clubs", elements=(MENU, Element(ref="e2", role="link", leads_to="/admin")))
    assert shows_links(folded, unfolded)
    assert not shows_links(unfolded, folded)


def test_a_link_that_leaves_the_application_is_nothing_new() -> None:
    outward = Element(ref="e2", role="link", leads_to="https://elsewhere.example/")
    assert not shows_links(Observation(location="/"), Observation(location="/", elements=(outward,)))


class Screens:
    """A bench that shows one screen after the other, whatever is asked of it."""

    profile = SimpleNamespace(observable=False)
    start = StateSnapshot()

    def __init__(self, *shown: Observation) -> None:
        self._shown = list(shown)

    async def fresh(self, user: str, location: str) -> Observation:
        return self._shown.pop(0)

    async def look(self) -> Observation:
        return self._shown.pop(0)

    async def require_signed_in(self) -> None:
        """Whoever looks here is."""


@pytest.mark.parametrize("twice", [True, False])
async def test_words_that_change_between_two_looks_at_a_place_are_noted(twice: bool) -> None:
    screens: Any = Screens(*(page("/", heading(f"{w} day"), element("button", f"{w} hats")) for w in ("Hot", "Wet")))
    found = await visit(screens, Visit(location="/", twice=twice), "ann")
    changing = ("button|Hot hats", "button|Wet hats", "heading|Hot day", "heading|Wet day")
    assert found.page is not None and found.page.mask == (changing if twice else ())
