"""Check an app profile by using it, the interface included: change something, reset, and look whether it is gone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pipeline.apps.check import Finding, check
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner, child_environment, sweep
from pipeline.apps.profile import AppProfile
from pipeline.apps.profile_file import load_profile
from pipeline.config import RunConfig
from pipeline.domain.action import Click, Fill
from pipeline.domain.consequences import ends_session, touches_credentials
from pipeline.domain.forms import FormReading, read_forms
from pipeline.domain.observation import Observation
from pipeline.domain.plausible import title
from pipeline.domain.progress import Sink
from pipeline.domain.routes import canonical
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.web import WebEnvironment
from pipeline.live.pool import surroundings
from pipeline.live.workbench import Workbench
from pipeline.stages.opening import work_directory
from pipeline.stages.prepare import own_links, warmer

_PLACES = 25
"""Pages that are searched for forms to change something with."""
_FORMS = 6
"""Forms that are tried until one shows what was typed."""


async def check_app(config: RunConfig, name_or_path: str, sink: Sink) -> list[Finding]:
    """Everything about the profile that does not hold; empty when all does.

    Raises:
        ProfileError: the profile cannot be read at all.
    """
    profile = load_profile(name_or_path)
    sweep(config.home)
    owner = Owner.here(config.home)

    async def change_and_look(instance: AppInstance) -> str | None:
        return await _change_and_look(profile, instance, owner)

    proof = change_and_look if profile.disposable and profile.resettable else None
    return await check(profile, config.home, work_directory(config, owner), warmer(profile, owner, sink), proof, sink)


async def _change_and_look(profile: AppProfile, instance: AppInstance, owner: Owner) -> str | None:
    """One sentence of what a reset left behind, None where nothing was."""
    user = next(iter(profile.user_names), "")
    sessions = {u: s for u in profile.user_names if (s := instance.session(u)) is not None}
    async with SharedBrowser(child_environment(owner)) as browser:
        environment = WebEnvironment(browser, surroundings(profile, instance.base_url))
        bench = Workbench(profile, instance, environment, sessions)
        try:
            return await _left_behind(bench, user, canonical(profile.home))
        finally:
            await environment.close()


async def _left_behind(bench: Workbench, user: str, home: str) -> str | None:
    """Submit forms until one shows what was typed; after a reset it must not be shown any more."""
    mark = title(random.Random(bench.profile.name))
    for tries, candidate in enumerate(await _forms_with_a_text(bench, user, home)):
        shown_at = await _submit(bench, user, candidate, mark)
        await bench.fresh(user, home)
        for place in shown_at:
            if mark in _shown(await bench.arrive(user, place)):
                return f"what was typed at {candidate.location} is still shown at {place} after a reset"
        if shown_at or tries == _FORMS - 1:
            return None
    return None


@dataclass(frozen=True)
class _Candidate:
    """A form and where it stands."""

    location: str
    reading: FormReading


async def _forms_with_a_text(bench: Workbench, user: str, home: str) -> list[_Candidate]:
    """Forms, breadth first, that send a typed text and neither sign out nor ask for a secret; one of each kind."""
    await bench.fresh(user, home)
    queue, seen, found = [home], set[str](), dict[str, _Candidate]()
    while queue and len(seen) < _PLACES and len(found) < _FORMS:
        location = queue.pop(0)
        if location in seen:
            continue
        seen.add(location)
        shown = await bench.arrive(user, location)
        for reading in read_forms(shown):
            if _sends_a_text(shown, reading):
                found.setdefault(reading.key, _Candidate(location, reading))
        queue += own_links(shown)
    return list(found.values())


def _sends_a_text(shown: Observation, reading: FormReading) -> bool:
    typed = any(p.kind in ("text", "multiline") for p in reading.parameters)
    ends = ends_session(reading.form.target, *(s.name for s in reading.submits))
    return typed and reading.form.method == "post" and not ends and not touches_credentials(shown, reading.form.index)


async def _submit(bench: Workbench, user: str, candidate: _Candidate, mark: str) -> list[str]:
    """Fill texts with the mark and submit; returns the places that show it afterwards."""
    reading = candidate.reading
    await bench.fresh(user, candidate.location)
    texts = [p for p in reading.parameters if p.kind in ("text", "multiline")]
    empty = [p for p in texts if p.required or not p.default] or texts
    await bench.perform([Fill(target=p.target, text=mark) for p in empty[:4]])
    step = await bench.do(Click(target=reading.submits[-1].target, dialog="accept"))
    places = dict.fromkeys([canonical(step.after.location), candidate.location])
    return [place for place in places if mark in _shown(await bench.arrive(user, place))]


def _shown(seen: Observation) -> str:
    return "\n".join([seen.title, seen.text, *(e.value or "" for e in seen.elements)])
