"""Taking known secrets out of what leaves the process or is kept. Pure; it is told the secrets."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

from pipeline.domain.state import Row, RowChange, StateDiff

SHORTEST = 4
"""Shorter secrets are not searched for: they would hit innocent text everywhere."""

MARK = "•••"
"""What stands in the place of a secret."""


_KEPT_IN_URLS = ("", "/", "-_.!~*'()", ";,/?:@&=+$-_.!~*'()#", "!$%&()*+,-./:;=?@[\\]^_`{|}~")
"""What writers of URLs leave as it is: Python's and PHP's, JavaScript's two functions, the browser's own (WHATWG)."""


class Redactor:
    """Replaces every known secret, plain and as JSON, HTML and URLs spell it; longer ones first: none leaves a rest."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted({form for s in secrets for form in _spellings(s)}, key=len, reverse=True)

    def clean(self, text: str) -> str:
        """The text with secrets replaced by a mark."""
        for secret in self._secrets:
            text = text.replace(secret, MARK)
        return text

    def holds_secret(self, text: str) -> bool:
        """Whether any known secret stands in the text."""
        return any(secret in text for secret in self._secrets)

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


def _spellings(secret: str) -> Iterator[str]:
    if len(secret) < SHORTEST:
        return
    in_urls = {quote(secret, safe=kept, errors="replace") for kept in _KEPT_IN_URLS}
    in_urls |= {quote_plus(secret, safe=kept, errors="replace") for kept in ("", "*")}
    in_html = {html.escape(secret, quote=False)}
    for double, single in (("&quot;", "&#x27;"), ("&quot;", "&#39;"), ("&#34;", "&#39;")):
        in_html.add(html.escape(secret).replace("&quot;", double).replace("&#x27;", single))
    for spelt in {secret, *in_html, *in_urls, *(re.sub("%..", lambda m: m[0].lower(), u) for u in in_urls)}:
        yield from (spelt, json.dumps(spelt, ensure_ascii=False)[1:-1], json.dumps(spelt)[1:-1])


def _rows(change: RowChange) -> list[Row]:
    return [change.key, change.before or {}, change.after or {}]
