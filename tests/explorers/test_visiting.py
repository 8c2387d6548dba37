"""What a click has to show to be worth knowing."""

from __future__ import annotations

from pipeline.domain.observation import Element, Observation
from pipeline.explorers.visiting import shows_links

MENU = Element(ref="e1", role="link", name="Menu", leads_to="/clubs#")


def test_a_menu_that_unfolds_shows_its_links() -> None:
    folded = Observation(location="/clubs", elements=(MENU,))
    unfolded = Observation(location="/clubs", elements=(MENU, Element(ref="e2", role="link", leads_to="/admin")))
    assert shows_links(folded, unfolded)
    assert not shows_links(unfolded, folded)


def test_a_link_that_leaves_the_application_is_nothing_new() -> None:
    outward = Element(ref="e2", role="link", leads_to="https://elsewhere.example/")
    assert not shows_links(Observation(location="/"), Observation(location="/", elements=(outward,)))
