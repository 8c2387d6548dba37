"""The one place where runs happen: reset, sign in, observe, act, probe, diff, collect facts.

Joins one app instance and one environment. Everything it returns holds locations without origin. A step that could
not be done is data; whatever broke around it is an ``EnvironmentFault``.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pipeline.apps.instance import AppInstance
from pipeline.apps.profile import AppProfile
from pipeline.domain.action import Action, Answer
from pipeline.domain.environment import Environment, ServerFault, SessionState
from pipeline.domain.evaluator import AnswerIs, CellRef, Evaluator, Facts, ProbeShows
from pipeline.domain.locators import resolve
from pipeline.domain.observation import Box, Locator, Observation
from pipeline.domain.redact import Redactor
from pipeline.domain.state import StateDiff, StateSnapshot, diff
from pipeline.domain.statekey import ACTING_ROLES, spelling
from pipeline.domain.step import ActionOutcome, Step, Trajectory
from pipeline.domain.values import Cell, canonical_json
from pipeline.errors import AppFault, SessionFault
from pipeline.live.locations import absolute, told_without_origin, with_origin, without_origin

PictureSink = Callable[[bytes], Awaitable[str]]
"""Keeps a picture and returns its content address."""


Looking = Literal["whole", "glimpse", "none"]
"""How much of the screen is read: all, its place and words and whether somebody is signed in, or nothing."""


@dataclass(frozen=True)
class RunRecord:
    """One run from one reset."""

    trajectory: Trajectory
    facts: Facts
    start: StateSnapshot
    seconds: float
    server_faults: tuple[ServerFault, ...] = ()
    """What the server answered with an error of its own, wherever in the run."""

    @property
    def diff(self) -> StateDiff:
        """All changes; empty where there is no state source."""
        return self.facts.diff or StateDiff()


@dataclass
class Spent:
    """Seconds by kind of work, for the report."""

    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, since: float) -> float:
        """Book the time since ``since`` (monotonic seconds) and return now."""
        now = time.monotonic()
        self.seconds[what] = self.seconds.get(what, 0.0) + now - since
        return now


class Workbench:
    """One worker's place: an instance of its own, seen through an environment of its own."""

    def __init__(
        self,
        profile: AppProfile,
        instance: AppInstance,
        environment: Environment,
        sessions: dict[str, SessionState],
        keep_picture: PictureSink | None = None,
        redactor: Redactor | None = None,
    ) -> None:
        """``sessions`` are the signed-in states that live in the template, by user."""
        self._redactor = redactor or Redactor()
        self.profile = profile
        self.instance = instance
        self.environment = environment
        self.sessions = sessions
        self.keep_picture = keep_picture
        self.start = StateSnapshot()
        self.spent = Spent()
        self.sign_outs = 0
        self._seen: Observation | None = None
        self._user = ""

    @property
    def base_url(self) -> str:
        """Origin of the instance."""
        return self.instance.base_url

    async def fresh(self, user: str, location: str) -> Observation:
        """Reset everything and stand at a location, signed in.

        Raises:
            AppFault: the reset was not true.
            SessionFault: the session of the template is not accepted.
        """
        since = time.monotonic()
        self.start = await self.instance.reset()
        since = self.spent.add("reset", since)
        self.environment.traffic.server_faults.clear()
        seen = await self.arrive(user, location)
        self.spent.add("begin", since)
        return seen

    async def arrive(self, user: str, location: str) -> Observation:
        """A new session at a location, the application's state left as it is."""
        self._user = user
        raw = await self.environment.begin(self.sessions.get(user), absolute(location, self.base_url))
        self._seen = without_origin(raw, self.base_url)
        self._refuse_server_fault(self._seen)
        return self._seen

    async def look(self) -> Observation:
        """Observe again."""
        self._seen = without_origin(await self.environment.observe(), self.base_url)
        return self._seen

    async def glimpse(self) -> Observation:
        """See no more than the place, its words and whether somebody is signed in."""
        sign_in = self.profile.sign_in
        sign = sign_in.signed_in.element if sign_in else None
        raw = await self.environment.glimpse(*([sign] if sign else ()))
        self._seen = without_origin(raw, self.base_url)
        return self._seen

    async def do(self, action: Action, index: int = 0, pictures: bool = False, look: Looking = "whole") -> Step:
        """One action: what was seen before, what happened, what is seen after.

        Without a look the screen is not observed afterwards: enough where the next control is on it already.
        """
        before = self._seen or await self.look()
        since = time.monotonic()
        if isinstance(action, Answer):
            outcome = ActionOutcome(dispatched=True)
            return Step(index=index, action=action, outcome=outcome, before=before, after=before, effect=True)
        told = await self.environment.act(with_origin(action, self.base_url), before, hurried=look == "none")
        outcome = told_without_origin(told, self.base_url)
        since = self.spent.add("act", since)
        before_picture = await self._picture(outcome.box) if pictures and outcome.problem else ""
        after = before if look == "none" else await (self.look() if look == "whole" else self.glimpse())
        self.spent.add("observe", since)
        self._refuse_server_fault(after)
        after_picture = await self._picture(None) if pictures else ""
        return Step(
            index=index,
            action=action,
            outcome=outcome,
            before=before,
            after=after,
            effect=look != "whole" or _differs(before, after),
            picture_before=before_picture,
            picture_after=after_picture,
        )

    async def perform(
        self, actions: Sequence[Action], pictures: bool = False, watched: bool = True, end: Looking = "whole"
    ) -> Trajectory:
        """Do actions in order; ends at the first that cannot be done.

        Unwatched, the screen is observed only where something has to be found on it, and at the ``end``: half the work,
        but whether a step had an effect is then not known.
        """
        steps: list[Step] = []
        answer: str | None = None
        for index, action in enumerate(actions):
            marked = await self._picture_of(action) if pictures else ""
            last = index == len(actions) - 1
            step = await self.do(action, index, pictures, "whole" if watched else end if last else "none")
            if step.outcome.problem and not watched and steps:
                self._refuse_server_fault(await self.look())  # an input before may have changed what is there
                step = await self.do(action, index, pictures)
            if marked:
                step = step.model_copy(update={"picture_before": marked})
            steps.append(step)
            if isinstance(action, Answer):
                answer = action.text
            if step.outcome.problem:
                break
        return Trajectory(steps=tuple(steps), answer=answer)

    async def run(
        self,
        actions: Sequence[Action],
        user: str,
        location: str,
        evaluator: Evaluator,
        pictures: bool = False,
        watched: bool = True,
    ) -> RunRecord:
        """A whole run: fresh start, actions, facts for the evaluator."""
        began = time.monotonic()
        await self.fresh(user, location)
        trajectory = await self.perform(actions, pictures, watched, needed_at_the_end(evaluator))
        facts = await self.facts(evaluator, trajectory.answer)
        return RunRecord(trajectory, facts, self.start, time.monotonic() - began, self._server_faults())

    async def state(self) -> StateSnapshot:
        """The application's data now."""
        since = time.monotonic()
        snapshot = await self.instance.snapshot()
        self.spent.add("snapshot", since)
        return snapshot

    def changes(self, before: StateSnapshot, after: StateSnapshot) -> StateDiff:
        """What differs, without known secrets."""
        return self._redactor.clean_diff(diff(before, after))

    async def facts(self, evaluator: Evaluator, answer: str | None) -> Facts:
        """Everything the evaluator needs, read independently of what is on screen.

        Raises:
            SessionFault: the user is no longer signed in.
        """
        final = self._seen
        await self.require_signed_in()
        now = await self.state() if self.profile.observable else None
        since = time.monotonic()
        probes = {}
        for location in sorted({c.location for c in evaluator.conditions if isinstance(c, ProbeShows)}):
            seen = await self.environment.glance(self.sessions.get(self._user), absolute(location, self.base_url))
            unknown = seen.status == 429 or (seen.status or 0) >= 500
            probes[location] = None if unknown else without_origin(seen, self.base_url)
        if probes:
            self.spent.add("probe", since)
        cells = {
            canonical_json(c.cell): self._start_cell(c.cell) for c in evaluator.conditions if isinstance(c, AnswerIs)
        }
        changed = self.changes(self.start, now) if now is not None else None
        return Facts(diff=changed, final=final, probes=probes, answer=answer, start_cells=cells)

    def _start_cell(self, ref: CellRef) -> Cell:
        return self.start.cell(ref.table, ref.key, ref.column)

    async def require_signed_in(self) -> None:
        """Look whether the session still holds; a screen without the sign of it is checked at the start page.

        A place without the sign is that of a signed-in user all the same when it lacks what a stranger is offered
        there: the sign is a word, and a person may have chosen another language. Where the start page is broken, as it
        may be by what was done, the place where the run stands is asked instead.

        Raises:
            SessionFault: it does not; counted as a sign-out.
            AppFault: neither place could be shown, so that nobody knows.
        """
        if not self._user or (self._seen is not None and self.shows_sign(self._seen)):
            return
        here = self._seen.location if self._seen is not None else ""
        for place, too_broken in ((self.profile.home, 500), (here, 400)):
            location = absolute(place, self.base_url)
            seen = await self.environment.glance(self.sessions.get(self._user), location)
            self._refuse_server_fault(without_origin(seen, self.base_url))
            if (seen.status or 0) >= too_broken:
                continue
            if not self.shows_sign(seen) and offered(await self.environment.glance(None, location)) <= offered(seen):
                self.sign_outs += 1
                raise SessionFault(f"{self.profile.name}: {self._user} is no longer signed in.")
            return
        raise AppFault(f"{self.profile.name} is broken at {self.profile.home}; nobody knows who is signed in.")

    def shows_sign(self, seen: Observation) -> bool:
        """Whether the screen shows what only a signed-in user sees."""
        sign_in = self.profile.sign_in
        return sign_in is None or sign_in.signed_in.stands_in(seen, self._user)

    def _server_faults(self) -> tuple[ServerFault, ...]:
        """Those since the reset, without known secrets."""
        clean = self._redactor.clean
        return tuple(f.model_copy(update={"path": clean(f.path)}) for f in self.environment.traffic.server_faults)

    def _refuse_server_fault(self, seen: Observation) -> None:
        """A page that says the server is overloaded or gone is the environment's doing, not the task's."""
        if seen.status in (429, 502, 503, 504):
            raise AppFault(f"{self.profile.name} answered with status {seen.status} at {seen.location}.")

    async def _picture(self, mark: Box | None) -> str:
        if self.keep_picture is None:
            return ""
        return await self.keep_picture(await self.environment.picture(mark))

    async def _picture_of(self, action: Action) -> str:
        target: Locator | None = getattr(action, "target", None)
        found = resolve(target, self._seen) if target and self._seen else ()
        return await self._picture(found[0].box if len(found) == 1 else None)


def needed_at_the_end(evaluator: Evaluator) -> Looking:
    """How much of the last screen an evaluator needs."""
    return "whole" if evaluator.reads_screen else "glimpse"


def offered(seen: Observation) -> frozenset[str]:
    """What a person could use on a screen, by role and name without numbers."""
    return frozenset(spelling(e) for e in seen.elements if e.role == "link" or e.role in ACTING_ROLES)


def _differs(before: Observation, after: Observation) -> bool:
    """Whether a person could tell the two apart."""
    if (before.location, before.title) != (after.location, after.title):
        return True
    return [(e.role, e.name, e.value, e.states) for e in before.elements] != [
        (e.role, e.name, e.value, e.states) for e in after.elements
    ]
