"""From the feature table to an ordered, endless list of drafts: which operation comes next, which goal, which words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pipeline.domain.consequences import consequence_of
from pipeline.domain.draft import Draft
from pipeline.domain.expectations import expected
from pipeline.domain.feature import Consequence, Feature, Operation
from pipeline.domain.goal import Goal
from pipeline.domain.known_app import KnownApp
from pipeline.domain.script import script
from pipeline.domain.values import fingerprint
from pipeline.drafters.composer import compose
from pipeline.drafters.composites import composites
from pipeline.drafters.goals import by_operation, goals

Slot = Operation | str
MIX: Mapping[Slot, float] = {
    "create": 2.5, "edit": 2, "set": 2, "composite": 6, "read": 2, "search": 2, "assign": 2,
    "delete": 2, "filter": 2, "sort": 2, "navigate": 1.5,
}  # fmt: skip
"""Shares of a run: a quarter are composites, most change state, reading and going somewhere are an eighth together."""


@dataclass(frozen=True)
class Wanted:
    """What a run asks for; empty means all."""

    operations: tuple[str, ...] = ()
    features: tuple[str, ...] = ()

    def admits(self, feature: Feature) -> bool:
        """Whether drafts may be made from a feature."""
        if self.operations and feature.operation not in self.operations:
            return False
        return not self.features or feature.id in self.features or feature.noun in self.features


@dataclass(frozen=True)
class Past:
    """What was drafted before: the next drafts depend on it and on nothing that happens meanwhile."""

    goals: frozenset[str] = frozenset()
    """Fingerprints of goals that exist."""
    ends: frozenset[str] = frozenset()
    """What the run's drafts so far ask for, as ``Draft.end``."""
    used: Mapping[str, int] = field(default_factory=dict)
    """Feature id → drafts made from it."""
    tired: frozenset[str] = frozenset()
    """Features whose drafts failed and that have none accepted; they come no more."""
    made: Mapping[Slot, float] = field(default_factory=dict)
    """How many drafts of each slot count towards the mix."""
    index: int = 0
    """Index of the next draft."""


def slot_of(goal: Goal) -> Slot:
    """Where a goal stands in the mix."""
    return "composite" if goal.shape == "composite" else goal.parts[0].operation


def drafts(app: KnownApp, wanted: Wanted, seed: int, today: date, past: Past) -> Iterator[Draft]:
    """Drafts in their order, the same for the same inputs; the slot that lags behind its share comes next.

    Within a slot, features that were used least come first.
    """
    usable = [f for f in app.features.values() if wanted.admits(f) and f.id not in past.tired]
    sources = _sources(app, usable, f"{seed} {past.index}", today, past)
    index = past.index
    seen, ends, made = set(past.goals), set(past.ends), Counter(past.made)
    while sources:
        slot = min(sources, key=lambda s: (made[s] + 0.5) / MIX[s])  # Sainte-Laguë: shares hold at every length
        goal = next(sources[slot], None)
        if goal is None:
            del sources[slot]
            continue
        if goal.fingerprint in seen:
            continue
        seen.add(goal.fingerprint)
        draft = make_draft(app, goal, index, seed)
        if draft is not None and draft.end not in ends:
            ends.add(draft.end)
            made[slot] += 1
            index += 1
            yield draft


def _sources(
    app: KnownApp, usable: Sequence[Feature], seed: str, today: date, past: Past
) -> dict[Slot, Iterator[Goal]]:
    sources: dict[Slot, Iterator[Goal]] = {
        operation: goals(app, group, random.Random(f"{seed} {operation}"), today, past.used)
        for operation, group in by_operation(usable).items()
    }
    sources["composite"] = composites(app, usable, random.Random(f"{seed} composite"), today)
    return {slot: sources[slot] for slot in MIX if slot in sources}  # of slots that lag equally the first comes first


def make_draft(app: KnownApp, goal: Goal, index: int, seed: int) -> Draft | None:
    """Instruction, oracle and evaluator from one goal, before anything runs; None where no way is known."""
    oracle = script(app, goal)
    if oracle is None:
        return None
    features = [app.features[p.feature] for p in goal.parts]
    wording = random.Random(f"{seed} {goal.fingerprint}")
    return Draft(
        id=fingerprint([app.exploration.template_hash, seed, goal.fingerprint]),
        app=goal.app,
        index=index,
        goal=goal,
        instruction=compose(app, goal, wording),
        user=app.exploration.user,
        start_location=app.exploration.home,
        oracle=oracle,
        evaluator=expected(app, goal),
        consequence=_gravest(features),
        evidence=tuple(dict.fromkeys(e for f in features for e in f.evidence)),
        seed=seed,
    )


_GRAVITY: tuple[Consequence, ...] = (
    "none", "reversible", "settings", "message", "permission", "destructive", "payment",
)  # fmt: skip


def _gravest(features: Sequence[Feature]) -> Consequence:
    """The gravest class among the parts; what merely changes state is reversible."""
    classes: list[Consequence] = []
    for feature in features:
        plain: Consequence = "reversible" if feature.effects.changes_state else "none"
        named = feature.consequence if feature.consequence != "none" else consequence_of(feature.heading, feature.noun)
        classes.append(named if feature.effects.changes_state and named != "none" else plain)
    return max(classes, key=_GRAVITY.index)
