"""A bookshop known by hand: four books, two tables, one feature of every operation. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

from drawn_pages import at, choice, control, element, heading, link, page

from pipeline.domain.exploration import Exploration, Page
from pipeline.domain.feature import (
    Binding,
    EffectModel,
    EntityType,
    Feature,
    Fixed,
    FromEntity,
    FromParameter,
    LocationEffect,
    Parameter,
    RowEffect,
    Volatile,
)
from pipeline.domain.goal import Choice, Entity, Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Element, Form, Observation
from pipeline.domain.routes import RoutePatterns
from pipeline.domain.state import RowMask, StateSnapshot, Table
from pipeline.domain.uigraph import with_slots
from pipeline.domain.values import Cell
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Result

TODAY = date(2026, 3, 2)
PEOPLE = ("ann", "bob", "cid", "dora")
STATUSES = (("New", "new"), ("Lent", "lent"), ("Lost", "lost"))
BOOKS: tuple[dict[str, Cell], ...] = (
    {"id": 1, "title": "Winter Tales", "status": "new", "genre": "Poetry", "owner": "ann", "changed": 100},
    {"id": 2, "title": "River Songs", "status": "lent", "genre": "History", "owner": "bob", "changed": 101},
    {"id": 3, "title": "Stone Bread", "status": "new", "genre": "Cooking", "owner": "ann", "changed": 102},
    {"id": 4, "title": "Old Maps", "status": "lost", "genre": "History", "owner": "cid", "changed": 103},
)
GENRES: tuple[dict[str, Cell], ...] = (
    {"name": "Cooking", "description": "Food and drink"},
    {"name": "History", "description": "What was"},
    {"name": "Poetry", "description": "Verse"},
)
BOOK = EntityType(noun="book", table="book", key_column="id", name_column="title", location="/books/⟦key⟧")
GENRE = EntityType(noun="genre", table="genre", key_column="name", name_column="name", location="/genres")
HITS = RowMask(table="meta", key={"key": "hits"}, columns=("value",), reason="looking")


def table(name: str, keys: tuple[str, ...], *rows: Mapping[str, Cell]) -> Table:
    return Table(name, keys, {tuple(r[k] for k in keys): dict(r) for r in rows})


def snapshot(*tables: Table) -> StateSnapshot:
    return StateSnapshot({t.name: t for t in tables})


def start() -> StateSnapshot:
    meta = table("meta", ("key",), {"key": "hits", "value": 10}, {"key": "genres", "value": 3})
    return snapshot(table("book", ("id",), *BOOKS), table("genre", ("name",), *GENRES), meta)


def _everywhere() -> list[Element]:
    places = (("Books", "/books"), ("Genres", "/genres"), ("Search", "/search"), ("About", "/about"))
    return [link(name, to, [("navigation", "Shop")]) for name, to in places]


def book_page(book: Mapping[str, Cell]) -> Observation:
    here = f"/books/{book['id']}"
    shown = next(label for label, value in STATUSES if value == book["status"])
    genres = [(str(g["name"]), str(g["name"])) for g in GENRES]
    return page(
        here,
        *_everywhere(),
        heading(str(book["title"])),
        element("rowheader", "Owner:"),
        element("cell", str(book["owner"])),
        element("rowheader", "Genre:"),
        element("cell", str(book["genre"])),
        control("text", "Title", "title", value=str(book["title"])),
        choice("Status", "status", STATUSES, shown),
        choice("Genre", "genre", genres, str(book["genre"])),
        control("text", "Owner", "owner", value=str(book["owner"])),
        control("submit", "Save changes", "save"),
        forms=[Form(index=0, method="post", target=here)],
    )


def genres_page() -> Observation:
    new = [("group", "Add genre:")]
    picks = [control("checkbox", n, "pick", 1, [("row", n)]) for n in (str(g["name"]) for g in GENRES)]
    return page(
        "/genres",
        *_everywhere(),
        heading("Genres"),
        control("text", "Name:", "name", region=new),
        control("multiline", "Description:", "description", region=new),
        control("submit", "Add", "add", region=new),
        *picks,
        control("submit", "Remove selected", "remove", 1),
        forms=[Form(index=0, method="post", target="/genres"), Form(index=1, method="post", target="/genres/remove")],
    )


def books_page() -> Observation:
    head = []
    for name in ("Title", "Owner"):
        head += [element("columnheader", name), link(name, f"/books?sort={name.lower()}")]
    rows = [link(str(b["title"]), f"/books/{b['id']}", [("row", str(b["title"]))]) for b in BOOKS]
    return page("/books", *_everywhere(), heading("Books"), *head, *rows)


def search_page() -> Observation:
    return page(
        "/search",
        *_everywhere(),
        heading("Search"),
        control("search", "Words", "q"),
        control("submit", "Search", "go"),
        forms=[Form(index=0, method="get", target="/search")],
    )


def home_page() -> Observation:
    latest = link("Winter Tales", "/books/1", [("listitem", "Latest")])
    return page("/", *_everywhere(), heading("Welcome"), latest)


def about_page() -> Observation:
    return page("/about", *_everywhere(), heading("About this shop"))


def pages() -> tuple[Page, ...]:
    drawn = [home_page(), books_page(), genres_page(), search_page(), about_page(), *(book_page(b) for b in BOOKS)]
    return tuple(Page(id=o.location, location=o.location, state_key=o.location, observation=o) for o in drawn)


def knowledge() -> Knowledge:
    """What the explorer knows after visiting every page."""
    known = Knowledge(home="/")
    known.add([Result(key=f"visit {p.location}", kind="visit", actions=1, page=p) for p in pages()])
    known.patterns = RoutePatterns()
    return known


def _parameter(seen: Observation, role: str, name: str, **more: Any) -> Parameter:
    return Parameter(target=at(seen, role, name), **more)


def _book_feature(id: str, operation: str, parameter: Parameter, column: str) -> Feature:
    """One value of one book is changed; the book's clock goes along."""
    seen = book_page(BOOKS[0])
    cells: dict[str, Binding] = {column: FromParameter(parameter=parameter.key), "changed": Volatile()}
    row = RowEffect(table="book", change="changed", key={"id": FromEntity(column="id")}, cells=cells)
    return Feature(
        id=id,
        app="shop",
        operation=operation,  # type: ignore[arg-type]  # checked by the model
        noun="book",
        route="/books/{}",
        location="/books/⟦key⟧",
        parameters=(parameter.model_copy(update={"target": with_slots(parameter.target, "1", "Winter Tales")}),),
        submit=at(seen, "button", "Save changes"),
        entity=BOOK,
        sample=("1", "Winter Tales"),
        effects=EffectModel(rows=(row,), executions=3),
        evidence=(f"run-{id}",),
        heading="Winter Tales",
    )


