"""Typed comparators: how an expected value and a found value are held against each other. Pure."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal, assert_never
from urllib.parse import parse_qsl, unquote, urlsplit

from dateutil import parser as dates
from pydantic import Field

from pipeline.domain.values import Cell, normal_text, squeezed

Comparator = Annotated[
    Literal["text", "label", "number", "date", "money", "set", "url"],
    Field(
        description="How the value and what is found are compared, both written as text first, so that 3 and '3' are "
        "equal under text, label and number (a float keeps its point: 3.0 is '3.0'); null equals null only, "
        "and what cannot be read as the type is unequal. text: equal but for line ends and white space at the "
        "end of a line or of the whole; case counts. label: equal with white space trimmed and folded to "
        "single blanks; case counts. number: equal as numbers, so that '3' equals '3.0' and '1,000' equals "
        "'1000'. date: the same calendar day, however written, time ignored; where a text leaves the year "
        "out, the other has to leave it out as well. money: equal amounts with equal sign or code of the "
        "currency. set: equal members of a list written with commas, semicolons or lines; order, repeats and "
        "case ignored. url: equal origin, path without a slash at its end, and query pairs in any order."
    ),
]
"""``text`` keeps inner white space and case, ``label`` folds white space; ``set`` ignores order and repeats."""


def equal(comparator: Comparator, expected: Cell, found: Cell) -> bool:
    """Whether the two mean the same; a value that cannot be read as the type is unequal, never an error."""
    if expected is None or found is None:
        return expected is None and found is None
    left, right = str(expected), str(found)
    match comparator:
        case "text":
            return normal_text(left) == normal_text(right)
        case "label":
            return squeezed(left) == squeezed(right)
        case "number":
            return _both(number(left), number(right))
        case "date":
            return _both(_named_day(left), _named_day(right))
        case "money":
            return _both(money(left), money(right))
        case "set":
            return members(left) == members(right)
        case "url":
            return _both(_readable_url(left), _readable_url(right))
        case _:
            assert_never(comparator)


def _both(left: object, right: object) -> bool:
    return left is not None and left == right


def number(text: str) -> Decimal | None:
    """A number with optional thousands separators; None when the whole text is not one."""
    plain = text.strip().replace("\u00a0", "").replace(" ", "")
    if re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", plain):
        plain = plain.replace(",", "")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


_MONEY = re.compile(
    r"(?P<sign>[+-]?)\s*(?P<before>[^\d\s+.,-]{0,4})\s*(?P<amount>[+-]?[\d.,\s]*\d)\s*(?P<after>[^\d\s]{0,4})"
)


def money(text: str) -> tuple[str, Decimal] | None:
    """Currency sign or code and amount; both have to be equal, an absent sign is a sign of its own."""
    found = _MONEY.fullmatch(text.strip())
    amount = number(found["sign"] + found["amount"]) if found else None
    return (found["before"] or found["after"], amount) if found and amount is not None else None


def day(text: str) -> date | None:
    """The calendar day a text names, time ignored; None when no year, month and day can be read."""
    named = _named_day(text)
    return date.fromisoformat(named) if named and not named.startswith("--") else None


def _named_day(text: str) -> str | None:
    """``YYYY-MM-DD``, or ``--MM-DD`` (ISO 8601) where the text leaves the year to the reader, as in "Oct 21st"."""
    if not re.search(r"\d", text) or len(text) > 60:
        return None
    try:
        first = dates.parse(text, default=_FIRST, ignoretz=True).date()
        second = dates.parse(text, default=_SECOND, ignoretz=True).date()
    except (ValueError, OverflowError, TypeError):
        return None
    if (first.month, first.day) != (second.month, second.day):
        return None
    return first.isoformat() if first.year == second.year else f"--{first.isoformat()[5:]}"


_FIRST = dates.parse("2004-01-01")
_SECOND = dates.parse("2008-02-02")
"""What a text leaves open comes out differently under the two; both are leap years, so that February 29 is a day."""


def members(text: str) -> frozenset[str]:
    """Members of a list written with commas, semicolons or lines."""
    return frozenset(squeezed(part).casefold() for part in re.split(r"[,;\n]", text) if part.strip())


def url_parts(location: str) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """Origin, path without trailing slash, and query pairs: never a prefix, never a substring.

    A fragment that routes (``#/…`` or ``#!…``) belongs to the path; one that only scrolls is dropped.
    """
    parts = urlsplit(location)
    path = unquote(parts.path).rstrip("/") or "/"
    query = frozenset(parse_qsl(parts.query, keep_blank_values=True))
    fragment = f"#{unquote(parts.fragment)}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{parts.scheme}://{parts.netloc}", path + fragment, query


def _readable_url(location: str) -> tuple[str, str, frozenset[tuple[str, str]]] | None:
    try:
        return url_parts(location)
    except ValueError:
        return None
