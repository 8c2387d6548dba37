"""Proof of a reset through the interface: type something that is shown, reset, and look whether it is gone."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pipeline.domain.action import Click, Fill
from pipeline.domain.consequences import ends_session, touches_credentials
from pipeline.domain.forms import FormReading, read_forms
from pipeline.domain.observation import Observation
from pipeline.domain.plausible import title
from pipeline.domain.routes import canonical
from pipeline.errors import EnvironmentFault
from pipeline.live.workbench import Workbench
from pipeline.stages.prepare import BROKEN_PAGES, own_links

_PLACES = 25
"""Pages that are searched for forms to change something with."""
_FORMS = 6
"""Forms that are tried until one shows what was typed."""


async def left_behind(bench: Workbench) -> str | None:
    """Submit forms until one shows what was typed; after a reset it must not be shown any more.

    Returns one sentence of what a reset left behind, None where nothing was.
    """
    user = next(iter(bench.profile.user_names), "")
    home = canonical(bench.profile.home)
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
    broken = 0
    queue, seen, found = [home], set[str](), dict[str, _Candidate]()
    while queue and len(seen) < _PLACES and len(found) < _FORMS:
        location = queue.pop(0)
        if location in seen:
            continue
        seen.add(location)
        try:
            shown = await bench.arrive(user, location)
        except EnvironmentFault:
            broken += 1
            if broken > BROKEN_PAGES:
                raise
            continue
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
