"""The base of every domain value, and the text cleaning that every border applies."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from pydantic import BaseModel, ConfigDict

Cell = str | int | float | None
"""One database cell. Bytes are represented by ``sha256:<hex>`` of their content."""

UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters of both sets, escape among them, and overrides of the writing direction."""
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_GLYPHS = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")


MARK = "•••"
"""What stands in the place of a secret."""


class Value(BaseModel):
    """A frozen value that refuses unknown fields; equal values have equal canonical JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def clean_text(text: str) -> str:
    """Replace lone surrogates and drop NULs, so that the text can be stored and exported as UTF-8."""
    return _LONE_SURROGATES.sub("�", text).replace("\x00", "")


def printable(text: str) -> str:
    """The text without what would command a terminal or turn its direction; line ends and tabs stay."""
    return UNPRINTABLE.sub("�", text)


def readable(text: str) -> str:
    """The text without private-use characters: fonts draw icons by them, and no person reads or says them."""
    return _GLYPHS.sub("", text)


def is_hidden(value: object) -> bool:
    """Whether a secret was taken out of a value, so that it is neither known nor to be told what it was."""
    return isinstance(value, str) and MARK in value


def canonical_json(value: Any) -> str:
    """One spelling for one value: sorted keys, no white space, UTF-8 kept."""
    if isinstance(value, BaseModel):
        value = value.model_dump(mode="json")
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def fingerprint(value: Any, length: int = 16) -> str:
    """Hex prefix of the SHA-256 of the canonical JSON; ``length`` is in hex digits."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "replace")).hexdigest()[:length]


def normal_text(text: str) -> str:
    """Free text for comparison: line ends as LF, no trailing white space on any line or at the end."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(line.rstrip() for line in lines).rstrip()


def squeezed(text: str) -> str:
    """White space folded to single blanks and trimmed, as a person reads a label."""
    return " ".join(text.split())


def shortened(text: str, limit: int) -> str:
    """At most ``limit`` letters; a mark tells where some were left out."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
