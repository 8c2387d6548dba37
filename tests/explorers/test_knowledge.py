"""What is known, rebuilt from results: pages, edges, forms and links; the same results give the same knowledge."""

from __future__ import annotations

import pytest
from drawn_pages import control, element, heading, link
from exploring import seen, visited
from small_app import HITS, book_page, knowledge, pages

from pipeline.domain.exploration import Execution
from pipeline.domain.observation import Form
from pipeline.domain.state import StateDiff
from pipeline.explorers.knowledge import Knowledge, own_target
from pipeline.explorers.units import Result, Site, Trial


def _dump(known: Knowledge) -> object:
    return [known.done, known.pages, known.transitions, dict(known.links), known.patterns, known.actions]


def test_the_same_results_give_the_same_knowledge() -> None:
    assert _dump(knowledge()) == _dump(knowledge())


def test_results_in_one_go_or_one_by_one_give_the_same_knowledge() -> None:
    results = [Result(key=f"visit {p.location}", kind="visit", actions=1, page=p) for p in pages()]
    at_once, one_by_one = Knowledge(home="/"), Knowledge(home="/")
    at_once.add(results)
    for result in results:
        one_by_one.add([result])
    assert _dump(at_once) == _dump(one_by_one)


def test_a_link_is_an_edge_that_was_not_walked_yet() -> None:
    known = visited(seen("/", link("Books", "/books/")))
    [edge] = known.transitions.values()
    assert (edge.source, edge.target, edge.status) == ("/", "/books", "inferred")


def test_every_page_with_a_link_has_its_edge_although_the_place_is_visited_once() -> None:
    known = visited(seen("/a", link("C", "/c")), seen("/b", link("C", "/c")))
    assert [(t.source, t.target) for t in known.transitions.values()] == [("/a", "/c"), ("/b", "/c")]
    assert len(known.links["/c"]) == 2


def test_a_link_that_signs_out_is_no_link() -> None:
    known = visited(seen("/", link("", "/session/end"), link("Abmelden", "/x")))
    assert not known.links and not known.transitions


def test_a_link_that_cannot_be_told_apart_makes_no_edge() -> None:
    known = visited(seen("/", link("More", "/x"), link("More", "/x")))
    assert not known.transitions and len(known.links["/x"]) == 2


@pytest.mark.parametrize(
    ("to", "target"),
    [
        ("/a/?b=1#top", "/a?b=1"), ("/#/users", "/#/users"), ("http://other.test/a", ""), ("//other.test/a", ""),
        ("/report.csv", ""), ("/Photo.PNG", ""), ("mailto:a@b.test", ""), ("", ""), ("/x" * 250, ""),
    ],
)  # fmt: skip
def test_only_own_places_that_can_be_looked_at_are_targets(to: str, target: str) -> None:
    assert own_target(link("x", to)) == target


def test_a_button_leads_nowhere() -> None:
    assert own_target(element("button", "x", leads_to="/a")) == ""


def test_a_place_is_kept_as_it_was_seen_first() -> None:
    known = visited(seen("/", heading("One")), seen("/", heading("Two")))
    assert [h.name for h in known.pages["/"].observation.headings()] == ["One"]


def test_problems_masks_and_sign_outs_are_remembered() -> None:
    known = Knowledge(home="/")
    known.add([Result(key="visit /x", kind="visit", actions=1, problem="status 404", masks=(HITS,), signed_out=True)])
    known.add([Result(key="visit /y", kind="visit", actions=1, masks=(HITS,))])
    assert (known.done["visit /x"], known.masks, known.sign_outs, known.actions) == ("status 404", [HITS], 1, 2)


def test_a_form_counts_once_however_often_it_was_submitted() -> None:
    known = Knowledge(home="/")
    site = Site(location="/x")
    done = Execution(values={}, diff=StateDiff(), end_location="/x")
    for parameters in (("a",), ("b",)):
        trial = Trial(form="f", route="/x", submit="Save", sites=(site,), parameters=parameters)
        known.add([Result(key=trial.key, kind="trial", actions=3, executions=(done,))])
    refused = Trial(form="g", route="/x", submit="Save", sites=(site,))
    error = done.model_copy(update={"error": "refused"})
    known.add([Result(key=refused.key, kind="trial", actions=3, executions=(error,))])
    assert len(known.forms) == 1


def test_pages_are_grouped_by_route_without_the_states_of_a_page() -> None:
    known = visited(seen("/t/1"), seen("/t/2"), seen("/t/1", id="/t/1§ab"), seen("/x"))
    assert {r: [p.id for p in ps] for r, ps in known.by_route().items()} == {"/t/{}": ["/t/1", "/t/2"], "/x": ["/x"]}


def test_a_place_under_two_fixed_locations_is_looked_at_once() -> None:
    known = visited(seen("/admin", heading("Users")), seen("/admin/users", heading("Users")), seen("/b", heading("B")))
    assert [p.id for p in known.plain_looks()] == ["/admin", "/b"]


def test_a_heading_of_the_site_is_known_by_standing_everywhere() -> None:
    known = visited(*(seen(f"/{n}", heading("My shop"), heading(n, 2)) for n in "abcd"))
    assert known.common_headings == {"My shop"}


def test_names_of_a_place_are_the_texts_of_its_links_in_order() -> None:
    assert list(knowledge().names_of("/books/1")) == ["Winter Tales"]


def test_forms_are_read_once_for_each_page() -> None:
    [reading] = knowledge().readings["/books/1"]
    assert [p.key for p in reading.parameters] == ["title", "status", "genre", "owner"]
    assert book_page({"id": 1, "title": "T", "status": "new", "genre": "Poetry", "owner": "ann"}).forms[0].index == 0


def test_a_form_inside_a_list_is_a_form_of_its_page() -> None:
    known = visited(seen("/x", control("submit", "Go", "go", 0), forms=[Form(index=0, target="/x")]))
    assert len(known.readings["/x"]) == 1
