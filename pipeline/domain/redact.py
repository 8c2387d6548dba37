"""Taking known secrets out of what leaves the process or is kept. Pure; it is told the secrets."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html.entities import codepoint2name

from pipeline.domain.state import Row, RowChange, StateDiff
from pipeline.domain.values import MARK

SHORTEST = 4
"""Shorter secrets are not searched for: they would hit innocent text everywhere."""

_AND = r"(?:&|\\u0026)"
"""How an entity begins, in HTML and in JSON that holds HTML."""
_ALSO = {"/": (r"\\/",), " ": (r"%2[Bb]", r"\+"), '"': (r"\\&(?:quot|#0*34);",)}
"""What JSON, the queries of URLs, and JSON in HTML make of a character beside its number."""


class Redactor:
    """Replaces every known secret, plain and as JSON, HTML and URLs spell it; longer ones first: none leaves a rest."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted({s for s in secrets if len(s) >= SHORTEST}, key=lambda s: (-len(s), s))
        self._secrets = tuple(_pattern(s) for s in known)

    def clean(self, text: str) -> str:
        """The text with secrets replaced by a mark."""
        for secret in self._secrets:
            text = secret.sub(MARK, text)
        return text

    def holds_secret(self, text: str) -> bool:
        """Whether any known secret stands in the text."""
        return any(secret.search(text) for secret in self._secrets)

    def clean_diff(self, diff: StateDiff) -> StateDiff:
        """The changes with secrets in their cells replaced; the very same where there are none."""
        if not any(self.holds_secret(str(cell)) for c in diff.changes for row in _rows(c) for cell in row.values()):
            return diff
        return StateDiff(changes=tuple(self._clean_change(c) for c in diff.changes))

    def _clean_change(self, change: RowChange) -> RowChange:
        key, before, after = (self._clean_row(row) for row in (change.key, change.before, change.after))
        return change.model_copy(update={"key": key or {}, "before": before, "after": after})

    def _clean_row(self, row: Row | None) -> Row | None:
        return row and {c: self.clean(cell) if isinstance(cell, str) else cell for c, cell in row.items()}


def _pattern(secret: str) -> re.Pattern[str]:
    return re.compile("".join(map(_spellings, secret)))


def _spellings(char: str) -> str:
    """A pattern for one character in all that writers make of it, what is longest first; nobody rewrites letters."""
    if char.isascii() and char.isalnum():
        return char
    code = ord(char)
    named = codepoint2name.get(code, "apos" if char == "'" else "")
    in_html = rf"{_AND}(?:#0*{code}|#x0*(?i:{code:x}){f'|{named}' if named else ''});"
    in_scripts = {json.dumps(char)[1:-1], rf"\u{code:04x}", rf"\x{code:02x}"} - {char}
    in_json = "|".join(re.escape(way) for way in sorted(in_scripts))
    in_urls = "".join(f"%(?:25)?{byte:02x}" for byte in char.encode(errors="replace"))
    ways = [in_html, rf"(?i:{in_json}|{in_urls})", *_ALSO.get(char, ()), re.escape(char)]
    return f"(?:{'|'.join(ways)})"


def _rows(change: RowChange) -> list[Row]:
    return [change.key, change.before or {}, change.after or {}]
