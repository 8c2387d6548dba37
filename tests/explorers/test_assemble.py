"""What is added to a feature when exploring is over."""

from __future__ import annotations

from drawn_pages import control, heading, link
from exploring import seen, visited

from pipeline.domain.feature import EffectModel, Feature, Fixed, RowEffect
from pipeline.domain.observation import Locator
from pipeline.explorers.assemble import headed

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


def test_what_changes_nothing_is_no_doing() -> None:
    known = visited(seen("/close/7", control("submit", "OK")))
    assert headed(FEATURE.model_copy(update={"effects": EffectModel()}), known).deed == ""
