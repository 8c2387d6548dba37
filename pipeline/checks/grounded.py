"""Gate 2: every feature was seen to work, every quoted word resolves to evidence or is introduced here."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.goal import GoalPart
from pipeline.domain.values import squeezed
from pipeline.domain.verdict import EvidenceItem, Verdict


def grounded(draft: Draft, scene: Scene) -> Verdict:
    """Looks features up in the exploration and quoted words in goal, start state and headings."""
    evidence: list[EvidenceItem] = []
    known: set[str] = set()
    for part in draft.goal.parts:
        feature = scene.app.features.get(part.feature)
        if feature is None or not feature.evidence:
            return failed("grounded", "unknown-feature", f"Feature {part.feature} was never observed.")
        if feature.submit is not None and feature.effects.executions < 2:
            return failed("grounded", "effect-not-learned", f"Feature {part.feature} was executed less than twice.")
        if part.entity is not None and not scene.app.row(part.entity):
            return failed("grounded", "no-such-entity", f"{part.entity.noun} {part.entity.name!r} does not exist.")
        evidence += [EvidenceItem(kind="transition", text=feature.operation, ref=e) for e in feature.evidence[:2]]
        known |= _words(scene, part)
    for quoted in _quotations(draft.instruction):
        if squeezed(quoted) not in known:
            return failed("grounded", "ungrounded-word", f"{quoted!r} is neither a value of the goal nor in the state.")
    return passed("grounded", "", *evidence)


def _quotations(text: str) -> list[str]:
    """What stands in quotation marks; a name may hold a pair of its own."""
    found: list[str] = []
    begun: list[int] = []
    for at, letter in enumerate(text):
        if letter == "“":
            begun.append(at)
        elif letter == "”" and begun:
            start = begun.pop()
            found += [] if begun else [text[start + 1 : at]]
    return found if not begun else [*found, text[begun[0] + 1 :]]


def _words(scene: Scene, part: GoalPart) -> set[str]:
    """What the instruction may quote for a part."""
    feature = scene.app.features[part.feature]
    words = {squeezed(c.spoken) for c in part.choices} | {squeezed(feature.heading), scene.app.place_word(feature)}
    words |= {squeezed(label) for _, label in feature.pinned}
    words |= {squeezed(c.label) for c in part.choices}
    if part.entity is not None and _named_so(scene, part):
        words.add(squeezed(part.entity.name))
    for row in feature.effects.rows:
        words |= {squeezed(str(getattr(b, "value", ""))) for b in row.cells.values()}
    return words - {""}


def _named_so(scene: Scene, part: GoalPart) -> bool:
    """Whether the entity's row really holds the name that the instruction uses."""
    assert part.entity is not None  # asked by the caller
    return squeezed(part.entity.name) in {squeezed(str(v)) for v in scene.app.row(part.entity).values()}
