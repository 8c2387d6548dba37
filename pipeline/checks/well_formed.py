"""Gate 1: there is something to become true, nothing is empty, nothing is left unbound."""

from __future__ import annotations

import re
import unicodedata

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.rowtests import RowCondition
from pipeline.domain.values import canonical_json
from pipeline.domain.verdict import Verdict

_UNBOUND = re.compile(r"⟦[^⟧]*⟧|\{\{|\}\}|\{[A-Za-z_]\w*\}|<[A-Z_]{3,}>")

_SEEN = frozenset("\n\t\u200c\u200d")
"""Of control and format characters those that a person sees: what breaks lines, and what joins letters and pictures."""

_MACHINE = re.compile(
    r"(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}|(?<![\w.])/(home|Users)/[^/\s\"]+/\.|(?<![\w.])/tmp/\w"
)
"""A port or a directory of the machine on which the draft was made: the next one has others."""


def well_formed(draft: Draft, scene: Scene) -> Verdict:
    """The evaluator can pass only when something became true; instruction and oracle hold no placeholder."""
    if not draft.evaluator.conditions or not draft.evaluator.positive:
        return failed("well-formed", "no-positive-condition", "Nothing has to become true.")
    for condition in draft.evaluator.conditions:
        if isinstance(condition, RowCondition) and condition.required and not condition.says_something:
            return failed("well-formed", "empty-condition", f"{condition.in_words()} tests no value.")
    if not draft.instruction.strip():
        return failed("well-formed", "empty-instruction", "There is no instruction.")
    if "“”" in draft.instruction:
        return failed("well-formed", "empty-quotation", "The instruction quotes nothing where a word should stand.")
    if unseen := sorted({f"U+{ord(c):04X}" for c in draft.instruction if _is_unseen(c)}):
        said = f"The instruction holds what nobody can see or type: {', '.join(unseen)}."
        return failed("well-formed", "unseen-characters", said)
    for part in draft.goal.parts:
        labels = [c.label for c in part.choices]
        if len(set(labels)) < len(labels):
            return failed("well-formed", "equal-labels", f"Two values stand under one label: {labels}.")
    if not draft.oracle:
        return failed("well-formed", "empty-oracle", "The oracle has no action.")
    written = canonical_json([draft.model_dump(mode="json")[k] for k in ("instruction", "oracle", "evaluator")])
    values = {c.shown for p in draft.goal.parts for c in p.choices} | {
        p.entity.name for p in draft.goal.parts if p.entity
    }
    left = [m for m in _UNBOUND.findall(written) if not any(m in v for v in values)]
    left = [m for m in left if "⟦" in m] or left  # braces stand in the notation itself
    if any("⟦" in m for m in left) or _UNBOUND.search(_without(draft.instruction, values)):
        return failed("well-formed", "unbound-placeholder", f"A placeholder is left: {left[:1]}.")
    if _MACHINE.search(_without(written, values)):
        return failed("well-formed", "machine-bound", "A port or directory of this machine stands in the draft.")
    return passed("well-formed")


def _is_unseen(letter: str) -> bool:
    """Control and format characters, as a title may hold them that another program wrote."""
    return unicodedata.category(letter) in ("Cc", "Cf") and letter not in _SEEN


def _without(text: str, values: set[str]) -> str:
    for value in sorted(values, key=len, reverse=True):
        text = text.replace(value, "")
    return text
