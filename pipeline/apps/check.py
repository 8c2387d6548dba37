"""Checking an app profile by using it: every finding names the key, and where it can the line, to look at.

The browser's part (signing in, and proving a reset through the interface) comes as callbacks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import partial
from pathlib import Path

from pipeline.apps.install import install
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner
from pipeline.apps.profile import AppProfile, Clock
from pipeline.apps.profile_file import line_of
from pipeline.apps.template import Template, Warm, make_template
from pipeline.domain.progress import Progress, Sink, nowhere
from pipeline.errors import EnvironmentFault, ProfileError, SessionFault
from pipeline.net.http import Client

Look = Callable[[AppInstance], Awaitable[str | None]]
"""Looks at a running instance through its interface: one sentence of what does not hold, else None."""

_CLOCK_SLACK = timedelta(minutes=10)
"""A pinned clock ticks on from its instant; a check takes less than this."""


@dataclass(frozen=True)
class Finding:
    """One thing about a profile that does not hold."""

    key: str
    """Dotted key of the profile to look at."""
    problem: str
    line: int | None = None
    """Line of the profile file, from 1."""

    def __str__(self) -> str:
        place = f"{self.key} (line {self.line})" if self.line else self.key
        return f"{place}: {self.problem}"


async def check(
    profile: AppProfile,
    root: Path,
    workdir: Path,
    warm: Warm,
    looks: Mapping[str, Look] | None = None,
    sink: Sink = nowhere,
) -> list[Finding]:
    """Install, make the template, start, sign in, reset twice, prove the clock, stop; an empty list means all held.

    Args:
        profile: what is checked.
        root: cache of environments and templates.
        workdir: an empty or new folder for the instance.
        warm: signs in every user, as for ``make_template``.
        looks: further proofs through the interface, in order, each under the key to look at where it fails.
        sink: progress.
    """
    found = _Findings(profile)
    async with AsyncExitStack() as stack:
        try:
            home = await install(profile, root, sink)
            found += [Finding("documents", f"there is no file {name!r}") for name in missing_documents(profile)]
            template = await make_template(profile, home, root, warm, sink)
            sink(Progress(phase="start", message=f"starting {profile.title or profile.name}"))
            owner = Owner.here(root)
            instance = AppInstance(template, profile, home, workdir, owner)
            await stack.enter_async_context(instance)
        except (EnvironmentFault, ProfileError) as error:
            found.add(error, "sign_in" if isinstance(error, SessionFault) else "start.command")
            return found.all
        await _prove(instance, template, warm, looks or {}, found, sink)
    return found.all


async def _prove(
    instance: AppInstance, template: Template, warm: Warm, looks: Mapping[str, Look], found: _Findings, sink: Sink
) -> None:
    """Every proof on the running instance of what the profile says, whatever the ones before came to."""
    profile = instance.profile

    async def looked(key: str, look: Look) -> list[Finding]:
        with instance.telling_its_log():
            problem = await look(instance)
        return [Finding(key, problem)] if problem else []

    proofs: dict[str, Callable[[], Awaitable[list[Finding]]]] = {}
    if profile.sign_in is not None:
        proofs["sign_in"] = partial(_signs_in, instance, template, warm)
    if profile.resettable:
        proofs["reset.mode"] = partial(_resets_twice, instance, template)
    if profile.resettable and profile.clock is not None:
        proofs["clock.env"] = partial(_clock_holds, instance, profile.clock)
    proofs |= {key: partial(looked, key, look) for key, look in looks.items()}
    for key, prove in proofs.items():
        sink(Progress(phase="start", message=f"proving {key} of {profile.title or profile.name}"))
        try:
            found += await prove()
        except EnvironmentFault as error:
            found.add(error, key)


def missing_documents(profile: AppProfile) -> list[str]:
    """Documents named as files that are not there."""
    names = [name for name in profile.documents if not name.startswith(("http://", "https://", "/"))]
    return [name for name in names if not (profile.files / name).is_file()]


class _Findings:
    """Collects findings and looks up their lines."""

    def __init__(self, profile: AppProfile) -> None:
        self._text = profile.text
        self.all: list[Finding] = []

    def __iadd__(self, more: list[Finding]) -> _Findings:
        self.all += [Finding(f.key, f.problem, line_of(self._text, f.key.split("."))) for f in more]
        return self

    def add(self, error: Exception, key: str) -> None:
        """A fault as a finding; its own key is better than the one of the step it happened in."""
        self += [Finding(getattr(error, "key", "") or key, str(error))]


async def _signs_in(instance: AppInstance, template: Template, warm: Warm) -> list[Finding]:
    with instance.telling_its_log():
        sessions = await warm(instance.base_url, template.passwords)
    missing = [user for user in instance.profile.user_names if user not in sessions]
    return [Finding("sign_in.users", f"{user!r} could not sign in") for user in missing]


async def _resets_twice(instance: AppInstance, template: Template) -> list[Finding]:
    seen = [(await instance.reset()).fingerprint for _ in range(2)]
    if len({template.snapshot.fingerprint, *seen}) > 1:
        return [Finding("state", "two resets did not give equal fingerprints")]
    return []


async def _clock_holds(instance: AppInstance, clock: Clock) -> list[Finding]:
    async with Client(instance.origins) as client:
        answer = await client.get(instance.base_url + clock.path)
    if clock.proof == "page":
        return (
            [] if clock.text in answer.text else [Finding("clock.text", f"{clock.path} does not show {clock.text!r}")]
        )
    return _header_shows(clock, answer.headers.get("date", ""))


def _header_shows(clock: Clock, header: str) -> list[Finding]:
    try:
        shown = parsedate_to_datetime(header)
    except ValueError:
        return [Finding("clock.proof", "the application sends no Date header; prove the clock by a page instead")]
    pinned = datetime.fromisoformat(clock.instant)
    if pinned - timedelta(seconds=2) <= shown <= pinned + _CLOCK_SLACK:
        return []
    return [Finding("clock.env", f"the Date header says {header!r} although the clock is pinned at {clock.instant}")]
