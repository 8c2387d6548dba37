"""Taking known secrets out of text that leaves the process. Pure; where secrets come from is the caller's business."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 4
"""Shorter secrets are not searched for: they would hit innocent text everywhere."""

_MARK = "•••"


class Redactor:
    """Replaces every known secret; longer ones first, so that one inside another leaves no rest."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets = sorted({s for s in secrets if len(s) >= SHORTEST}, key=len, reverse=True)

    def clean(self, text: str) -> str:
        """The text with secrets replaced by a mark."""
        for secret in self._secrets:
            text = text.replace(secret, _MARK)
        return text

    def holds_secret(self, text: str) -> bool:
        """Whether any known secret stands in the text."""
        return any(secret in text for secret in self._secrets)
