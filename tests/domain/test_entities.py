"""Which row stands behind a page, and what a person calls it."""

from __future__ import annotations

from small_app import BOOK, GENRE, book, shop, snapshot, start, table

from pipeline.domain.entities import KeyColumn, Thing, is_unique, key_column, known_thing, name_column, row_of
from pipeline.domain.known_app import KnownApp
from pipeline.domain.state import RowChange

BOOKS = KeyColumn("book", "id")


def _touched(table_name: str, key: int) -> RowChange:
    return RowChange(table=table_name, change="changed", key={"id": key}, before={"id": key}, after={"id": key})


def test_the_key_column_holds_all_keys() -> None:
    assert key_column(start(), ["1", "4"], []) == BOOKS
    assert key_column(start(), ["Poetry", "History"], []) == KeyColumn("genre", "name")
    assert key_column(start(), ["1", "99"], []) is None


def test_the_table_that_the_executions_touched_comes_first() -> None:
    both = snapshot(
        table("author", ("id",), {"id": 1, "name": "A"}, {"id": 2, "name": "B"}),
        table("book", ("id",), {"id": 1, "name": "X"}, {"id": 2, "name": "Y"}, {"id": 3, "name": "Z"}),
    )
    assert key_column(both, ["1", "2"], []) == KeyColumn("author", "id")
    assert key_column(both, ["1", "2"], [[_touched("book", 1)], [_touched("book", 2)]]) == BOOKS


BOTH = snapshot(
    table("author", ("id",), {"id": 1, "name": "Ann Lee"}, {"id": 2, "name": "Bob Ray"}),
    table("book", ("id",), {"id": 1, "name": "Foggy"}, {"id": 2, "name": "Rain"}, {"id": 3, "name": "Snow"}),
    table("loan", ("id",), {"id": 1, "book": 1}, {"id": 2, "book": 2}),
)
CALLED = {"1": ["Ann Lee", "Foggy"], "2": ["Bob Ray", "Rain"]}


def test_of_things_that_share_their_numbers_the_one_is_meant_whose_name_the_page_shows() -> None:
    shown = {"1": ["Edit “Foggy”"], "2": ["Rain"]}
    assert known_thing(BOTH, ["1", "2"], [], CALLED, shown) == Thing(BOOKS, "name")
    lent = [[_touched("loan", n)] for n in (1, 2)]
    assert known_thing(BOTH, ["1", "2"], lent, CALLED, shown) == Thing(BOOKS, "name")
    assert known_thing(BOTH, ["1", "2"], lent, {}, {"1": [], "2": []}) == Thing(KeyColumn("loan", "id"), None)


def test_a_heading_tells_more_than_a_field_that_happens_to_name_another_thing() -> None:
    """An offer's page with a list to choose a range from, where offer 1 has range 1."""
    seen = {"1": ["Foggy", "Loan of Ann"], "2": ["Rain", "Loan of Bob"]}
    chosen, headed = {k: [v[0]] for k, v in seen.items()}, {k: [v[1]] for k, v in seen.items()}
    lent = [[_touched("terms", n)] for n in (1, 2)]
    both = snapshot(
        table("book", ("id",), {"id": 1, "name": "Foggy"}, {"id": 2, "name": "Rain"}),
        table("loan", ("id",), *({"id": n, "name": f"Loan of {who}"} for n, who in ((1, "Ann"), (2, "Bob"), (3, "C")))),
    )
    assert known_thing(both, ["1", "2"], lent, seen, headed, chosen) == Thing(KeyColumn("loan", "id"), "name")
    assert known_thing(both, ["1", "2"], lent, seen, {}, chosen) == Thing(BOOKS, "name")


def test_what_no_page_names_and_nothing_touched_has_the_number_by_chance() -> None:
    elsewhere = [[_touched("terms", n)] for n in (1, 2)]
    found = known_thing(BOTH, ["1", "2"], elsewhere, CALLED, {"1": ["Edit band"], "2": ["Edit band"]})
    assert found is not None and found.name is None


def test_a_key_column_of_its_table_beats_a_mere_reference() -> None:
    assert key_column(start(), ["Cooking", "History"], []) == KeyColumn("genre", "name")


def test_of_several_versions_the_last_is_the_thing() -> None:
    wiki = snapshot(
        table("wiki", ("name", "version"), *({"name": "Start", "version": v, "text": f"v{v}"} for v in (10, 9, 1)))
    )
    assert row_of(wiki, KeyColumn("wiki", "name"), "Start")["text"] == "v10"
    assert row_of(wiki, KeyColumn("wiki", "name"), "Gone") == {}


def test_the_name_is_what_links_and_headings_say() -> None:
    seen = {"1": ["Winter Tales", "More"], "2": ["River Songs"]}
    assert name_column(start(), BOOKS, seen) == "title"


def test_a_name_within_a_longer_text_counts_less_than_a_whole_one() -> None:
    seen = {"1": ["#1 Winter Tales by ann"], "2": ["#2 River Songs by bob"]}
    assert name_column(start(), BOOKS, seen) == "title"


def test_a_name_seen_for_one_thing_only_is_no_name() -> None:
    assert name_column(start(), BOOKS, {"1": ["Winter Tales"], "2": ["Other"]}) is None


def test_a_name_is_unique_whatever_its_case_and_versions() -> None:
    state = snapshot(
        table(
            "wiki", ("name", "version"),
            {"name": "a", "version": 1, "title": "Start"}, {"name": "a", "version": 2, "title": "start "},
            {"name": "b", "version": 1, "title": "Help"}, {"name": "c", "version": 1, "title": "HELP"},
        )
    )  # fmt: skip
    assert is_unique(state, "wiki", "title", "Start", "name")
    assert not is_unique(state, "wiki", "title", "Help", "name")
    assert not is_unique(state, "nowhere", "title", "Start", "name")


def test_only_things_of_one_name_each_may_be_spoken_of() -> None:
    rows = [
        {"id": 1, "title": "Same"}, {"id": 2, "title": "same "}, {"id": 3, "title": "Other"}, {"id": 4, "title": "7"},
        {"id": 5, "title": "two\nlines"}, {"id": 6, "title": None},
    ]  # fmt: skip
    app = KnownApp(shop().exploration, snapshot(table("book", ("id",), *rows)))
    assert [e.name for e in app.entities_of(BOOK)] == ["Other", "two lines"]


def test_a_known_app_names_its_things_in_key_order() -> None:
    assert [e.name for e in shop().entities_of(GENRE)] == ["Cooking", "History", "Poetry"]
    assert shop().entities_of(BOOK)[0] == book(1)
    assert shop().row(book(2))["owner"] == "bob"


def test_links_of_every_page_can_be_used_from_anywhere() -> None:
    assert {k.rpartition("}")[2] for k in shop().everywhere} == {"/books", "/genres", "/search", "/about"}
