"""One sentence means one thing: other features and other things that the same words fit."""

from __future__ import annotations

import pytest
from proving import QueuedBench, draft, nothing, reached, scene, seen
from small_app import PEOPLE, books_page, goal, part, sample_goals, shop, table

from pipeline.checks.other_ways import other_ways
from pipeline.checks.unambiguous import unambiguous
from pipeline.domain.action import Fill
from pipeline.domain.draft import Draft
from pipeline.domain.exploration import Page
from pipeline.domain.feature import (
    EffectModel,
    EntityType,
    Feature,
    Fixed,
    FromParameter,
    LocationEffect,
    RowEffect,
    Volatile,
)
from pipeline.domain.goal import Choice, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.state import StateSnapshot
from pipeline.drafters.drafting import make_draft


def _with(*features: Feature, **exploration: object) -> KnownApp:
    known = (*shop().exploration.features, *features)
    return KnownApp(shop().exploration.model_copy(update={"features": known, **exploration}), shop().start, PEOPLE)


def _reason(of: Draft | None, app: KnownApp) -> str:
    assert of is not None
    return unambiguous(of, scene(app)).reason


def _board(id: str, heading: str, board: int) -> Feature:
    """A form for a new topic, whose board only its place tells."""
    cells = {"board_id": Fixed(value=board), "subject": FromParameter(parameter="name")}
    row = RowEffect(table="topic", change="added", key={"id": Volatile()}, cells=cells)
    of = shop().features["create-genre"]
    told = {"id": id, "noun": "topic", "parameters": of.parameters[:1], "heading": heading}
    return of.model_copy(update={**told, "effects": EffectModel(rows=(row,), executions=3)})


@pytest.mark.parametrize(("second", "reason"), [(2, "other-meaning"), (1, "")])
def test_a_new_thing_that_the_same_words_put_elsewhere_is_refused(second: int, reason: str) -> None:
    app = _with(_board("one", "New topic", 1), _board("two", "New topic", second))
    name = Choice(parameter="name", label="name", value="Zest", shown="Zest")
    made = make_draft(app, goal(GoalPart(feature="one", operation="create", choices=(name,))), 0, 7)
    assert _reason(made, app) == reason


def _second_list(heading: str) -> KnownApp:
    of = shop().features["sort-books"]
    place = LocationEffect(path=Fixed(value="/office/books"), query={"sort": FromParameter(parameter="sort")})
    effects = EffectModel(location=place, executions=3)
    twin = of.model_copy(update={"id": "two", "location": "/office/books", "effects": effects, "heading": heading})
    seen = books_page().model_copy(update={"location": "/office/books"})
    page = Page(id="/office/books", location="/office/books", state_key="office", observation=seen)
    return _with(twin, pages=(*shop().exploration.pages, page))


@pytest.mark.parametrize(("heading", "reason"), [("Books", "other-meaning"), ("Stock", "")])
def test_a_list_that_bears_the_heading_of_another_is_refused(heading: str, reason: str) -> None:
    app = _second_list(heading)
    assert _reason(make_draft(app, goal(part("sort-books", destination="/books", sort="Owner")), 0, 7), app) == reason


def test_a_question_is_told_apart_by_what_it_asks_for() -> None:
    of = shop().features["read-owner"]
    other = of.model_copy(update={"id": "two", "answer_column": "status", "answer_label": "reported by"})
    assert _reason(draft("read"), _with(other)) == ""


@pytest.mark.parametrize(("noun", "reason"), [("book", "ambiguous-entity"), ("note", "")])
def test_a_name_that_another_kind_of_the_same_noun_bears_is_refused(noun: str, reason: str) -> None:
    kind = EntityType(noun=noun, table="note", key_column="id", name_column="title", location="/notes/⟦key⟧")
    of = shop().features["edit-title"]
    twin = of.model_copy(update={"id": "edit-note", "noun": noun, "entity": kind, "route": "/notes/{}"})
    known = shop().exploration.model_copy(update={"features": (*shop().exploration.features, twin)})
    rows = StateSnapshot({**shop().start.tables, "note": table("note", ("id",), {"id": 1, "title": "River Songs"})})
    app = KnownApp(known, rows, PEOPLE)
    assert _reason(make_draft(app, sample_goals()["edit"], 0, 7), app) == reason


def _with_a_second_form() -> KnownApp:
    """Genres can be made on another page as well, by a field of another key."""
    of = shop().features["create-genre"]
    [row, *rest] = of.effects.rows
    named = of.parameters[0].model_copy(update={"key": "label"})
    key = {"name": FromParameter(parameter="label")}
    effects = of.effects.model_copy(update={"rows": (row.model_copy(update={"key": key}), *rest)})
    told = {"id": "two", "location": "/about", "route": "/about", "heading": "About", "effects": effects}
    return _with(of.model_copy(update={**told, "parameters": (named, *of.parameters[1:])}))


@pytest.mark.parametrize(("end", "reason"), [("reached", ""), ("nothing", "other-way-fails")])
async def test_another_form_that_asks_for_the_same_is_another_way(end: str, reason: str) -> None:
    app, of = _with_a_second_form(), draft("create")
    bench = QueuedBench(reached(of) if end == "reached" else nothing(of))
    verdict = await other_ways(seen(of), scene(app), bench)  # type: ignore[arg-type]
    fields = [a.target.field or a.target.name for a in bench.history[0] if isinstance(a, Fill)]
    assert (verdict.reason, fields) == (reason, ["Name:", "Description:"])
    assert bench.history[0] != of.oracle
