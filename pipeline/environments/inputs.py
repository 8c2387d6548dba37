"""Sending one input to one element. Owns the playwright calls; refuses to decide which element is meant.

Never ``force`` and never a script click: what a person could not do must fail here too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from playwright.async_api import ElementHandle, Locator, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from pipeline.domain.observation import Locator as Wanted
from pipeline.environments.faults import document_went, first_line

INPUT_MS = 1000
"""Time for an element to be where it can be acted on; the page was settled before."""
BULLETS = "•" * 8

Problem = Literal[
    "", "not-found", "ambiguous", "disabled", "covered", "refused-value", "unstable-value", "unknown-option",
    "off-limits", "no-control",
]  # fmt: skip

_DIAGNOSE = """(el) => {
  if (!el.isConnected) return { gone: true };
  const rect = el.getBoundingClientRect();
  const x = rect.x + rect.width / 2, y = rect.y + rect.height / 2;
  let top = document.elementFromPoint(x, y);
  for (let root = top && top.shadowRoot; root; root = top.shadowRoot) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === top) break;
    top = inner;
  }
  const inside = (a, b) => { for (let n = a; n; n = n.parentNode || n.host) if (n === b) return true; return false; };
  const describe = (node) => {
    const name = (node.getAttribute("aria-label") || node.innerText || "").replace(/\\s+/g, " ").trim().slice(0, 80);
    const role = node.getAttribute("role") || node.tagName.toLowerCase();
    return name ? `${role} "${name}"` : role + (node.id ? "#" + node.id : "");
  };
  const isLayer = (node) => node.matches("[role=dialog], [role=alertdialog], dialog") ||
    getComputedStyle(node).position === "fixed";
  const layer = (node) => {  // what lies above as a whole says more than the spot of it that was hit
    for (let n = node; n && n.nodeType === 1 && !inside(el, n); n = n.parentElement) if (isLayer(n)) return n;
    return node;
  };
  const covered = top && !inside(top, el) && !inside(el, top) ? describe(layer(top)) : "";
  return { gone: false, disabled: Boolean(el.disabled), size: rect.width * rect.height, covered };
}"""
_OFFERS = """(el, label) =>
  el.tagName === "SELECT" && [...el.options].some((o) => o.label === label && !o.disabled)"""
_HELD = """(el, wanted) => {
  const lines = (text) => String(text).replace(/\\r\\n/g, "\\n");
  if (el.type === "password") return { value: el.value ? "FILLED" : "", same: el.value === wanted };
  if (el.isContentEditable) return { value: lines(el.innerText), same: lines(el.innerText).trim() === wanted.trim() };
  if (el.tagName === "SELECT") {
    const chosen = [...el.selectedOptions].map((o) => o.label.trim()).join("\\n");
    return { value: chosen, same: chosen === wanted };
  }
  const value = el.value ?? el.innerText ?? "";
  return { value: lines(value), same: lines(value) === wanted };
}""".replace("FILLED", BULLETS)


@dataclass(frozen=True)
class Held:
    """What a control reads (None when it is gone), and whether that is what was typed."""

    value: str | None = None
    same: bool = False


@dataclass(frozen=True)
class Sent:
    """How sending went: ``problem`` empty when the input reached the page."""

    problem: Problem = ""
    detail: str = ""


def at(page: Page, ref: str) -> Locator:
    """The element behind a ref of the latest snapshot."""
    return page.locator(f"aria-ref={ref}")


def named(page: Page, wanted: Wanted) -> Locator | None:
    """What has the wanted role and exact name, where that alone says which one is meant; there may be none or many."""
    if not wanted.name or wanted.region or wanted.field or wanted.leads_to or wanted.frame:
        return None
    return page.get_by_role(wanted.role, name=wanted.name, exact=True)  # type: ignore[arg-type]  # our roles are ARIA's


async def the_only(page: Page, wanted: Wanted) -> Locator | None:
    """What is so named, where the page has just one."""
    found = named(page, wanted)
    return found if found is not None and await found.count() == 1 else None


async def click(target: Locator) -> Sent:
    """Press the main button in the middle of the element, once it can be reached; of several none is pressed."""
    try:
        # settling is done by our own rule; playwright's waiting for navigations would count against the timeout
        await target.click(timeout=INPUT_MS, no_wait_after=True)
    except PlaywrightError as error:
        if "strict mode violation" in error.message:
            return Sent("ambiguous", first_line(error))
        return await _failure(target, error)
    return Sent()


async def fill(target: Locator, text: str) -> Sent:
    """Replace a text control's value."""
    try:
        await target.fill(text, timeout=INPUT_MS)
    except PlaywrightError as error:
        if "Malformed value" in error.message or "Cannot type text into" in error.message:
            return Sent("refused-value", first_line(error))
        if "not an <input>" in error.message or "cannot be filled" in error.message:
            return Sent("no-control", first_line(error))
        return await _failure(target, error)
    return Sent()