def _book_features() -> list[Feature]:
    seen = book_page(BOOKS[0])
    genres = tuple(str(g["name"]) for g in GENRES)
    title = _parameter(seen, "textbox", "Title", key="title", label="title", kind="text", default="Winter Tales")
    status = _parameter(
        seen, "combobox", "Status", key="status", label="status", kind="select", default="New",
        options=tuple(la for la, _ in STATUSES), option_values=tuple(v for _, v in STATUSES),
    )  # fmt: skip
    genre = _parameter(
        seen, "combobox", "Genre", key="genre", label="genre", kind="select", default="Poetry",
        options=genres, option_values=genres,
    )  # fmt: skip
    owner = _parameter(seen, "textbox", "Owner", key="owner", label="owner", kind="text", default="ann")
    return [
        _book_feature("edit-title", "edit", title, "title"),
        _book_feature("set-status", "set", status, "status"),
        _book_feature("set-genre", "set", genre, "genre"),
        _book_feature("assign-owner", "assign", owner, "owner"),
    ]


def _create_genre() -> Feature:
    seen = genres_page()
    name = _parameter(seen, "textbox", "Name:", key="name", label="name", kind="text", required=True)
    about = _parameter(seen, "textbox", "Description:", key="description", label="description", kind="multiline")
    row = RowEffect(
        table="genre",
        change="added",
        key={"name": FromParameter(parameter="name")},
        cells={"description": FromParameter(parameter="description")},
    )
    counter = RowEffect(
        table="meta", change="changed", key={"key": Fixed(value="genres")}, cells={"value": Volatile()}, optional=True
    )
    return Feature(
        id="create-genre",
        app="shop",
        operation="create",
        noun="genre",
        route="/genres",
        location="/genres",
        parameters=(name, about),
        submit=at(seen, "button", "Add"),
        effects=EffectModel(rows=(row, counter), executions=3),
        evidence=("run-create-genre",),
        heading="Genres",
    )


