"""Observations drawn by hand, in few words, for tests without a browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeline.domain.locators import record
from pipeline.domain.observation import Control, Element, Form, Locator, Observation, Option, RegionPart

Region = Sequence[tuple[str, str]]
_ROLES = {
    "text": "textbox", "multiline": "textbox", "email": "textbox", "url": "textbox", "date": "textbox",
    "search": "searchbox", "number": "spinbutton", "select": "combobox", "checkbox": "checkbox", "radio": "radio",
    "submit": "button", "button": "button", "password": "textbox", "file": "button",
}  # fmt: skip


def element(role: str, name: str = "", region: Region = (), **more: Any) -> Element:
    """Any element; the handle is not looked at by anyone."""
    parts = tuple(RegionPart(role=r, name=n) for r, n in region)
    return Element(ref="", role=role, name=name, region=parts, **more)


def link(name: str, to: str, region: Region = ()) -> Element:
    return element("link", name, region, leads_to=to)


def heading(name: str, level: int = 1) -> Element:
    return element("heading", name, level=level)


def control(
    kind: str,
    name: str,
    key: str = "",
    form: int | None = 0,
    region: Region = (),
    value: str | None = None,
    **more: Any,
) -> Element:
    """A control of a form; ``states`` go to the element, everything else to the control."""
    states = frozenset(more.pop("states", ()))
    made = Control.model_validate({"kind": kind, "field": key, "form": form, **more})
    return element(_ROLES[kind], name, region, value=value, states=states, control=made)


def choice(name: str, key: str, options: Sequence[tuple[str, str]], chosen: str = "", form: int = 0) -> Element:
    """A select; ``options`` are (label, value), ``chosen`` is a label."""
    made = tuple(Option(label=la, value=v, selected=la == chosen) for la, v in options)
    return control("select", name, key, form, value=chosen, options=made)


def page(location: str, *elements: Element, forms: Sequence[Form] = (), **more: Any) -> Observation:
    return Observation(location=location, elements=elements, forms=tuple(forms), **more)


def at(seen: Observation, role: str, name: str, nth: int = 0) -> Locator:
    """A recorded locator of an element with this role and name."""
    found = record(seen.named(role, name)[nth], seen)
    assert found is not None, f"{role} {name!r} cannot be told apart"
    return found
