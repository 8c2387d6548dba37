"""From the executions of one trial to a feature: entity, effect, operation and noun, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from drawn_pages import choice, control, heading, page
from small_app import BOOK, BOOKS, GENRE, GENRES, book_page, genres_page, search_page, shop, start

from pipeline.domain.feature import Feature, Fixed, FromEntity, FromParameter, Volatile
from pipeline.domain.forms import read_forms
from pipeline.domain.observation import Form, Observation
from pipeline.domain.state import RowChange
from pipeline.domain.values import Cell
from pipeline.explorers.executing import Attempt
from pipeline.explorers.learning import Lesson, learn
from pipeline.explorers.units import Site, Trial

Changes = Sequence[RowChange]


def _attempt(
    seen: Observation, values: Mapping[str, str], changes: Changes = (), form: int = 0, end: str = "/", **site: Any
) -> Attempt:
    at = Site(location=seen.location, **site)
    reading = read_forms(seen)[form]
    return Attempt(at, values, reading, seen, page(end), start(), tuple(changes))


def _learned(unit: Trial, *attempts: Attempt) -> Lesson:
    return learn(unit, attempts, "shop", start())


def _feature(unit: Trial, *attempts: Attempt) -> Feature:
    lesson = _learned(unit, *attempts)
    assert lesson.feature is not None, lesson.problem
    return lesson.feature


def _changed(book: Mapping[str, Cell], **cells: Cell) -> RowChange:
    return RowChange(table="book", change="changed", key={"id": book["id"]}, before=dict(book), after={**book, **cells})


def _on_books(key: str, values: Sequence[str], cell: Callable[[str], Cell] = str) -> list[Attempt]:
    """Three executions on the pages of two books, the last on a state that was changed."""
    made = []
    for time, (book, value) in enumerate(zip((BOOKS[0], BOOKS[1], BOOKS[1]), values, strict=True)):
        change = _changed(book, **{key: cell(value), "changed": 900 + time})
        site = {"key": str(book["id"]), "names": (str(book["title"]),)}
        made.append(_attempt(book_page(book), {key: value}, [change], **site))
    return made


def _book_trial(key: str, **more: Any) -> Trial:
    given = {"form": "f", "route": "/books/{}", "parameters": (key,), "submit": "Save changes", "sites": ()}
    return Trial.model_validate(given | more)


TITLES = ("Amber Mill", "Brisk Delta", "Brisk Delta")


def test_a_changed_text_of_a_thing_is_an_edit() -> None:
    feature = _feature(_book_trial("title"), *_on_books("title", ("Amber Mill", "Brisk Delta", "Cedar Wharf")))
    assert (feature.operation, feature.noun, feature.entity, feature.location) == ("edit", "book", BOOK, BOOK.location)
    [row] = feature.effects.rows
    assert row.key == {"id": FromEntity(column="id")}
    assert row.cells == {"title": FromParameter(parameter="title"), "changed": Volatile()}


def test_what_is_learned_agrees_with_the_hand_made_feature() -> None:
    feature = _feature(_book_trial("title"), *_on_books("title", ("Amber Mill", "Brisk Delta", "Cedar Wharf")))
    by_hand = shop().features["edit-title"]
    for name in ("operation", "noun", "route", "location", "parameters", "submit", "entity", "sample", "effects"):
        assert getattr(feature, name) == getattr(by_hand, name), name


def test_a_changed_choice_of_a_thing_is_a_setting() -> None:
    feature = _feature(_book_trial("status"), *_on_books("status", ("Lent", "Lost", "New"), str.lower))
    assert feature.operation == "set"
    assert feature.effects.rows[0].cells["status"] == FromParameter(parameter="status")


def _made(name: str, about: str) -> RowChange:
    row: dict[str, Cell] = {"name": name, "description": about}
    return RowChange(table="genre", change="added", key={"name": name}, after=row)


GENRE_TRIAL = Trial(form="f", route="/genres", parameters=("name", "description"), submit="Add", sites=())


def test_a_new_row_by_a_form_that_says_so_is_a_creation() -> None:
    tried = [("Amber Mill", "One sentence"), ("Brisk Delta", "Another one"), ("Cedar Wharf", "Another one again")]
    attempts = [_attempt(genres_page(), {"name": n, "description": d}, [_made(n, d)]) for n, d in tried]
    feature = _feature(GENRE_TRIAL, *attempts)
    assert (feature.operation, feature.noun, feature.entity) == ("create", "genre", None)
    assert feature.effects.rows[0].key == {"name": FromParameter(parameter="name")}


@pytest.mark.parametrize(("key", "operation"), [("drawn", "create"), ("fixed", "edit")])
def test_without_a_word_a_row_of_its_own_each_time_is_a_creation_and_one_that_stays_is_none(
    key: str, operation: str
) -> None:
    seen = genres_page()
    named = tuple(
        e.model_copy(update={"name": "Hand in" if e.name == "Add" else e.name, "region": ()}) for e in seen.elements
    )
    attempts = []
    for number, (name, about) in enumerate([("Amber", "One"), ("Brisk", "Two"), ("Cedar", "Three")]):
        of: dict[str, Cell] = {"id": number if key == "drawn" else "motto"}
        change = RowChange(table="note", change="added", key=of, after={**of, "name": name, "description": about})
        values = {"name": name, "description": about}
        attempts.append(_attempt(seen.model_copy(update={"elements": named}), values, [change]))
    unit = GENRE_TRIAL.model_copy(update={"submit": "Hand in"})
    assert _feature(unit, *attempts).operation == operation


def test_a_value_that_lands_in_another_fields_column_makes_no_feature() -> None:
    """A server that mixes two fields up: what the words ask for is not what comes true."""
    attempts = []
    for time, (book, value) in enumerate(zip((BOOKS[0], BOOKS[1], BOOKS[1]), ("Amber", "Brisk", "Cedar"), strict=True)):
        change = _changed(book, owner=value, title=f"was {book['owner']} {time}")
        attempts.append(
            _attempt(book_page(book), {"title": value}, [change], key=str(book["id"]), names=(str(book["title"]),))
        )
    assert _learned(_book_trial("title"), *attempts).problem == "a value does not go where its field says"


def _gone(name: str) -> Attempt:
    row = next(g for g in GENRES if g["name"] == name)
    change = RowChange(table="genre", change="removed", key={"name": name}, before=dict(row))
    return _attempt(genres_page(), {}, [change], form=1, row=name, names=(name,))


PICKING = Trial(form="f", route="/genres", submit="Remove selected", sites=(), pick_field="pick")


def test_a_row_that_is_picked_and_gone_is_a_removal_of_the_thing_in_that_row() -> None:
    feature = _feature(PICKING, _gone("Cooking"), _gone("History"), _gone("History"))
    assert (feature.operation, feature.entity, feature.consequence) == ("delete", GENRE, "destructive")
    assert feature.pick is not None and feature.pick.name == "⟦name⟧"
    assert feature.effects.rows[0].key == {"name": FromEntity(column="name")}


def test_rows_that_are_no_known_things_are_not_picked() -> None:
    attempts = [_attempt(genres_page(), {}, _gone("Cooking").changes, form=1, row=r) for r in ("One", "Two", "Two")]
    assert "no known things" in _learned(PICKING, *attempts).problem


def test_a_removal_that_nothing_names_is_no_feature() -> None:
    seen = page("/log", heading("Log"), control("submit", "Clear"), forms=[Form(index=0, method="post", target="/log")])
    gone = RowChange(table="log", change="removed", key={"id": 1}, before={"id": 1})
    unit = Trial(form="f", route="/log", submit="Clear", sites=())
    assert "nothing says" in _learned(unit, *(_attempt(seen, {}, [gone]) for _ in range(3))).problem


def _noted(book: Cell, text: str, **site: Any) -> Attempt:
    row = {"id": 40, "book": book, "text": text}
    made = RowChange(table="note", change="added", key={"id": 40}, after=row)
    return _attempt(genres_page().model_copy(update={"location": "/notes/7"}), {"name": text}, [made], **site)


NOTING = Trial(form="f", route="/notes/{}", parameters=("name",), submit="Add", sites=())


@pytest.mark.parametrize("told", [True, False])
def test_a_deed_that_leaves_nothing_but_a_line_of_a_log_is_no_feature(told: bool) -> None:
    """Saving the book unchanged would leave the same line; one that names the book tells."""
    made = []
    for time, book in enumerate((BOOKS[0], BOOKS[1], BOOKS[1])):
        line: dict[str, Cell] = {"id": time, "who": "ann", "book": book["id"] if told else f"took {book['id']}"}
        log = RowChange(table="log", change="added", key={"id": time}, after=line)
        site = {"key": str(book["id"]), "names": (str(book["title"]),)}
        made.append(_attempt(book_page(book), {}, [_changed(book, changed=900 + time), log], **site))
    lesson = _learned(_book_trial("title", parameters=()), *made)
    assert bool(lesson.feature) is told, lesson.problem
    assert told or "which thing" in lesson.problem


def test_things_that_have_no_name_cannot_be_spoken_of() -> None:
    attempts = [_noted(n, f"Text {n}", key=str(n)) for n in (7, 8)]
    assert "have no name" in _learned(NOTING, *attempts).problem


def test_a_new_row_that_points_to_the_one_thing_that_the_place_names_is_no_feature() -> None:
    attempts = [_noted(7, text, key="7") for text in ("Amber Mill", "Brisk Delta")]
    assert "about one thing" in _learned(NOTING, *attempts).problem
    plain = NOTING.model_copy(update={"route": "/notes/7"})
    assert _learned(plain, *attempts).feature is not None


def test_options_whose_effect_no_cell_carries_are_tried_one_by_one() -> None:
    options = [("Leave", "leave"), ("Close", "close"), ("Reopen", "reopen")]
    seen = page(
        "/books/1", heading("Winter Tales"), choice("Action", "action", options, "Leave"),
        control("submit", "Save changes"), forms=[Form(index=0, method="post", target="/books/1")],
    )  # fmt: skip
    attempts = []
    for option, state in (("Close", "lost"), ("Reopen", "new"), ("Reopen", "new")):
        change = _changed(BOOKS[1], status=state)
        attempts.append(_attempt(seen, {"action": option}, [change], key="2", names=("River Songs",)))
    lesson = _learned(_book_trial("action"), *attempts)
    assert lesson.feature is None
    assert [(t.parameters, t.pinned) for t in lesson.follow_ups] == [
        ((), (("action", "Close"),)), ((), (("action", "Reopen"),)),
    ]  # fmt: skip


def test_a_pinned_option_with_a_constant_effect_is_a_setting() -> None:
    attempts = _on_books("status", ("Lost", "Lost", "Lost"), str.lower)
    unit = _book_trial("status", parameters=(), pinned=(("status", "Lost"),))
    feature = _feature(unit, *attempts)
    assert (feature.operation, feature.pinned) == ("set", (("status", "Lost"),))
    assert feature.effects.rows[0].cells["status"] == Fixed(value="lost")


def _searched(words: str) -> Attempt:
    return _attempt(search_page(), {"q": words}, end=f"/search?q={words.replace(' ', '+')}&page=1")


SEARCHING = Trial(form="f", route="/search", parameters=("q",), submit="Search", sites=())


def test_a_form_that_only_leads_to_a_place_with_its_words_is_a_search() -> None:
    feature = _feature(SEARCHING, *map(_searched, TITLES))
    effect = feature.effects.location
    assert feature.operation == "search" and effect is not None
    assert effect.path == Fixed(value="/search") and effect.query == {"q": FromParameter(parameter="q")}


def test_a_choice_that_only_leads_to_a_place_is_a_filter() -> None:
    seen = page(
        "/books", heading("Books"), choice("Status", "status", [("New", "n"), ("Lost", "l"), ("Lent", "e")], "New"),
        control("submit", "Show"), forms=[Form(index=0, method="get", target="/books")],
    )  # fmt: skip
    unit = Trial(form="f", route="/books", parameters=("status",), submit="Show", sites=())
    attempts = [_attempt(seen, {"status": s}, end=f"/books?status={v}") for s, v in (("Lost", "l"), ("Lent", "e"))]
    feature = _feature(unit, *attempts)
    assert feature.operation == "filter" and not feature.effects.changes_state


def test_a_place_that_does_not_carry_the_words_teaches_nothing() -> None:
    attempts = [_attempt(search_page(), {"q": t}, end="/search") for t in TITLES]
    assert "does not carry" in _learned(SEARCHING, *attempts).problem


def test_words_that_lead_to_different_places_teach_nothing() -> None:
    attempts = [_attempt(search_page(), {"q": t}, end=f"/{t[0]}?q={t}") for t in TITLES]
    assert "different places" in _learned(SEARCHING, *attempts).problem


def test_a_problem_of_any_execution_is_the_trials() -> None:
    first, second, third = _on_books("title", TITLES)
    broken = Attempt(second.site, {}, None, second.arrived, second.end, start(), problem="refused-value")
    assert _learned(_book_trial("title"), first, broken, third).problem == "refused-value"


def test_another_number_of_rows_each_time_is_no_feature() -> None:
    one, two = _made("Amber Mill", "x"), _made("Brisk Delta", "x")
    attempts = [_attempt(genres_page(), {"name": "n", "description": "d"}, c) for c in ([one], [one, two])]
    assert "number of rows" in _learned(GENRE_TRIAL, *attempts).problem


@pytest.mark.parametrize("name", ["Delete book", "Send", "Pay"])
def test_the_button_names_the_consequence(name: str) -> None:
    seen = book_page(BOOKS[0])
    buttons = tuple(e.model_copy(update={"name": name}) if e.name == "Save changes" else e for e in seen.elements)
    attempts = [
        Attempt(a.site, a.values, read_forms(seen.model_copy(update={"elements": buttons}))[0], a.arrived, a.end,
                a.before, a.changes)
        for a in _on_books("title", ("Amber Mill", "Brisk Delta", "Cedar Wharf"))
    ]  # fmt: skip
    feature = _feature(_book_trial("title", submit=name), *attempts)
    assert feature.consequence == {"Delete book": "destructive", "Send": "message", "Pay": "payment"}[name]


def test_a_feature_has_the_same_id_whatever_values_were_tried() -> None:
    one = _feature(_book_trial("title"), *_on_books("title", ("Amber Mill", "Brisk Delta", "Cedar Wharf")))
    other = _feature(_book_trial("title"), *_on_books("title", ("Opal Mill", "Solar Delta", "Winter Wharf")))
    assert one.id == other.id and one.evidence
