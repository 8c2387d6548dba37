"""Check an app profile by using it, the interface included: change something, reset, and look whether it is gone."""

from __future__ import annotations

import random

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
"""Pages that are searched for a form to change something with."""


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
            found = await _form_with_a_name(bench, user, canonical(profile.home))
            if found is None:
                return None
            location, reading = found
            mark = title(random.Random(profile.name))
            places = {location, await _submit(bench, user, location, reading, mark)}
            await bench.fresh(user, profile.home)
            for place in sorted(places):
                if mark in _shown(await bench.arrive(user, place)):
                    return f"what was typed at {location} is still shown at {place} after a reset"
            return None
        finally:
            await environment.close()


async def _form_with_a_name(bench: Workbench, user: str, home: str) -> tuple[str, FormReading] | None:
    """The first form, breadth first, that sends a typed text and neither signs out nor asks for a secret."""
    queue, seen = [home], set[str]()
    while queue and len(seen) < _PLACES:
        location = queue.pop(0)
        if location in seen:
            continue
        seen.add(location)
        shown = await bench.arrive(user, location)
        for reading in read_forms(shown):
            typed = any(p.kind in ("text", "multiline") for p in reading.parameters)
            ends = ends_session(reading.form.target, *(s.name for s in reading.submits))
            secret = touches_credentials(shown, reading.form.index)
            if typed and reading.form.method == "post" and not ends and not secret:
                return location, reading
        queue += own_links(shown)
    return None


async def _submit(bench: Workbench, user: str, location: str, reading: FormReading, mark: str) -> str:
    """Fill every empty text with the mark and submit; returns where that ended."""
    await bench.fresh(user, location)
    texts = [p for p in reading.parameters if p.kind in ("text", "multiline") and (p.required or not p.default)]
    await bench.perform([Fill(target=p.target, text=mark) for p in texts[:4]])
    step = await bench.do(Click(target=reading.submits[-1].target, dialog="accept"))
    return canonical(step.after.location)


def _shown(seen: Observation) -> str:
    return "\n".join([seen.title, seen.text, *(e.value or "" for e in seen.elements)])
