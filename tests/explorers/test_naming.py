"""One kind of thing is called the same everywhere."""

from __future__ import annotations

from small_app import BOOK, shop

from pipeline.domain.feature import Feature
from pipeline.explorers.assemble import one_name_each


def test_rows_are_not_called_by_what_holds_them() -> None:
    """A public page below the shop's name, and a desk's page below the item's own."""

    def called(noun: str) -> Feature:
        kind = BOOK.model_copy(update={"table": "shop_item", "noun": noun, "location": f"/{noun}/⟦key⟧"})
        return shop().features["edit-title"].model_copy(update={"entity": kind})

    item, shelf = called("item"), called("shop")
    named = [f.noun for f in one_name_each([item, shelf])]
    assert named == ["item", "item"]
    assert [f.noun for f in one_name_each([shelf])] == ["shop"]
