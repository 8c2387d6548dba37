"""Typed comparators: how an expected value and a found value are held against each other. Pure."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Literal, assert_never
from urllib.parse import parse_qsl, unquote, urlsplit

from dateutil import parser as dates

from pipeline.domain.values import Cell, normal_text, squeezed

Comparator = Literal["text", "label", "number", "date", "money", "set", "url"]
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
            return _both(day(left), day(right))
        case "money":
            return _both(money(left), money(right))
        case "set":
            return members(left) == members(right)
        case "url":
            return url_parts(left) == url_parts(right)
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


_MONEY = re.compile(r"(?P<before>[^\d\s+.,-]{0,4})\s*(?P<amount>[+-]?[\d.,\s]*\d)\s*(?P<after>[^\d\s]{0,4})")


def money(text: str) -> tuple[str, Decimal] | None:
    """Currency sign or code and amount; both have to be equal, an absent sign is a sign of its own."""
    found = _MONEY.fullmatch(text.strip())
    amount = number(found["amount"]) if found else None
    return (found["before"] or found["after"], amount) if found and amount is not None else None


def day(text: str) -> date | None:
    """The calendar day a text names, time ignored; None when no year, month and day can be read."""
    if not re.search(r"\d", text) or len(text) > 60:
        return None
    try:
        first = dates.parse(text, default=_FIRST)
        second = dates.parse(text, default=_SECOND)
    except (ValueError, OverflowError, TypeError):
        return None
    return first.date() if first.date() == second.date() else None


_FIRST = dates.parse("2001-01-01")
_SECOND = dates.parse("2002-02-02")


def members(text: str) -> frozenset[str]:
    """Members of a list written with commas, semicolons or lines."""
    return frozenset(squeezed(part).casefold() for part in re.split(r"[,;\n]", text) if part.strip())


def url_parts(location: str) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """Origin, path without trailing slash, and query pairs: never a prefix, never a substring."""
    parts = urlsplit(location)
    path = unquote(parts.path).rstrip("/") or "/"
    query = frozenset(parse_qsl(parts.query, keep_blank_values=True))
    return f"{parts.scheme}://{parts.netloc}", path, query
