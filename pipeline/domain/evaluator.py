"""The success test that ships with a task: data, and the pure function that applies it to collected facts.

A condition is true, false or unknown. One false condition fails the run; otherwise one unknown makes it unscored;
only all true passes. An evaluator without a positive condition can never pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, assert_never

from pydantic import Field

from pipeline.domain.compare import Comparator, equal, url_parts
from pipeline.domain.observation import Observation
from pipeline.domain.rowmatch import match_rows
from pipeline.domain.rowtests import RowCondition
from pipeline.domain.state import RowMask, StateDiff, masked
from pipeline.domain.values import Cell, Value, canonical_json, shortened, squeezed

Truth = Literal["true", "false", "unknown"]
Outcome = Literal["passed", "failed", "infeasible", "unscored"]


class NothingElse(Value):
    """Every change that no row condition claims is covered by a mask."""

    kind: Literal["nothing-else"] = "nothing-else"
    masks: tuple[RowMask, ...] = ()
    """What may change by itself: a change counts as covered where one mask covers it, or several by their columns."""


class LocationIs(Value):
    """The run ended at this place: path equal, named query parts equal, other query parts ignored."""

    kind: Literal["location"] = "location"
    path: str
    """Equal to the final address's path, percent-decoded and without a slash at its end; a fragment that begins with
    ``#/`` or ``#!`` belongs to it, any other fragment and the origin do not count."""
    query: dict[str, str] = Field(default_factory=dict)
    """Query parts that the final address has to have, decoded, each with this value and no other; white space is
    folded. Further query parts, with any values, are allowed."""


class Shown(Value):
    """The final screen shows exactly one or more elements of this role whose text equals the value."""

    kind: Literal["shown"] = "shown"
    role: str
    """ARIA role, or ``text`` for plain text."""
    text: str
    """What the accessible name of one such element equals under the comparator."""
    comparator: Comparator = "label"


class ProbeShows(Value):
    """Seen in a fresh session at a location: an element of this role and name has the value (or, if None, exists)."""

    kind: Literal["probe"] = "probe"
    location: str
    """Address to open, without origin."""
    role: str
    """ARIA role of the element."""
    name: str
    """Accessible name of the element."""
    value: str | None = None
    """What its value equals under the comparator; null asks only whether it is there."""
    present: bool = True
    """False asks that no such element is there, or none with this value."""
    comparator: Comparator = "text"


class CellRef(Value):
    """One cell of the start state."""

    table: str
    """Table of the state."""
    key: dict[str, Cell]
    """Cells that the row has; exactly one row of the start state does."""
    column: str
    """Column of that row."""


class AnswerIs(Value):
    """The answer given equals a cell of the start state."""

    kind: Literal["answer"] = "answer"
    cell: CellRef
    """Where the right answer stood right after the reset."""
    comparator: Comparator = "label"


Condition = Annotated[
    RowCondition | NothingElse | LocationIs | Shown | ProbeShows | AnswerIs, Field(discriminator="kind")
]


class Evaluator(Value):
    """A conjunction of conditions."""

    conditions: tuple[Condition, ...]
    """All have to hold. Each changed row is claimed by one ``row`` condition at most, required ones first."""

    @property
    def positive(self) -> bool:
        """Whether anything has to become true, rather than merely stay."""
        return any(c.kind != "nothing-else" and not (c.kind == "row" and not c.required) for c in self.conditions)

    @property
    def masks(self) -> tuple[RowMask, ...]:
        """What may change beside what the conditions ask for."""
        return tuple(m for c in self.conditions if isinstance(c, NothingElse) for m in c.masks)

    def excusing(self, masks: Sequence[RowMask]) -> Evaluator:
        """The same with these masks, for what changes without being the task's doing."""
        excused = [
            c.model_copy(update={"masks": (*c.masks, *(m for m in masks if m not in c.masks))})
            if isinstance(c, NothingElse)
            else c
            for c in self.conditions
        ]
        return Evaluator(conditions=tuple(excused))

    @property
    def reads_screen(self) -> bool:
        """Whether it counts what the last screen shows, beyond where that is."""
        return any(isinstance(c, Shown) for c in self.conditions)

    @property
    def changes_state(self) -> bool:
        """Whether a row has to change."""
        return any(c.kind == "row" and c.required for c in self.conditions)


@dataclass(frozen=True)
class Facts:
    """What live/ collected after a run. None means that it could not be collected."""

    diff: StateDiff | None = None
    final: Observation | None = None
    probes: dict[str, Observation | None] = field(default_factory=dict)
    """By location."""
    answer: str | None = None
    start_cells: dict[str, Cell] = field(default_factory=dict)
    """By canonical JSON of the CellRef."""


class Finding(Value):
    """What one condition came to."""

    condition: int
    truth: Truth
    expected: str
    found: str


class Evaluation(Value):
    """Outcome of one evaluation with the finding of every condition."""

    outcome: Outcome
    findings: tuple[Finding, ...]

    @property
    def fraction(self) -> float:
        """Share of conditions that are true, 0 to 1."""
        true = sum(f.truth == "true" for f in self.findings)
        return true / len(self.findings) if self.findings else 0.0


