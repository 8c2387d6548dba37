"""State abstraction: the structural key of an observation, stable against clocks, counters, tokens and ids."""

from __future__ import annotations

import re
from collections.abc import Collection

from pipeline.domain.observation import Element, Observation
from pipeline.domain.routes import SLOT
from pipeline.domain.values import fingerprint

ACTING_ROLES = frozenset(
    {"button", "checkbox", "combobox", "textbox", "searchbox", "radio", "switch", "slider", "spinbutton", "tab"}
    | {"menuitem", "option", "listbox", "treeitem"}
)
_VOLATILE = re.compile(r"\b[0-9a-f]{8,}\b|\d+", re.IGNORECASE)
_STATES = ("disabled", "checked", "expanded", "selected", "pressed")


def masked(text: str) -> str:
    """Digits and hex runs replaced, so that counters, dates and ids do not tell two looks apart."""
    return " ".join(_VOLATILE.sub("#", text).split())


def spelling(element: Element) -> str:
    """Role and masked name."""
    return f"{element.role}|{masked(element.name)}"


def changed_by_itself(first: Observation, second: Observation) -> tuple[str, ...]:
    """What differs between two looks without acting, as ``role|name`` of the first and second look."""
    one = {(e.role, e.name, e.value) for e in first.elements}
    two = {(e.role, e.name, e.value) for e in second.elements}
    return tuple(sorted({f"{role}|{name}" for role, name, _ in one ^ two}))


def signature(seen: Observation, mask: Collection[str] = ()) -> frozenset[str]:
    """What can be done here: controls and buttons by role, masked name and state; in rows by role only.

    A control that repeats in every row of a list counts once, so that a longer list is the same place.
    """
    found = set()
    for element in seen.elements:
        if element.role not in ACTING_ROLES or f"{element.role}|{element.name}" in mask:
            continue
        in_row = any(part.role in ("row", "listitem") for part in element.region)
        name = "*" if in_row else masked(element.name)
        states = ",".join(s for s in _STATES if s in element.states and not in_row)
        found.add(f"{element.role}|{name}|{states}")
    return frozenset(found)


def state_key(route: str, seen: Observation, mask: Collection[str] = ()) -> str:
    """Key of the state abstraction: route template, headings, what can be done, and whether it is an error."""
    if SLOT in route:
        headings = sorted({f"h{e.level}" for e in seen.headings()})
    else:
        headings = [masked(e.name) for e in seen.headings() if f"heading|{e.name}" not in mask][:12]
    failed = bool(seen.status and seen.status >= 400)
    return fingerprint([route, headings, sorted(signature(seen, mask)), failed])