def _delete_genre() -> Feature:
    seen = genres_page()
    row = RowEffect(table="genre", change="removed", key={"name": FromEntity(column="name")}, cells={})
    return Feature(
        id="delete-genre",
        app="shop",
        operation="delete",
        noun="genre",
        route="/genres",
        location="/genres",
        pick=with_slots(at(seen, "checkbox", "Cooking"), "", "Cooking"),
        submit=at(seen, "button", "Remove selected"),
        entity=GENRE,
        sample=("", "Cooking"),
        effects=EffectModel(rows=(row,), executions=3),
        consequence="destructive",
        evidence=("run-delete-genre",),
        heading="Genres",
    )


def _looking_features() -> list[Feature]:
    words = _parameter(search_page(), "searchbox", "Words", key="q", label="words", kind="search")
    column = _parameter(
        books_page(), "link", "Title", key="sort", label="column", kind="select",
        options=("Title", "Owner"), option_values=("title", "owner"),
    )  # fmt: skip

    def place(path: str, **query: Binding) -> EffectModel:
        return EffectModel(location=LocationEffect(path=Fixed(value=path), query=dict(query)), executions=3)

    base = Feature(id="", app="shop", operation="navigate", noun="page", route="/about", location="/about")
    return [
        base.model_copy(
            update={"id": "search", "operation": "search", "location": "/search", "heading": "Search",
                    "parameters": (words,), "submit": at(search_page(), "button", "Search"),
                    "effects": place("/search", q=FromParameter(parameter="q")), "evidence": ("run-search",)}
        ),
        base.model_copy(
            update={"id": "sort-books", "operation": "sort", "noun": "list", "location": "/books", "heading": "Books",
                    "parameters": (column,), "effects": place("/books", sort=FromParameter(parameter="sort")),
                    "evidence": ("edge-books",)}
        ),
        base.model_copy(
            update={"id": "go-about", "heading": "About this shop", "effects": place("/about"),
                    "evidence": ("edge-about",)}
        ),
        base.model_copy(
            update={"id": "read-owner", "operation": "read", "noun": "book", "location": BOOK.location, "entity": BOOK,
                    "sample": ("1", "Winter Tales"), "answer_column": "owner", "answer_label": "owner",
                    "heading": "Winter Tales", "evidence": ("/books/1",)}
        ),
    ]  # fmt: skip


def exploration() -> Exploration:
    known = knowledge()
    features = [*_book_features(), _create_genre(), _delete_genre(), *_looking_features()]
    return Exploration(
        app="shop",
        template_hash="hash",
        home="/",
        user="ann",
        pages=pages(),
        transitions=tuple(known.transitions.values()),
        features=tuple(features),
        masks=(HITS,),
    )


@cache
def shop() -> KnownApp:
    """The whole application; read only, so that one serves every test."""
    return KnownApp(exploration(), start(), PEOPLE)


def book(key: int) -> Entity:
    row = next(b for b in BOOKS if b["id"] == key)
    return Entity(noun="book", table="book", key_column="id", key=key, name=str(row["title"]))


def genre(name: str) -> Entity:
    return Entity(noun="genre", table="genre", key_column="name", key=name, name=name)


def part(feature: str, entity: Entity | None = None, destination: str = "", **values: str) -> GoalPart:
    """A part of a goal; values are as a person sees them, by parameter."""
    known = shop().features[feature]
    choices = []
    for parameter in known.parameters:
        shown = values[parameter.key]
        stored = dict(zip(parameter.options, parameter.option_values, strict=True)).get(shown, shown)
        choices.append(Choice(parameter=parameter.key, label=parameter.label, value=stored, shown=shown))
    return GoalPart(
        feature=feature, operation=known.operation, entity=entity, choices=tuple(choices), destination=destination
    )


def goal(*parts: GoalPart) -> Goal:
    shape = "composite" if len(parts) > 1 else "query" if parts[0].operation == "read" else "single"
    return Goal(app="shop", shape=shape, parts=parts)


def sample_goals() -> dict[str, Goal]:
    """One goal of every operation, and a composite in which the second part uses what the first made."""
    made = part("create-genre", name="Sagas", description="Long tales")
    return {
        "create": goal(made),
        "edit": goal(part("edit-title", book(2), title="Amber Harbor")),
        "set": goal(part("set-status", book(1), status="Lost")),
        "assign": goal(part("assign-owner", book(3), owner="dora")),
        "delete": goal(part("delete-genre", genre("Cooking"))),
        "search": goal(part("search", q="Copper Mill")),
        "sort": goal(part("sort-books", destination="/books", sort="Owner")),
        "navigate": goal(part("go-about", destination="/about")),
        "read": goal(part("read-owner", book(4))),
        "composite": goal(made, part("set-genre", book(2), genre="Sagas")),
    }
