"""What to do next: new kinds of places first, bounded for each kind, forms after looking, nothing that signs out."""

from __future__ import annotations

from itertools import count

import pytest
from drawn_pages import control, element, heading, link
from exploring import seen, visited
from small_app import knowledge

from pipeline.domain.forms import read_forms
from pipeline.domain.observation import Form
from pipeline.explorers.frontier import PER_FAMILY, PER_TEMPLATE, POKES_PER_PAGE, next_wave, pokes_on
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Poke, Result, Trial, Unit, Visit
from pipeline.explorers.visiting import click_transition


def _wave(known: Knowledge, size: int = 20, budget: int = 1000, disposable: bool = True) -> list[Unit]:
    return next_wave(known, size, budget, disposable)


def _opened(known: Knowledge, disposable: bool = True) -> list[str]:
    return [u.location for u in _wave(known, disposable=disposable) if isinstance(u, Visit)]


def _clicked(known: Knowledge, disposable: bool = True) -> list[str]:
    return [u.click.target.name for u in _wave(known, disposable=disposable) if isinstance(u, Poke)]


def test_the_first_thing_is_to_look_at_home_twice() -> None:
    assert _wave(Knowledge(home="/")) == [Visit(location="/", twice=True)]


def test_the_same_knowledge_gives_the_same_wave() -> None:
    assert _wave(knowledge()) == _wave(knowledge())


def test_a_visited_place_is_not_visited_again() -> None:
    known = visited(seen("/", link("A", "/a"), link("B", "/b")), seen("/a"))
    assert _opened(known) == ["/b"]


def test_a_place_that_failed_is_not_tried_again() -> None:
    known = visited(seen("/", link("A", "/a")))
    known.add([Result(key="visit /a", kind="visit", actions=1, problem="status 500")])
    assert _opened(known) == []


def test_new_kinds_of_places_come_before_more_of_a_known_kind() -> None:
    links = [link("T2", "/t/2"), link("T3", "/t/3"), link("New", "/fresh")]
    known = visited(seen("/", link("T1", "/t/1"), *links), seen("/t/1"))
    assert _opened(known)[0] == "/fresh"


def test_what_makes_something_new_is_opened_before_the_things_themselves() -> None:
    known = visited(seen("/", link("Chess", "/clubs/chess"), link("New club", "/clubs/new")))
    assert _opened(known) == ["/clubs/new", "/clubs/chess"]


def test_another_kind_of_place_comes_before_another_query() -> None:
    known = visited(seen("/", link("Red", "/list?colour=Red+1"), link("Fresh", "/fresh"), depth=0))
    assert _opened(known) == ["/fresh", "/list?colour=Red+1"]


def test_places_of_one_kind_are_bounded() -> None:
    known = visited(seen("/", *(link(f"T{n}", f"/t/{n}") for n in range(40))))
    assert len(_opened(known)) == PER_TEMPLATE


def test_a_calendar_without_end_is_left_after_a_few() -> None:
    known = visited(seen("/", link("Next", "/cal?y=2025&m=1")))
    for month in count(2):
        wave = [u for u in _wave(known) if isinstance(u, Visit)]
        if not wave:
            break
        known.add(
            Result(key=u.key, kind="visit", actions=1, page=seen(u.location, link("Next", f"/cal?y=2025&m={month}")))
            for u in wave
        )
    assert sum(p.startswith("/cal") for p in known.pages) <= PER_FAMILY


def test_a_query_that_led_nowhere_twice_is_not_followed_elsewhere() -> None:
    known = visited(seen("/", *(link(n, f"/{n}?format=raw") for n in "abc")))
    known.add([Result(key=f"visit /{n}?format=raw", kind="visit", actions=1, problem="status 404") for n in "ab"])
    assert _opened(known) == []


@pytest.mark.parametrize("name", ["Delete", "Löschen", "删除", "Send reminder"])
def test_a_consequence_is_followed_with_distrust_and_only_on_disposable_data(name: str) -> None:
    known = visited(seen("/", link(name, "/x/1"), element("button", name)))
    [opened] = [u for u in _wave(known) if isinstance(u, Visit)]
    assert not opened.trusted
    assert _opened(known, disposable=False) == _clicked(known, disposable=False) == []


def test_nothing_that_signs_out_is_clicked_or_opened() -> None:
    power = element("button", "", leads_to="/session/end")
    known = visited(seen("/", link("", "/session/end"), element("button", "Log out"), power))
    assert _wave(known) == []


