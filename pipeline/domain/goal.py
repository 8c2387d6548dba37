"""The structured meaning behind an instruction. Instruction, oracle and evaluator are all made from it."""

from __future__ import annotations

import re
from typing import Literal

from pipeline.domain.feature import Operation
from pipeline.domain.values import Cell, Value, fingerprint

_DEEPER = re.compile(r"^[-–—·>│└├\s]++(?![\d.,])(?=\S)")

Shape = Literal["single", "composite", "query"]


class Entity(Value):
    """One thing of the start state: where it lives and what a person calls it."""

    noun: str
    table: str
    key_column: str
    key: Cell
    name: str


class Choice(Value):
    """A value bound to a parameter; for choices ``shown`` is the label and ``value`` what is stored."""

    parameter: str
    label: str
    value: str
    shown: str
    typed: str = ""
    """Of a box: ``on`` or ``off``."""

    @property
    def spoken(self) -> str:
        """What a person says: the label without the marks that lists draw before what lies deeper.

        Before a digit such a mark may be a minus.
        """
        return _DEEPER.sub("", self.shown) or self.shown


class GoalPart(Value):
    """One feature with its entity and values."""

    feature: str
    operation: Operation
    entity: Entity | None = None
    choices: tuple[Choice, ...] = ()
    destination: str = ""
    """Of navigation and sorting: the location, without origin."""


class Goal(Value):
    """One or more parts; two goals are equal when their meaning is, whatever the wording."""

    app: str
    shape: Shape
    parts: tuple[GoalPart, ...]

    @property
    def fingerprint(self) -> str:
        """Equal for equal goals."""
        parts = [
            {
                "feature": p.feature,
                "entity": [p.entity.table, p.entity.key] if p.entity else None,
                "choices": sorted([c.parameter, c.value] for c in p.choices),
                "destination": p.destination,
            }
            for p in self.parts
        ]
        return fingerprint([self.app, parts])

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Operation of each part."""
        return tuple(p.operation for p in self.parts)
