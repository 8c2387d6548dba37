"""Steps, events and trajectories: what was done and what was seen to happen."""

from __future__ import annotations

from typing import Literal

from pipeline.domain.action import Action
from pipeline.domain.observation import Box, Observation
from pipeline.domain.values import Value

EventKind = Literal["dialog", "new-tab", "tab-closed", "download", "overlay", "crash", "blocked-request", "navigation"]


class Event(Value):
    """Something that happened beside the action's own effect."""

    kind: EventKind
    text: str = ""
    """Dialog text, file name, location of the new tab, or the covering element."""
    answer: str = ""
    """What was answered or done about it."""


class ActionOutcome(Value):
    """What the adapter knows right after an action; whether the goal is reached is never its business."""

    dispatched: bool
    """The input reached the application."""
    problem: Literal[
        "",
        "not-found",
        "ambiguous",
        "disabled",
        "covered",
        "refused-value",
        "unstable-value",
        "unknown-option",
        "off-limits",
        "no-control",
    ] = ""
    detail: str = ""
    events: tuple[Event, ...] = ()
    box: Box | None = None
    """Where the acted element was, for marking it on a picture."""
    read_back: str | None = None
    """Value of the control after the action, where it has one."""


class Step(Value):
    """Observation before, action, what was seen to happen, observation after."""

    index: int
    action: Action
    outcome: ActionOutcome
    before: Observation
    after: Observation
    effect: bool
    """Whether anything a person can see differs afterwards."""
    picture_before: str = ""
    """Content address of a picture, empty where none was taken."""
    picture_after: str = ""


class Trajectory(Value):
    """Steps from one reset."""

    steps: tuple[Step, ...] = ()
    answer: str | None = None

    @property
    def broken_at(self) -> int | None:
        """Index of the first step whose action could not be dispatched or whose value was refused."""
        return next((s.index for s in self.steps if s.outcome.problem), None)
