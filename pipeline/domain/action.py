"""Primitive inputs of a person, as data. Adapters match on ``kind``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pipeline.domain.observation import Locator
from pipeline.domain.values import Value


class Click(Value):
    """Press the main button on an element."""

    kind: Literal["click"] = "click"
    target: Locator
    dialog: Literal["accept", "dismiss"] = "dismiss"
    """What is answered if the action raises a confirmation; recorded, so that a replay answers the same."""


class Fill(Value):
    """Replace the value of a text control, as by selecting all and typing."""

    kind: Literal["fill"] = "fill"
    target: Locator
    text: str


class Select(Value):
    """Choose the option with this exact label."""

    kind: Literal["select"] = "select"
    target: Locator
    option: str


class Check(Value):
    """Bring a checkbox or radio to a state; no input is sent when it has it already."""

    kind: Literal["check"] = "check"
    target: Locator
    on: bool = True


class Press(Value):
    """Press a key or chord such as ``Enter``; with a target it is focused first."""

    kind: Literal["press"] = "press"
    key: str
    target: Locator | None = None


class Open(Value):
    """Go to a location, as by typing it into the address bar."""

    kind: Literal["open"] = "open"
    location: str


class Back(Value):
    """Return to the place before."""

    kind: Literal["back"] = "back"


class Scroll(Value):
    """Scroll by whole steps of one tenth of the viewport."""

    kind: Literal["scroll"] = "scroll"
    steps: int
    target: Locator | None = None


class Answer(Value):
    """Give the answer to a question and finish."""

    kind: Literal["answer"] = "answer"
    text: str


Action = Annotated[Click | Fill | Select | Check | Press | Open | Back | Scroll | Answer, Field(discriminator="kind")]