async def select(target: Locator, label: str) -> Sent:
    """Choose a native option by its exact label."""
    try:
        await target.select_option(label=label, timeout=INPUT_MS)
    except PlaywrightTimeout as error:
        failure = await _failure(target, error)
        return failure if failure.problem != "not-found" else Sent("unknown-option", f"no option {label!r}")
    except PlaywrightError as error:
        return await _failure(target, error)
    return Sent()


async def check(target: Locator, on: bool) -> Sent:
    """Bring a checkbox or radio to a state."""
    try:
        await target.set_checked(on, timeout=INPUT_MS)
    except PlaywrightError as error:
        if "did not change its state" in error.message or "Cannot uncheck radio" in error.message:
            return Sent("refused-value", first_line(error))
        if "Not a checkbox" in error.message:
            return Sent("no-control", first_line(error))
        return await _failure(target, error)
    return Sent()


async def press(page: Page, target: Locator | None, key: str) -> Sent:
    """Press a key or chord, on the element where one is given."""
    try:
        if target is None:
            await page.keyboard.press(key)
        else:
            await target.press(key, timeout=INPUT_MS, no_wait_after=True)
    except PlaywrightError as error:
        if "Unknown key" in error.message:
            return Sent("no-control", first_line(error))
        if target is None:
            raise
        return await _failure(target, error)
    return Sent()


async def held(target: Locator, text: str = "") -> Held:
    """What a control reads now and whether that is the text, both of one moment.

    Line ends are LF; a password never leaves the page: of a filled one come bullets.
    """
    handle = await _handle(target)
    if handle is None:
        return Held()
    return Held(**await handle.evaluate(_HELD, text.replace("\r\n", "\n")))


async def is_on(target: Locator) -> bool | None:
    """Whether a box or a switch is on; None when it is gone."""
    handle = await _handle(target)
    return None if handle is None else await handle.is_checked()


async def offers(target: Locator, label: str) -> bool:
    """Whether an element is the browser's own list, and has an option of this label that can be chosen."""
    handle = await _handle(target)
    return handle is not None and bool(await handle.evaluate(_OFFERS, label))


async def _handle(target: Locator) -> ElementHandle | None:
    """The element without waiting for it."""
    try:
        handles = await target.element_handles()
    except PlaywrightError as error:
        if document_went(error) or "Invalid frame" in error.message:
            return None
        raise
    return handles[0] if handles else None


def _was_sent(error: PlaywrightError) -> bool:
    """From playwright's log: the last attempt got as far as the input, and nothing lay above the element."""
    last = error.message.rfind("performing ")
    return last >= 0 and "intercepts pointer events" not in error.message[last:]


async def _failure(target: Locator, error: PlaywrightError) -> Sent:
    """Why an element could not be acted on; an input that made its document go, or keeps it busy, was sent."""
    if document_went(error) or _was_sent(error):
        return Sent()
    handle = await _handle(target)
    if handle is None:
        return Sent("not-found", "the element is no longer there")
    found = await handle.evaluate(_DIAGNOSE)
    if found["gone"]:
        return Sent("not-found", "the element is no longer there")
    if found["covered"]:
        return Sent("covered", found["covered"])
    if found["disabled"] or "not enabled" in error.message:
        return Sent("disabled", "")
    if not found["size"] or "not visible" in error.message:
        return Sent("not-found", "the element is not visible")
    if not isinstance(error, PlaywrightTimeout):
        raise error
    return Sent("covered", "the element never stood still" if "not stable" in error.message else first_line(error))