def test_no_unit_stands_in_a_wave_twice() -> None:
    lend = [control("submit", "Lend", form=n, region=[("listitem", name)]) for n, name in enumerate(("Dune", "Emma"))]
    forms = [Form(index=n, method="post", target=f"/lend/{name}") for n, name in enumerate(("dune", "emma"))]
    keys = [u.key for u in _wave(visited(seen("/", *lend, forms=forms)))]
    assert len(keys) == len(set(keys)) == 1


def test_toggles_tabs_and_buttons_outside_forms_are_clicked() -> None:
    fold = element("link", "More", leads_to="/#more", states=frozenset({"collapsed"}))
    known = visited(
        seen("/", element("button", "Menu"), element("tab", "Details"), fold, element("text", "plain"),
             element("button", "Off", states=frozenset({"disabled"})))
    )  # fmt: skip
    assert _clicked(known) == ["Menu", "Details", "More"]


def test_a_buttons_of_a_form_with_values_is_no_click_but_a_trial() -> None:
    known = visited(
        seen("/x", control("text", "Name", "name"), control("submit", "Save"),
             forms=[Form(index=0, method="post", target="/x")])
    )  # fmt: skip
    known.done["visit /"] = ""
    assert [type(u) for u in _wave(known)] == [Trial]


def test_clicks_on_one_page_are_bounded() -> None:
    page = seen("/", *(element("button", f"B{n}") for n in range(40)))
    assert len(pokes_on(page, ())) == POKES_PER_PAGE


def test_a_click_is_not_tried_twice_on_one_path_nor_anywhere_once_it_showed_nothing() -> None:
    known = visited(seen("/a", element("button", "Menu")), seen("/b", element("button", "Menu")))
    known.done["visit /"] = ""
    first, second = (u for u in _wave(known) if isinstance(u, Poke))
    known.add([Result(key=first.key, kind="poke", actions=2)])
    assert _wave(known) == [second]
    known.add([Result(key=first.key, kind="poke", actions=2, problem="nothing new")])
    assert _wave(known) == []


def test_a_menu_that_shows_the_same_in_two_places_belongs_to_the_site() -> None:
    menu, help_ = element("button", "Menu"), link("Help", "/help")
    known = visited(*(seen(f"/{n}", menu) for n in ("a", "b", "c")))
    known.done |= {"visit /": "", "visit /help": ""}
    for unit in [u for u in _wave(known) if isinstance(u, Poke)][:2]:
        opened = seen(unit.location, menu, help_, id=f"{unit.page}§1")
        led = click_transition(unit.page, unit.click, opened.id)
        known.add([Result(key=unit.key, kind="poke", actions=2, page=opened, transition=led)])
    assert _clicked(known) == []


def test_a_click_that_fails_alike_in_two_places_is_left_alone() -> None:
    known = visited(*(seen(f"/{n}", element("button", "Inert")) for n in ("a", "b", "c")))
    known.done["visit /"] = ""
    for unit in [u for u in _wave(known) if isinstance(u, Poke)][:2]:
        known.add([Result(key=unit.key, kind="poke", actions=2, problem="not-found")])
    assert _clicked(known) == []


def test_of_the_menus_in_the_rows_of_a_list_one_is_opened() -> None:
    rows = [control("button", "Actions", region=[("row", n)], states=["collapsed"]) for n in ("Ann", "Bob")]
    page = seen("/", *rows, control("submit", "Save"), forms=[Form(index=0, method="post")])
    assert [p.click.target.region[-1].name for p in pokes_on(page, read_forms(page.observation))] == ["Ann"]


def test_forms_come_first_after_a_share_of_the_budget() -> None:
    save = control("submit", "Save")
    known = visited(seen("/", link("Z", "/z"), save, forms=[Form(index=0, method="post", target="/")]))
    assert {type(u) for u in _wave(known)} == {Visit}
    known.add([Result(key="visit /x", kind="visit", actions=900)])
    assert {type(u) for u in _wave(known)} == {Trial}


def test_nothing_is_submitted_where_the_data_is_not_disposable() -> None:
    known = knowledge()
    known.actions = 900  # past the share of looking, so that forms come next
    assert {type(u) for u in _wave(known)} == {Trial}
    assert not any(isinstance(u, Trial) for u in _wave(known, disposable=False))


def test_a_wave_is_no_larger_than_asked() -> None:
    known = visited(seen("/", heading("x"), *(link(n, f"/{n}") for n in "abcdefgh")))
    assert len(_wave(known, size=3)) == 3
