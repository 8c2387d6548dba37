"""Label and value pairs as a person reads them off a page: header cells, definition lists, columns of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pipeline.domain.forms import person_label
from pipeline.domain.observation import Element, Observation
from pipeline.domain.values import squeezed

_HEADERS = ("rowheader", "columnheader", "term")
_VALUES = ("cell", "gridcell", "definition")
MAX_LABEL_WORDS = 4
_WHETHER = re.compile(r"(is|in|has|are|was|were|can|with|without|you|not)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Pair:
    """One label with its value."""

    label: str
    value: str


def pairs(seen: Observation) -> Iterator[Pair]:
    """A header cell directly followed by a value cell, a term by its definition."""
    elements = [e for e in seen.elements if e.role in _HEADERS + _VALUES]
    for first, second in pairwise(elements):
        if first.role in _HEADERS and second.role in _VALUES and _is_label(first):
            yield Pair(person_label(first.name), squeezed(second.name))


def says_what(label: str) -> bool:
    """Whether a label names what stands behind it, as ``price`` does and ``is active`` or ``#`` do not."""
    return any(c.isalpha() for c in label) and not _WHETHER.match(label)


def _is_label(element: Element) -> bool:
    name = squeezed(element.name)
    speaks = element.role == "term" or name.endswith(":") or element.role == "rowheader"
    return speaks and 0 < len(name.split()) <= MAX_LABEL_WORDS
