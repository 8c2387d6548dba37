"""Bring an application to the point where instances of it can run: installed, seeded, signed in, warmed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.apps.install import install
from pipeline.apps.processes import Owner, child_environment
from pipeline.apps.profile import AppProfile
from pipeline.apps.profile_file import load_profile
from pipeline.apps.server import password_advice
from pipeline.apps.template import Warm, make_template
from pipeline.apps.work_folders import sweep_home
from pipeline.config import RunConfig
from pipeline.domain.consequences import consequence_of, signs_out
from pipeline.domain.environment import SessionState, told
from pipeline.domain.observation import Observation
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.routes import RoutePatterns, canonical, runs_away
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.sign_in import sign_in
from pipeline.environments.web import WebEnvironment
from pipeline.errors import AppFault, EnvironmentFault, SessionFault
from pipeline.live.locations import absolute, without_origin
from pipeline.live.pool import PreparedApp, surroundings
from pipeline.live.workbench import offered

BROKEN_PAGES = 5
"""Places that may break while looking around, such as one that never answers."""
_WARM_PAGES = 24
"""Pages the first user visits while warming; the others visit a quarter of them."""


async def prepare_app(name_or_path: str, config: RunConfig, sink: Sink) -> PreparedApp:
    """Install, seed and warm an application; what is there already is reused.

    Raises:
        ProfileError: the profile cannot be used as written.
        AppFault: the application could not be installed, seeded or started.
        SessionFault: a user could not be signed in.
        BrowserFault: there is no browser to sign in with.
    """
    profile = load_profile(name_or_path)
    root = Path(config.home)
    sweep_home(root)
    home = await install(profile, root, sink)
    try:
        template = await make_template(profile, home, root, warmer(profile, Owner.here(root), sink), sink)
    except (AppFault, SessionFault) as fault:
        told = str(fault).removeprefix(f"{profile.name}: ").rstrip(".")
        # the very fault goes on, since a new one of its type may need more than a sentence
        fault.args = (f"{profile.name}: {told}. Find out more by: tasksieve apps check {name_or_path}",)
        raise
    return PreparedApp(profile, home, template)


def warmer(profile: AppProfile, owner: Owner, sink: Sink) -> Warm:
    """What signs in every user and looks around, for ``make_template``."""

    async def warm(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
        if not profile.user_names:
            return {}
        sink(Progress(phase="start", message=f"signing in to {profile.title or profile.name}"))
        return await _warm(profile, base_url, passwords, owner)

    return warm


async def _warm(
    profile: AppProfile, base_url: str, passwords: Mapping[str, str], owner: Owner
) -> dict[str, SessionState]:
    """Sign in every user and look around once, so that first visits leave no rows later."""
    sessions: dict[str, SessionState] = {}
    async with SharedBrowser(child_environment(owner)) as browser:
        around = surroundings(profile, base_url)
        environment = WebEnvironment(browser, around)
        # signing in is a write that was asked for, on applications that are only read as well
        door = WebEnvironment(browser, replace(around, read_only=False))
        try:
            for number, user in enumerate(profile.user_names):

                async def enter(user: str = user) -> SessionState:
                    return await _sign_in(profile, door, base_url, user, passwords[user])

                visitor = _Visitor(profile, environment, base_url, user, enter)
                sessions[user] = await visitor.look_around(_WARM_PAGES // (4 if number else 1))
        finally:
            await environment.close()
            await door.close()
    return sessions


async def _sign_in(
    profile: AppProfile, environment: WebEnvironment, base_url: str, user: str, password: str
) -> SessionState:
    form = profile.sign_in
    assert form is not None  # only profiles with users come here
    names = (form.username.name, form.password.name, form.submit.name)
    account = next(u for u in form.users if u.name == user)
    environment.traffic.server_faults.clear()
    try:
        seen = await sign_in(environment, base_url, form.path, *names, user, password)
        session = await environment.save_session(user)
        signed_in = form.signed_in.stands_in(seen, user)
        if not signed_in and await _is_a_stranger(profile, environment, base_url, session):
            reason = f"{canonical(profile.home)} offers neither the sign of it nor more than to a visitor"
            raise SessionFault(f"The user {user!r} was not accepted at {form.path}: {reason}.")
    except SessionFault as fault:
        if broke := told(environment.traffic.server_faults):
            raise AppFault(f"{fault} The application broke. {broke}", fault.key or "sign_in") from fault
        if fault.key:
            raise
        raise SessionFault(f"{str(fault).rstrip('.')}; {password_advice(account)}.", "sign_in") from fault
    return session


async def _is_a_stranger(
    profile: AppProfile, environment: WebEnvironment, base_url: str, session: SessionState
) -> bool:
    """Whether the start page lacks the sign, and offers nothing else to use than without the session."""
    home = absolute(profile.home, base_url)
    pages = [await environment.begin(held, home) for held in (session, None)]
    inside, outside = map(offered, pages)
    form = profile.sign_in
    assert form is not None  # only profiles with users come here
    return inside == outside and not form.signed_in.stands_in(pages[0], session.user)


@dataclass(frozen=True)
class _Visitor:
    """One user who looks around."""

    profile: AppProfile
    environment: WebEnvironment
    base_url: str
    user: str
    enter: Callable[[], Awaitable[SessionState]]
    """Signs in."""

    async def look_around(self, pages: int) -> SessionState:
        """Visit own links breadth first, one place of each route template; a broken one is passed by.

        Returns a session that holds: where a place ended it, whatever its link was called, a new one is begun.

        Raises:
            EnvironmentFault: the first place broke, or too many did.
        """
        session = await self.enter()
        broken = 0
        patterns = RoutePatterns()
        queue, seen = [canonical(self.profile.home)], set[str]()
        while queue and len(seen) < pages:
            location = queue.pop(0)
            template = patterns.template(location)
            if template in seen:
                continue
            seen.add(template)
            try:
                at = await self._at(session, location)
                if await self._is_out(session, at):
                    session = await self.enter()
                    continue
            except EnvironmentFault:
                broken += 1
                if len(seen) == 1 or broken > BROKEN_PAGES:
                    raise
                continue
            queue += own_links(at)
        return session

    async def _at(self, session: SessionState, location: str) -> Observation:
        raw = await self.environment.begin(session, absolute(location, self.base_url))
        return without_origin(raw, self.base_url)

    async def _is_out(self, session: SessionState, seen: Observation) -> bool:
        """Whether the session is over; a page without its sign is checked at the start place."""
        form = self.profile.sign_in
        assert form is not None  # only profiles with users come here
        if form.signed_in.stands_in(seen, self.user) or seen.location == canonical(self.profile.home):
            return False
        return not form.signed_in.stands_in(await self._at(session, self.profile.home), self.user)


def own_links(seen: Observation) -> list[str]:
    """Locations of links that neither sign out nor name a consequence."""
    return [
        canonical(e.leads_to)
        for e in seen.elements
        if e.leads_to.startswith("/")
        and not signs_out(e)
        and consequence_of(e.name, e.leads_to) == "none"
        and not runs_away(e.leads_to)
    ]