def evaluate(evaluator: Evaluator, facts: Facts) -> Evaluation:
    """Apply every condition to the facts."""
    rows = [(i, c) for i, c in enumerate(evaluator.conditions) if isinstance(c, RowCondition)]
    matched = match_rows([c for _, c in rows], facts.diff.changes) if facts.diff is not None else None
    claimed = set(matched.claimed) if matched else set()
    found = {i: matched.row_for(n) if matched else None for n, (i, _) in enumerate(rows)}
    findings: list[Finding] = []
    for i, condition in enumerate(evaluator.conditions):
        match condition:
            case RowCondition():
                findings.append(_row(i, condition, facts, found[i]))
            case NothingElse():
                findings.append(_nothing_else(i, condition, facts, claimed))
            case LocationIs():
                findings.append(_location(i, condition, facts))
            case Shown():
                findings.append(_shown(i, condition, facts))
            case ProbeShows():
                findings.append(_probe(i, condition, facts))
            case AnswerIs():
                findings.append(_answer(i, condition, facts))
            case _:
                assert_never(condition)
    return Evaluation(outcome=_outcome(evaluator, findings), findings=tuple(findings))


def _outcome(evaluator: Evaluator, findings: list[Finding]) -> Outcome:
    truths = {f.truth for f in findings}
    if "false" in truths or not evaluator.positive:
        return "failed"
    return "unscored" if "unknown" in truths else "passed"


def _truth(value: bool) -> Truth:
    return "true" if value else "false"


def _row(i: int, condition: RowCondition, facts: Facts, change: int | None) -> Finding:
    if facts.diff is None:
        return Finding(condition=i, truth="unknown", expected=condition.in_words(), found="state could not be read")
    if change is not None:
        return Finding(condition=i, truth="true", expected=condition.in_words(), found=f"change {change}")
    near = "; ".join(condition.miss(c) for c in facts.diff.changes if c.table == condition.table)
    truth: Truth = "false" if condition.required else "true"
    return Finding(
        condition=i, truth=truth, expected=condition.in_words(), found=shortened(near, 600) or "no such change"
    )


def _nothing_else(i: int, condition: NothingElse, facts: Facts, claimed: set[int]) -> Finding:
    if facts.diff is None:
        return Finding(condition=i, truth="unknown", expected="nothing else changed", found="state could not be read")
    extra = [
        f"{c.table} {c.change} {c.key}"
        for n, c in enumerate(facts.diff.changes)
        if n not in claimed and not masked(c, condition.masks)
    ]
    found = shortened("; ".join(extra), 600) or "nothing else"
    return Finding(condition=i, truth=_truth(not extra), expected="nothing else changed", found=found)


def _location(i: int, condition: LocationIs, facts: Facts) -> Finding:
    wanted = f"at {condition.path} with {condition.query}" if condition.query else f"at {condition.path}"
    if facts.final is None:
        return Finding(condition=i, truth="unknown", expected=wanted, found="no final observation")
    _, path, query = url_parts(facts.final.location)
    have = dict(sorted(query))
    good = path == condition.path and all(_queried(query, k) == {squeezed(v)} for k, v in condition.query.items())
    return Finding(condition=i, truth=_truth(good), expected=wanted, found=f"at {path} with {have}")


def _queried(query: frozenset[tuple[str, str]], name: str) -> set[str]:
    """All values under a name: one that came twice is another place than one that came once."""
    return {squeezed(v) for n, v in query if n == name}


def _shown(i: int, condition: Shown, facts: Facts) -> Finding:
    wanted = f"{condition.role} {condition.text!r} on screen"
    if facts.final is None:
        return Finding(condition=i, truth="unknown", expected=wanted, found="no final observation")
    names = [e.name for e in facts.final.elements if e.role == condition.role]
    good = any(equal(condition.comparator, condition.text, n) for n in names)
    return Finding(condition=i, truth=_truth(good), expected=wanted, found=shortened(", ".join(names), 300) or "none")


def _probe(i: int, condition: ProbeShows, facts: Facts) -> Finding:
    wanted = f"{condition.role} {condition.name!r} at {condition.location} " + (
        f"shows {condition.value!r}" if condition.present else "does not show it"
    )
    seen = facts.probes.get(condition.location)
    if seen is None:
        return Finding(condition=i, truth="unknown", expected=wanted, found="could not look there")
    there = seen.named(condition.role, condition.name)
    shows = (
        bool(there)
        if condition.value is None
        else any(equal(condition.comparator, condition.value, e.value) for e in there)
    )
    found = shortened(", ".join(str(e.value) for e in there), 300) or "not there"
    return Finding(condition=i, truth=_truth(shows == condition.present), expected=wanted, found=found)


def _answer(i: int, condition: AnswerIs, facts: Facts) -> Finding:
    expected = facts.start_cells.get(canonical_json(condition.cell))
    if expected is None:
        return Finding(condition=i, truth="unknown", expected="the start state's value", found="could not be read")
    given = facts.answer
    good = given is not None and equal(condition.comparator, expected, given)
    return Finding(condition=i, truth=_truth(good), expected=squeezed(str(expected)), found=shortened(str(given), 300))
