"""What is added to a feature when exploring is over."""

from __future__ import annotations

import pytest
from drawn_pages import control, element, heading, link
from exploring import seen, visited

from pipeline.domain.feature import EffectModel, EntityType, Feature, Fixed, FromParameter, Parameter, RowEffect
from pipeline.domain.observation import Locator
from pipeline.domain.state import StateSnapshot
from pipeline.explorers.assemble import assemble, headed

CLOSED = EffectModel(rows=(RowEffect(table="book", change="changed", key={}, cells={"closed": Fixed(value=1)}),))
FEATURE = Feature(
    id="f",
    app="shop",
    operation="set",
    noun="book",
    route="/close/{}",
    location="/close/⟦key⟧",
    sample=("7", "Maps"),
    submit=Locator(role="button", name="OK"),
    effects=CLOSED,
)


def test_a_doing_is_called_by_the_link_to_it_where_that_names_the_thing() -> None:
    ask = seen("/close/7", heading("Are you sure?"), control("submit", "OK"))
    known = visited(seen("/", link("Close book", "/close/7")), ask)
    assert headed(FEATURE, known).deed == "Close book"
    assert headed(FEATURE, visited(seen("/", link("Seven", "/close/7")), ask)).deed == "OK"


@pytest.mark.parametrize(("table", "deed"), [("loan", "Borrow"), ("book", "")])
def test_a_form_that_adds_beside_its_thing_is_called_by_its_button(table: str, deed: str) -> None:
    due = Parameter(key="due", label="due", kind="date", target=Locator(role="textbox", name="Due"))
    row = RowEffect(table=table, change="added", key={}, cells={"due": FromParameter(parameter="due")})
    book = EntityType(noun="book", table="book", key_column="id", name_column="title", location="/close/⟦key⟧")
    given = {"operation": "edit", "entity": book, "parameters": (due,), "effects": EffectModel(rows=(row,))}
    feature = FEATURE.model_copy(update={**given, "submit": Locator(role="button", name="Borrow")})
    assert headed(feature, visited(seen("/close/7", control("submit", "Borrow")))).deed == deed


def test_what_changes_nothing_is_no_doing() -> None:
    known = visited(seen("/close/7", control("submit", "OK")))
    assert headed(FEATURE.model_copy(update={"effects": EffectModel()}), known).deed == ""


def test_what_changes_by_itself_makes_no_other_state() -> None:
    mask = ("button|Hot hats", "button|Wet hats", "heading|Hot day", "heading|Wet day")

    def shown(weather: str) -> tuple[frozenset[str], str]:
        page = seen("/", heading(f"{weather} day"), element("button", f"{weather} hats"))
        known = visited(page.model_copy(update={"mask": mask}))
        [keyed] = assemble(known, "shop", "t", StateSnapshot(), (), "frontier").pages
        return known.doable["/"], keyed.state_key

    assert shown("Hot") == shown("Wet")
