"""Taking known secrets out of what leaves the process or is kept. Pure; it is told the secrets."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pipeline.domain.state import Row, RowChange, StateDiff

SHORTEST = 4
"""Shorter secrets are not searched for: they would hit innocent text everywhere."""

MARK = "•••"
"""What stands in the place of a secret."""


class Redactor:
    """Replaces every known secret, as it is and as JSON spells it; longer ones first, so that none leaves a rest."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        spelt = {form for s in secrets if len(s) >= SHORTEST for form in (s, json.dumps(s, ensure_ascii=False)[1:-1])}
        self._secrets = sorted(spelt, key=len, reverse=True)

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


def _rows(change: RowChange) -> list[Row]:
    return [change.key, change.before or {}, change.after or {}]
