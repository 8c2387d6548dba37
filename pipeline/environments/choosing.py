"""Choosing an option: in a native list, in an input with suggestions, or in a list that a script draws on demand."""

from __future__ import annotations

import time
from dataclasses import dataclass

from pipeline.domain.observation import Element, Observation
from pipeline.environments import inputs
from pipeline.environments.inputs import Sent
from pipeline.environments.observing import look
from pipeline.environments.session import BrowserSession

LIST_SECONDS = 1.5
"""How long a drawn list may take to appear after its control was opened."""


@dataclass(frozen=True)
class Chosen:
    """How choosing went, and what the control shows afterwards."""

    sent: Sent
    read_back: str | None = None


async def choose(session: BrowserSession, element: Element, label: str) -> Chosen:
    """Choose the option with exactly this label.

    Raises:
        BrowserFault: the browser failed or did not answer in time.
    """
    options = element.control.options if element.control else ()
    if not options:
        return await _choose_drawn(session, element, label)
    offered = [o for o in options if o.label == label]
    if not offered:
        return Chosen(Sent("unknown-option", f"no option {label!r}"))
    if offered[0].disabled:
        return Chosen(Sent("disabled", f"option {label!r}"))
    target = inputs.at(session.page, element.ref)
    if element.control is not None and element.control.kind == "combobox":
        sent = await inputs.fill(target, offered[0].value)
    else:
        sent = await inputs.select(target, label)
    return Chosen(sent, (await inputs.held(target)).value)


async def _choose_drawn(session: BrowserSession, element: Element, label: str) -> Chosen:
    """Open the control, wait for its list, click the option, and see that the control shows it."""
    if element.role not in ("combobox", "listbox", "button"):
        return Chosen(Sent("no-control", "it offers no options"))
    target = inputs.at(session.page, element.ref)
    opened = await inputs.click(target)
    if opened.problem:
        return Chosen(opened)
    await session.settle(fresh=True)
    option = await _drawn_option(session, label)
    if option is None:
        return Chosen(Sent("unknown-option", f"no option {label!r} appeared"))
    picked = await inputs.click(inputs.at(session.page, option.ref))
    if picked.problem:
        return Chosen(picked)
    await session.settle(fresh=True)
    shown = (await inputs.held(target)).value
    if shown is not None and label not in shown:
        return Chosen(Sent("refused-value", f"the control shows {shown!r}"), shown)
    return Chosen(picked, shown)


async def _drawn_option(session: BrowserSession, label: str) -> Element | None:
    """The one option of this name, looked for until it is there or the time is over."""
    end = time.monotonic() + LIST_SECONDS
    while True:
        found = _options(await look(session), label)
        if len(found) == 1 or time.monotonic() > end:
            return found[0] if len(found) == 1 else None


def _options(seen: Observation, label: str) -> list[Element]:
    return [e for e in seen.elements if e.role in ("option", "menuitem", "menuitemradio") and e.name == label and e.ref]
