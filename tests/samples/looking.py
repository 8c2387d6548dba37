"""Short forms of what tests of environments do all the time."""

from __future__ import annotations

from pipeline.domain.action import Action, Click, Fill
from pipeline.domain.environment import Environment
from pipeline.domain.locators import record
from pipeline.domain.observation import Element, Locator, Observation
from pipeline.domain.step import ActionOutcome


def only(seen: Observation, role: str, name: str) -> Element:
    """The one element with this role and name."""
    found = seen.named(role, name)
    assert len(found) == 1, f"{len(found)} x {role} {name!r} among {[(e.role, e.name) for e in seen.elements]}"
    return found[0]


def at(seen: Observation, role: str, name: str) -> Locator:
    """A recorded locator of the one element."""
    locator = record(only(seen, role, name), seen)
    assert locator is not None
    return locator


async def do(web: Environment, action: Action, seen: Observation) -> tuple[ActionOutcome, Observation]:
    """Act and look, as the workbench does."""
    outcome = await web.act(action, seen)
    return outcome, await web.observe()


async def click(web: Environment, seen: Observation, role: str, name: str) -> tuple[ActionOutcome, Observation]:
    """Click the one element with this role and name."""
    return await do(web, Click(target=at(seen, role, name)), seen)


async def fill(web: Environment, seen: Observation, name: str, text: str) -> tuple[ActionOutcome, Observation]:
    """Fill the one textbox of this name."""
    return await do(web, Fill(target=at(seen, "textbox", name), text=text), seen)
