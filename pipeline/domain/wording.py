"""How texts of a screen read in a sentence: counters and numbers that a person would not say are left out."""

from __future__ import annotations

import re

from pipeline.domain.values import squeezed

_COUNTER = re.compile(r"^\{\d+\}\s*|\s*\(\d+[^)]*\)\s*$")


def plain_heading(text: str) -> str:
    """A heading without a number in braces before it and a count in brackets behind it."""
    return squeezed(_COUNTER.sub("", _COUNTER.sub("", squeezed(text))))
