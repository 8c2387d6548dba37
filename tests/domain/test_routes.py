"""Route templates: ids are slots at once, words only where the pages behind them are alike."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.routes import RoutePatterns, canonical, jaccard, learn_patterns, quoted, runs_away, split

FORM = frozenset({"textbox|Name", "button|Save", "button|Cancel"})


@pytest.mark.parametrize(
    ("location", "template"),
    [
        ("/ticket/12", "/ticket/{}"),
        ("/doc/0f3e9a7c11", "/doc/{}"),
        ("/day/2026-03-02", "/day/{}"),
        ("/u/123e4567-e89b-12d3-a456-426614174000/edit", "/u/{}/edit"),
        ("/admin/users", "/admin/users"),
        ("/wiki?action=edit&version=3", "/wiki?action=edit&version={}"),
        ("/wiki?empty=", "/wiki"),
        ("/", "/"),
        ("/#/users/7", "/#/users/{}"),
    ],
)
def test_what_looks_like_an_id_is_a_slot(location: str, template: str) -> None:
    assert RoutePatterns().template(location) == template


def _learn(signatures: dict[str, frozenset[str]], more: tuple[str, ...] = ()) -> RoutePatterns:
    return learn_patterns(signatures, {location: 1 for location in (*signatures, *more)})


def test_words_become_a_slot_where_the_pages_are_alike() -> None:
    patterns = _learn({f"/wiki/{n}": FORM for n in ("Start", "Help", "News")}, ("/wiki/More",))
    assert patterns.template("/wiki/Anything") == "/wiki/{}"
    assert patterns.variable("/wiki/Anything") == "Anything"


def test_panels_with_other_controls_stay_apart() -> None:
    panels = {f"/admin/{n}": frozenset({f"button|{n}", f"textbox|{n}"}) for n in ("priority", "users", "plugins")}
    patterns = _learn(panels, ("/admin/logging",))
    assert patterns.template("/admin/priority") != patterns.template("/admin/users")


def test_three_siblings_alone_are_no_slot() -> None:
    assert _learn({f"/wiki/{n}": FORM for n in ("Start", "Help", "News")}).varying == frozenset()


def test_the_first_segment_is_never_a_slot() -> None:
    places = {f"/{n}": FORM for n in ("wiki", "report", "search", "admin")}
    assert _learn(places).template("/wiki") == "/wiki"


def test_a_slot_below_a_slot_is_learned() -> None:
    pages = {f"/u/{n}/{page}": FORM for n in range(1, 3) for page in ("Start", "Help", "News", "More")}
    assert _learn(pages).template("/u/9/Anything") == "/u/{}/{}"


@pytest.mark.parametrize(
    "location",
    ["/a" * 201, "/" + "/".join("abcdefghijk"), "/x/www.example.test/x/www.example.test/x", "/cal?y=" + "2" * 400],
)
def test_a_link_space_that_mints_itself_is_left(location: str) -> None:
    assert runs_away(location)


def test_an_ordinary_location_is_followed() -> None:
    assert not runs_away("/admin/ticket/priority?order=name")


@pytest.mark.parametrize(
    ("location", "spelling"),
    [
        ("/a/?b=2&a=1#top", "/a?a=1&b=2"),
        ("http://a.test/", "http://a.test/"),
        ("/#/users", "/#/users"),
        ("/?q=", "/?q="),
    ],
)
def test_a_location_has_one_spelling(location: str, spelling: str) -> None:
    assert canonical(location) == spelling


@given(st.text("abc/?&=#!1 %é", max_size=20))
def test_the_spelling_of_a_spelling_is_itself(rest: str) -> None:
    assert canonical(canonical("/x" + rest)) == canonical("/x" + rest)


@given(st.text(min_size=1, max_size=12))
def test_a_quoted_key_is_read_back_from_its_segment(key: str) -> None:
    assert split(f"/wiki/{quoted(key)}").segments == ("wiki", key)


@given(st.frozensets(st.integers(0, 5)), st.frozensets(st.integers(0, 5)))
def test_likeness_is_symmetric_and_one_only_for_equals(one: frozenset[int], other: frozenset[int]) -> None:
    left, right = frozenset(map(str, one)), frozenset(map(str, other))
    assert jaccard(left, right) == jaccard(right, left)
    assert (jaccard(left, right) == 1.0) == (left == right)


def test_a_family_is_coarser_than_a_template() -> None:
    patterns = RoutePatterns()
    assert patterns.family("/cal?y=2025&m=1") == patterns.family("/cal?m=2&y=2030") == "/cal?m&y"


def test_a_form_for_a_new_thing_beside_the_things_is_a_place_of_its_own() -> None:
    clubs = {f"/clubs/{n}": FORM for n in ("chess", "choir", "garden", "rowing")}
    patterns = _learn({**clubs, "/clubs/new": FORM | {"textbox|City", "textbox|Motto"}}, ("/clubs/theatre",))
    assert patterns.template("/clubs/new") == "/clubs/new"
    assert patterns.template("/clubs/theatre/edit") == "/clubs/{}/edit"


def test_the_entries_of_a_menu_are_no_things() -> None:
    menu = {f"/account/{n}": frozenset({"searchbox|Search"}) for n in ("orders", "mail", "alerts", "lists", "profile")}
    pages = {**menu, "/": frozenset({"searchbox|Search", "button|Buy"})}
    assert learn_patterns(pages, dict.fromkeys(pages, 1)).template("/account/mail") == "/account/{}"
    patterns = learn_patterns(pages, dict.fromkeys(pages, 1), dict.fromkeys(menu, tuple(menu)))
    assert patterns.template("/account/mail") == "/account/mail"


CLUBS = ("/clubs/1/chess", "/clubs/2/rowing", "/clubs/3/chess-and-go", "/clubs/4/sailing")


def test_a_word_that_is_another_one_for_every_id_spells_the_id_out() -> None:
    patterns = learn_patterns({}, dict.fromkeys(CLUBS, 1))
    assert patterns.template("/clubs/9/knitting") == "/clubs/{}/{}"
    assert patterns.variable("/clubs/9/knitting") == "9"
    assert patterns.variable("/clubs/9") == "9"


def test_what_can_be_done_with_every_thing_is_no_spelling_of_its_id() -> None:
    edits = [f"/clubs/{n}/{word}" for n in range(1, 5) for word in ("edit", "delete")]
    patterns = learn_patterns({}, dict.fromkeys(edits, 1))
    assert patterns.template("/clubs/1/edit") == "/clubs/{}/edit"
    both = learn_patterns({}, dict.fromkeys([*edits, *CLUBS], 1))
    assert both.template("/clubs/1/edit") == "/clubs/{}/edit"
    assert both.template("/clubs/1/chess") == "/clubs/{}/{}"


def test_words_that_end_in_an_id_are_a_slot_at_once() -> None:
    patterns = learn_patterns({}, {})
    assert patterns.template("/boats/old-tug_1/edit") == "/boats/{}/edit"
    assert patterns.variable("/boats/old-tug_1/edit") == "1"
    assert patterns.template("/boats/by_size") == "/boats/by_size"


def test_what_stands_behind_a_spelling_is_told_apart() -> None:
    patterns = learn_patterns({}, dict.fromkeys([*CLUBS, "/clubs/1/chess/members"], 1))
    assert patterns.template("/clubs/2/rowing/members") == "/clubs/{}/{}/members"
    assert patterns.variable("/clubs/2/rowing/members") == "2"
