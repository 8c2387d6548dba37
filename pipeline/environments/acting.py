"""From an action to inputs: finds the one element that is meant, sends, settles, reads back, reports what happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never
from urllib.parse import urljoin

from playwright.async_api import Locator as PlaywrightLocator
from playwright.async_api import Page

from pipeline.domain.action import Action, Answer, Back, Check, Click, Fill, Open, Press, Scroll, Select
from pipeline.domain.locators import resolve
from pipeline.domain.observation import Element, Locator, Observation
from pipeline.domain.step import ActionOutcome, Event
from pipeline.environments import inputs
from pipeline.environments.choosing import choose
from pipeline.environments.faults import CALL_SECONDS, NAVIGATION_SECONDS, within
from pipeline.environments.inputs import Sent
from pipeline.environments.landing import unhurried
from pipeline.environments.moving import after_refusal, go, go_back, scroll
from pipeline.environments.observing import look
from pipeline.environments.session import BrowserSession
from pipeline.environments.settle import QUIET_MS, STEADY_MS
from pipeline.errors import BrowserFault

_SUBMIT_ROLES = frozenset({"button", "link", "menuitem"})
_Aimed = Click | Fill | Select | Check
"""What may be done to an element that was found on the page itself."""
_VALUE_PROBLEMS = frozenset({"refused-value"})


@dataclass
class _Doing:
    """One action under way: what it is sent to and how that went."""

    element: Element | None = None
    spot: PlaywrightLocator | None = None
    """Where to act, when it was found on the page itself."""
    sent: Sent = field(default_factory=Sent)
    read_back: str | None = None
    unstable: str = ""
    idle: bool = False
    """No input was needed."""


@dataclass(frozen=True)
class _Filled:
    """A value that was put in the present document, and where, if its control was found on the page itself."""

    action: Fill
    spot: PlaywrightLocator | None


class Actor:
    """Acts in one session. Remembers the latest observation and the values it has filled in the present document."""

    def __init__(self, session: BrowserSession) -> None:
        self._session = session
        self._seen = Observation(location="")
        self._page: Page | None = None
        """The page that the latest observation shows."""
        self._filled: list[_Filled] = []
        self._stale = False
        """The page may have changed as a whole since it was looked at."""

    def begin(self, seen: Observation) -> Observation:
        """Take the first observation of a run."""
        self._seen, self._filled, self._stale = seen, [], False
        self._page = self._session.page
        return seen

    async def observe(self) -> Observation:
        """Wait until settled and look; the result is the one that targets are resolved in."""
        self._seen = await unhurried(self._session, await look(self._session))
        self._page, self._stale = self._session.page, False
        return self._seen

    async def glimpse(self, wanted: Sequence[Locator]) -> Observation:
        """As ``observe``, of a page in which nothing is looked for: an action that comes after looks for itself."""
        seen = await unhurried(self._session, await look(self._session, wanted))
        self._page, self._stale = self._session.page, True
        return seen

    async def act(self, action: Action, hurried: bool = False) -> ActionOutcome:
        """Do one action and wait until the page is settled again; ``hurried``, another page need only have loaded.

        Raises:
            BrowserFault: the browser broke or did not answer in time.
            AppFault: the application stopped answering.
        """
        happenings = self._session.happenings
        happenings.start_step(
            action.dialog if isinstance(action, Click) else "dismiss", isinstance(action, Open | Back)
        )
        await self._close_stray_tabs()
        page, url, blocked = self._session.page, self._session.page.url, happenings.blocked
        committed = happenings.navigations.committed(page)
        spot = await self._spot(action)
        found = Element(ref="", role=action.target.role) if spot and isinstance(action, _Aimed) else self._find(action)
        if isinstance(found, ActionOutcome):
            return found
        doing = _Doing(element=found, spot=spot)
        async with within(2 * NAVIGATION_SECONDS + CALL_SECONDS, f"doing {action.kind}"):
            await self._send(action, doing, happenings.navigations.documents(page) if hurried else None)
            await happenings.drain()
        await after_refusal(self._session, page, blocked)
        self._moved_on(action, page, committed)
        if self._session.page.url != url:
            happenings.note(Event(kind="navigation", text=self._session.page.url[:500]))
        return self._without_secrets(_outcome(doing, happenings.take()))

    def _without_secrets(self, outcome: ActionOutcome) -> ActionOutcome:
        clean = self._session.redactor.clean
        events = tuple(e.model_copy(update={"text": clean(e.text)}) for e in outcome.events)
        read_back = outcome.read_back and clean(outcome.read_back)
        return outcome.model_copy(update={"events": events, "detail": clean(outcome.detail), "read_back": read_back})

    def _moved_on(self, action: Action, page: Page, committed: int) -> None:
        """Remember that what was seen may be gone, and values that were filled in a document that is."""
        if isinstance(action, Click | Press | Open | Back):
            self._page, self._stale = self._session.page, True
            if self._page is not page or self._session.happenings.navigations.committed(page) != committed:
                self._filled = []

    async def _spot(self, action: Action) -> PlaywrightLocator | None:
        """On a page that was not looked at since it came, the place of an action whose role and name say all.

        Anything else needs a look first.
        """
        if not self._stale or getattr(action, "target", None) is None:
            return None
        if isinstance(action, Click) and (spot := inputs.named(self._session.page, action.target)) is not None:
            return spot  # to press it is to find out whether there is just one
        async with within(CALL_SECONDS, f"finding what to {action.kind}"):
            spot = await inputs.the_only(self._session.page, action.target) if isinstance(action, _Aimed) else None
            if spot is not None and isinstance(action, Select) and not await inputs.offers(spot, action.option):
                spot = None
        if spot is None:
            await self.observe()
        return spot

    async def _close_stray_tabs(self) -> None:
        """Tabs that opened by themselves since the last look belong to no action; they would only be in its way."""
        pages = self._session.happenings.pages
        if self._page not in pages:
            return
        for stray in pages[pages.index(self._page) + 1 :]:
            async with within(CALL_SECONDS, "closing a tab that nobody asked for"):
                await stray.close()

    def _find(self, action: Action) -> Element | ActionOutcome | None:
        """The element an action is for, None where it needs none, or the outcome of not finding it."""
        target = getattr(action, "target", None)
        if not isinstance(target, Locator):
            return None
        found = resolve(target, self._seen)
        if not found:
            return ActionOutcome(dispatched=False, problem="not-found", detail=_described(target))
        if len(found) > 1:
            return ActionOutcome(dispatched=False, problem="ambiguous", detail=f"{len(found)} x {_described(target)}")
        element = found[0]
        if "disabled" in element.states:
            return ActionOutcome(dispatched=False, problem="disabled", detail=_described(target), box=element.box)
        if not element.ref:
            detail = f"{_described(target)} cannot be acted on"
            return ActionOutcome(dispatched=False, problem="not-found", detail=detail, box=element.box)
        return element

    async def _send(self, action: Action, doing: _Doing, since: int | None) -> None:
        match action:
            case Click():
                await self._click(action, doing)
            case Press():
                await self._press(action, doing)
            case Fill():  # in a hurry its value is read back at once, and again before it is sent
                await self._fill(action, doing, QUIET_MS if since is None else 0)
            case Select():
                await self._select(action, doing)
            case Check():
                await self._check(action, doing)
            case Open():
                doing.sent = await self._open(action)
            case Back():
                doing.sent = await go_back(self._session)
            case Scroll():
                await scroll(self._session, action.steps, doing.element.box if doing.element else None)
            case Answer():
                doing.idle = True
            case _:
                assert_never(action)
        if not doing.sent.problem and not doing.idle and not isinstance(action, Fill):
            await self._session.settle(fresh=True, since=since)

    async def _click(self, action: Click, doing: _Doing) -> None:
        submits = _needed(doing).role in _SUBMIT_ROLES
        if not await self._still_filled(doing, submits):
            return
        doing.sent = await inputs.click(self._place(doing))
        unsure = doing.sent.problem in ("not-found", "ambiguous")
        if unsure and await self._found_anew(action, doing) and await self._still_filled(doing, submits):
            doing.sent = await inputs.click(self._place(doing))

    def _place(self, doing: _Doing) -> PlaywrightLocator:
        """Where to act."""
        return doing.spot or inputs.at(self._session.page, _needed(doing).ref)

    async def _press(self, action: Press, doing: _Doing) -> None:
        if await self._still_filled(doing, submits=action.key == "Enter"):
            page = self._session.page
            target = inputs.at(page, doing.element.ref) if doing.element else None
            doing.sent = await inputs.press(page, target, action.key)

    async def _open(self, action: Open) -> Sent:
        location = urljoin(self._session.page.url, action.location)
        if not self._session.origins.allows(location):
            return Sent("off-limits", f"{action.location} is outside the allowed origins")
        return await go(self._session, location)

    async def _fill(self, action: Fill, doing: _Doing, quiet: int = QUIET_MS) -> None:
        """Fill, settle, read back; once more where the page undid it or put another control in its place."""
        held = False
        for first in (True, False):
            target = self._place(doing)
            doing.sent = await inputs.fill(target, action.text)
            if doing.sent.problem == "not-found" and first and await self._found_anew(action, doing):
                continue
            if doing.sent.problem:
                return
            held = held or (await inputs.held(target, action.text)).same
            await self._session.settle(fresh=True, quiet=quiet)
            now = await inputs.held(target, action.text)
            doing.read_back = now.value
            if now.same:
                others = [f for f in self._filled if f.action.target != action.target]
                self._filled = [*others, _Filled(action, doing.spot)]
                return
            if now.value is None and first:
                await self._found_anew(action, doing)
        if held:
            doing.unstable = "the page put another value in its place"
        else:
            doing.sent = Sent("refused-value", f"the control reads {doing.read_back!r}")

    async def _found_anew(self, action: Action, doing: _Doing) -> bool:
        """Look for what is acted on where the page may have replaced it."""
        await self.observe()
        found = self._find(action)
        if isinstance(found, ActionOutcome):
            doing.sent = Sent(found.problem, found.detail)
        if not isinstance(found, Element):
            return False
        doing.element, doing.spot = found, None
        return True

    async def _select(self, action: Select, doing: _Doing) -> None:
        if doing.spot is not None:
            doing.sent = await inputs.select(doing.spot, action.option)
            doing.read_back = (await inputs.held(doing.spot)).value
            return
        chosen = await choose(self._session, _needed(doing), action.option)
        doing.sent, doing.read_back = chosen.sent, chosen.read_back

    async def _check(self, action: Check, doing: _Doing) -> None:
        on = await inputs.is_on(doing.spot) if doing.spot else "checked" in _needed(doing).states
        if on == action.on:
            doing.idle = True
        else:
            doing.sent = await inputs.check(self._place(doing), action.on)

    async def _still_filled(self, doing: _Doing, submits: bool) -> bool:
        """Right before something that may submit: are the values still there? Filled once more where they are not."""
        if not submits or not self._filled:
            return True
        wanted, self._filled = self._filled, []
        for filled in wanted:
            found = resolve(filled.action.target, self._seen) if filled.spot is None else ()
            if filled.spot is None and len(found) != 1:
                continue  # another page, or a form that was folded away: not what is being submitted
            place = filled.spot or inputs.at(self._session.page, found[0].ref)
            now = await inputs.held(place, filled.action.text)
            if now.same:
                self._filled.append(filled)
            elif filled.spot and now.value is None and len(resolve(filled.action.target, await self.observe())) != 1:
                continue  # likewise
            elif not await self._fill_again(filled.action, doing):
                return False
        return True

    async def _fill_again(self, action: Fill, doing: _Doing) -> bool:
        """The page replaced the control or its value after it was filled: look again and fill once more."""
        meant = doing.element
        self._seen = await look(self._session)
        found = resolve(action.target, self._seen)
        again = _Doing(element=found[0]) if len(found) == 1 else None
        if again is not None:
            await self._fill(action, again, STEADY_MS)
        if again is None or again.sent.problem or again.unstable:
            doing.unstable = f"{_described(action.target)} lost its value"
            return False
        if meant is not None:
            same = [
                e for e in self._seen.elements if (e.role, e.name, e.region) == (meant.role, meant.name, meant.region)
            ]
            doing.element = same[0] if len(same) == 1 else meant
        return True


def _needed(doing: _Doing) -> Element:
    if doing.element is None:
        raise BrowserFault("An action that needs a target came without one.")
    return doing.element


def _outcome(doing: _Doing, events: tuple[Event, ...]) -> ActionOutcome:
    box = doing.element.box if doing.element else None
    sent = doing.sent
    if sent.problem == "covered":
        events = (*events, Event(kind="overlay", text=sent.detail, answer="not acted through"))
    return ActionOutcome(
        dispatched=not doing.idle and not doing.unstable and sent.problem in ("", *_VALUE_PROBLEMS),
        problem="unstable-value" if doing.unstable else sent.problem,
        detail=doing.unstable or sent.detail or ("already so" if doing.idle else ""),
        events=events,
        box=box,
        read_back=doing.read_back,
    )


def _described(target: Locator) -> str:
    region = " in ".join(f'{p.role} "{p.name}"' for p in reversed(target.region))
    return f'{target.role} "{target.name}"' + (f" in {region}" if region else "")
