"""Walking the UI graph: shortest ways, ways around, and ways to things whose own places were never seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.action import Back, Click
from pipeline.domain.exploration import Page, Transition
from pipeline.domain.observation import Locator, Observation, RegionPart
from pipeline.domain.uigraph import MAX_CLICKS, EntityName, UiGraph, for_entity, place, slotted, with_slots


def _edge(source: str, target: str, name: str = "", region: tuple[RegionPart, ...] = ()) -> Transition:
    click = Click(target=Locator(role="link", name=name or target, region=region))
    return Transition(id=f"{source}>{target}", source=source, action=click, target=target)


def _graph(*edges: Transition) -> UiGraph:
    ids = {e.source for e in edges} | {e.target for e in edges}
    pages = [Page(id=i, location=i, state_key=i, observation=Observation(location=i)) for i in sorted(ids)]
    return UiGraph("/", pages, edges)


DIAMOND = _graph(_edge("/", "/a"), _edge("/a", "/b"), _edge("/b", "/t"), _edge("/", "/c"), _edge("/c", "/t"))


def _ids(graph: UiGraph, target: str, avoid: frozenset[str] = frozenset()) -> list[str] | None:
    way = graph.path(target, avoid)
    return None if way is None else [t.id for t in way]


def test_the_way_is_a_shortest_one() -> None:
    assert _ids(DIAMOND, "/t") == ["/>/c", "/c>/t"]


def test_a_way_around_is_longer() -> None:
    assert _ids(DIAMOND, "/t", frozenset({"/c>/t"})) == ["/>/a", "/a>/b", "/b>/t"]


def test_where_every_way_is_closed_there_is_none() -> None:
    assert _ids(DIAMOND, "/t", frozenset({"/c>/t", "/b>/t"})) is None
    assert _ids(DIAMOND, "/nowhere") is None


def test_at_home_nothing_is_to_be_done() -> None:
    assert DIAMOND.way_to("/") == ()


def test_only_clicks_are_ways() -> None:
    back = Transition(id="back", source="/", action=Back(), target="/t")
    assert _graph(back).path("/t") is None


def test_a_way_longer_than_a_person_would_walk_is_none() -> None:
    chain = _graph(*(_edge(f"/{n}" if n else "/", f"/{n + 1}") for n in range(MAX_CLICKS + 1)))
    assert len(chain.path(f"/{MAX_CLICKS}") or ()) == MAX_CLICKS
    assert chain.path(f"/{MAX_CLICKS + 1}") is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=14), st.integers(1, 5))
def test_every_way_is_connected_from_home_to_its_end(pairs: list[tuple[int, int]], end: int) -> None:
    edges = [_edge(f"/{a}" if a else "/", f"/{b}" if b else "/") for a, b in dict.fromkeys(pairs)]
    way = _graph(*edges).path(f"/{end}")
    if way is not None:
        stops = ["/", *(t.target for t in way)]
        assert [t.source for t in way] == stops[:-1] and stops[-1] == f"/{end}"
        assert len(set(stops)) == len(stops)


ANN, BOB = EntityName("ann", "Ann Lee"), EntityName("bob", "Bob Ray")
PEOPLE = _graph(
    _edge("/", "/people"),
    _edge("/people", "/people/ann", "Ann Lee", (RegionPart(role="row", name="Ann Lee"),)),
    _edge("/people", "/people/bob", "Bob Ray"),
    _edge("/people/ann", "/people/ann/edit", "Edit Ann Lee", (RegionPart(role="section", name="About ann"),)),
)


def test_a_thing_is_reached_by_the_sample_things_way_with_its_own_name_and_key() -> None:
    hops = PEOPLE.entity_path("/people/⟦key⟧/edit", ANN, BOB)
    assert hops is not None and [h.edge for h in hops] == [
        "/>/people",
        "/people>/people/bob",
        "/people/ann>/people/ann/edit",
    ]
    last = hops[-1].action
    assert isinstance(last, Click) and last.target.name == "Edit Bob Ray"
    assert last.target.region == (RegionPart(role="section", name="About bob"),)


def test_a_thing_that_nothing_leads_to_is_not_reached() -> None:
    assert PEOPLE.entity_path("/people/⟦key⟧/edit", ANN, EntityName("cid", "Cid")) is None


def test_a_closed_transition_is_not_used_for_other_things_either() -> None:
    assert PEOPLE.entity_path("/people/⟦key⟧/edit", ANN, BOB, frozenset({"/people/ann>/people/ann/edit"})) is None


@pytest.mark.parametrize(
    ("location", "key", "slotted_location"),
    [
        ("/ticket/1", "1", "/ticket/⟦key⟧"),
        ("/ticket/11", "1", "/ticket/11"),
        ("/wiki/Two%20Words/edit", "Two Words", "/wiki/⟦key⟧/edit"),
        ("/t?id=7&page=1", "7", "/t?id=⟦key⟧&page=1"),
        ("/about", "7", "/about"),
        ("/about/", "", "/about/"),
    ],
)
def test_a_key_becomes_a_slot_only_where_it_stands_alone(location: str, key: str, slotted_location: str) -> None:
    assert slotted(location, key) == slotted_location
    assert place(slotted_location, key) == location


@given(st.text("ab c%/é?&", min_size=1, max_size=8))
def test_a_slot_takes_the_key_back(key: str) -> None:
    assert slotted(place("/x/⟦key⟧/y", key), key) == "/x/⟦key⟧/y"


@pytest.mark.parametrize(
    ("text", "key", "name", "slotted_text"),
    [
        ("Edit Ann Lee", "ann", "Ann Lee", "Edit ⟦name⟧"),
        ("#12", "12", "", "#⟦key⟧"),
        ("12 comments", "12", "", "12 comments"),
        ("About ann", "ann", "", "About ⟦key⟧"),
        ("Annual", "ann", "", "Annual"),
        ("To do", "1", "To", "To do"),
    ],
)
def test_names_and_keys_in_a_locator_become_slots(text: str, key: str, name: str, slotted_text: str) -> None:
    assert with_slots(Locator(role="link", name=text), key, name).name == slotted_text


def test_a_locator_with_slots_is_made_for_another_thing() -> None:
    own = Locator(
        role="checkbox", name="Ann Lee", region=(RegionPart(role="row", name="Ann Lee"),), leads_to="/people/ann"
    )
    other = for_entity(with_slots(own, "ann", "Ann Lee"), "bob", "Bob Ray")
    assert other == Locator(
        role="checkbox", name="Bob Ray", region=(RegionPart(role="row", name="Bob Ray"),), leads_to="/people/bob"
    )


CLUBS = _graph(
    *(_edge("/", f"/clubs/{n}/{word}", word) for n, word in ((1, "chess"), (2, "rowing"), (3, "go"), (4, "darts"))),
    _edge("/clubs/1/chess", "/clubs/edit/1", "edit"),
)


def test_words_that_spell_a_key_out_are_looked_up() -> None:
    assert slotted("/clubs/1/chess", "1", "/clubs/{}/{}") == "/clubs/⟦key⟧/⟦slug⟧"
    assert slotted("/clubs/1/edit", "1", "/clubs/{}/edit") == "/clubs/⟦key⟧/edit"
    assert CLUBS.located("/clubs/⟦key⟧/⟦slug⟧", "2") == "/clubs/2/rowing"
    assert CLUBS.located("/clubs/⟦key⟧/⟦slug⟧", "9") == "/clubs/9/⟦slug⟧"


BOATS = _graph(*(_edge("/", f"/boats/{word}_{n}", word) for n, word in ((1, "old-tug"), (2, "cutter"), (12, "ferry"))))


def test_words_before_a_key_in_its_segment_are_looked_up() -> None:
    assert slotted("/boats/old-tug_1/edit", "1") == "/boats/⟦slug⟧_⟦key⟧/edit"
    assert slotted("/boats/ferry_12", "2") == "/boats/ferry_12"
    assert BOATS.located("/boats/⟦slug⟧_⟦key⟧", "2") == "/boats/cutter_2"
    assert BOATS.entity_path("/boats/⟦slug⟧_⟦key⟧", EntityName("1", "old-tug"), EntityName("12", "ferry"))


def test_a_link_to_such_a_place_is_told_by_its_name_alone() -> None:
    own = Locator(role="link", name="Old tug", leads_to="/boats/old-tug_1")
    assert with_slots(own, "1", "Old tug") == Locator(role="link", name="⟦name⟧")


def test_a_thing_whose_place_spells_its_key_out_is_reached_like_any_other() -> None:
    hops = CLUBS.entity_path("/clubs/edit/⟦key⟧", EntityName("1", "chess"), EntityName("3", "go"))
    assert hops is not None
    assert [h.edge for h in hops] == ["/>/clubs/3/go", "/clubs/1/chess>/clubs/edit/1"]
