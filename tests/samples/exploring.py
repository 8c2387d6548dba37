"""What an explorer knows after it saw pages that were drawn by hand."""

from __future__ import annotations

from typing import Any

from drawn_pages import page

from pipeline.domain.exploration import Page
from pipeline.domain.observation import Element
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Result


def seen(location: str, *elements: Element, id: str = "", depth: int = 0, **more: Any) -> Page:
    return Page(
        id=id or location, location=location, state_key="", observation=page(location, *elements, **more), depth=depth
    )


def visited(*found: Page) -> Knowledge:
    known = Knowledge(home="/")
    known.add([Result(key=f"visit {p.location}", kind="visit", actions=1, page=p) for p in found])
    return known
