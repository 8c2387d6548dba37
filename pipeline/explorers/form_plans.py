"""Which trials a form deserves: what to fill together, with which button, on which two entities' pages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipeline.domain.action import Click
from pipeline.domain.consequences import consequence_of, ends_session, switches_sign_in, touches_credentials
from pipeline.domain.exploration import Page
from pipeline.domain.feature import Parameter
from pipeline.domain.forms import FormReading, RowPick
from pipeline.domain.plausible import telling_options
from pipeline.domain.routes import SLOT
from pipeline.domain.uigraph import KEY, located, slotted
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Site, Trial

PER_FORM = 9
"""Trials of one form, the most promising first."""
PER_CHOICE = 5
"""Things to do with a picked row that are tried."""
_IDLE_BUTTON = re.compile(
    r"\b(cancel|abort|preview|review|back|close|reset|help|abbrechen|vorschau|annuler|cancelar)\b|取消|预览|返回",
    re.IGNORECASE,
)
_MAIN_BUTTON = re.compile(
    r"\b(save|submit|create|add|apply|update|ok|post|send|confirm|delete|remove)\b", re.IGNORECASE
)
_NAMING = re.compile(r"\b(name|title|summary|subject|label|headline)\b", re.IGNORECASE)
_TYPED = ("text", "multiline", "search", "email", "url", "number", "date", "datetime", "time")


def trials(known: Knowledge, limit: int) -> Iterator[Trial]:
    """Trials not done yet: what earlier ones called for, then the best of every form, then the second best."""
    ready = [t for t in known.follow_ups if t.key not in known.done]
    yield from ready
    plans = [list(plan) for plan in _plans(known)]
    given = len(ready)
    for rank in range(max((len(p) for p in plans), default=0)):
        for plan in plans:
            if rank < len(plan) and plan[rank].key not in known.done:
                yield plan[rank]
                given += 1
                if given >= limit:
                    return


def _plans(known: Knowledge) -> Iterator[list[Trial]]:
    """One list of trials for each distinct form, on the page that shows most of it."""
    best: dict[tuple[str, ...], tuple[Page, FormReading]] = {}
    for page in known.plain_looks():
        for reading in known.readings[page.id]:
            if not _may_be_tried(page, reading):
                continue
            target = known.patterns.template(reading.form.target or page.location)
            identity: tuple[str, ...] = (target, reading.form.method, _buttons(reading))
            old = best.get(identity)
            if old is not None and _other_sheet(page, reading, *old):
                identity = (*identity, page.id)
                old = None
            if old is None or _richness(known, page, reading) > _richness(known, *old):
                best[identity] = (page, reading)
    for page, reading in best.values():
        yield _trials_of(known, page, reading)[:PER_FORM]


def _other_sheet(page: Page, reading: FormReading, other: Page, known_reading: FormReading) -> bool:
    """Whether two looks at one page show different parts of a form, as tabs do."""
    same_page = page.id.partition("§")[0] == other.id.partition("§")[0]
    keys, known_keys = {p.key for p in reading.parameters}, {p.key for p in known_reading.parameters}
    return same_page and not keys <= known_keys and not known_keys <= keys


def _richness(known: Knowledge, page: Page, reading: FormReading) -> tuple[bool, int]:
    """A form that a page shows once can be told apart there; then the one with the most values."""
    alone = sum(r.key == reading.key for r in known.readings[page.id]) == 1
    return alone, len(reading.parameters) + len(reading.picks)


def _buttons(reading: FormReading) -> str:
    return ",".join(sorted(re.sub(r"\d+", "#", s.name) for s in reading.submits))


def _may_be_tried(page: Page, reading: FormReading) -> bool:
    if not reading.form.target.startswith("/") and reading.form.target:
        return False
    if ends_session(reading.form.target, *(s.name for s in reading.submits)):
        return False
    seen, form = page.observation, reading.form.index
    if reading.needs_file or touches_credentials(seen, form) or switches_sign_in(seen, form):
        return False
    nothing_to_give = not reading.parameters and not reading.picks
    return not (reading.form.method == "get" and nothing_to_give)


def _trials_of(known: Knowledge, page: Page, reading: FormReading) -> list[Trial]:
    route = known.route(page)
    sites = _sites(known, page, route, reading.key)
    prelude = _prelude(known, page)
    ranked: list[tuple[int, Trial]] = []
    if _other_values(route) or (reading.form.method == "get" and SLOT in route):
        return []
    for submit in sorted(reading.submits, key=lambda s: not _MAIN_BUTTON.search(s.name)):
        if _IDLE_BUTTON.search(submit.name) or not any(c.isalnum() for c in submit.name):
            continue
        base = Trial(
            form=reading.key,
            leads_to=_told_apart_by(known, page, reading),
            route=route,
            prelude=prelude,
            submit=submit.name,
            sites=sites,
            sensitive=consequence_of(submit.name) != "none",
        )
        main = bool(_MAIN_BUTTON.search(submit.name))
        picked = [t for pick in reading.picks for t in _picked(base, pick, reading)]
        ranked += [(0 if main and base.sensitive else 2 if t.pinned else 3, t) for t in picked]
        if not submit.enabled or (reading.picks and base.sensitive):
            continue
        if base.sensitive or not reading.parameters:
            ranked.append((1, base))
        groups = _groups(reading, SLOT in route)
        ranked += [(2, base.model_copy(update={"parameters": group})) for group in groups]
    return [t for _, t in sorted(ranked, key=lambda r: r[0])]


def _told_apart_by(known: Knowledge, page: Page, reading: FormReading) -> str:
    """Where a form leads whose page has others like it, if that tells it from them; empty for any other form.

    Forms of a list's rows are about things, and so may be those without values: they are not told apart here.
    """
    others = [r for r in known.readings[page.id] if r.key == reading.key and r is not reading]
    members = [e for e in page.observation.elements if e.control and e.control.form == reading.form.index]
    listed = any(part.role in ("row", "listitem", "article") for e in members for part in e.region)
    if not others or listed or not reading.parameters:
        return ""
    place, *places = (known.patterns.template(r.form.target or page.location) for r in (reading, *others))
    return "" if place in places else reading.leads_to(page.location)


def _other_values(route: str) -> bool:
    """A slot in the query: the form is about something that nobody would call by a name."""
    return SLOT in route.partition("?")[2]


def _picked(base: Trial, pick: RowPick, reading: FormReading) -> list[Trial]:
    """Checkboxes in rows: one entity is picked and the button pressed, with each choice of what to do and plainly."""
    rows = [name for name, _ in pick.targets]
    if pick.kind != "checkbox" or len(rows) < 2:
        return []
    location = base.sites[0].location
    sites = tuple(Site(location=location, row=name, names=(name,)) for name in rows[:2])
    plain = base.model_copy(update={"sites": sites, "pick_field": pick.field})
    choices = [(p.key, o) for p in reading.parameters if p.kind in ("select", "radio") for o in telling_options(p)]
    return [*(plain.model_copy(update={"pinned": (choice,)}) for choice in choices[:PER_CHOICE]), plain]


def _groups(reading: FormReading, on_entity: bool) -> list[tuple[str, ...]]:
    """Sets of parameters that are filled together.

    A search or a filter takes one at a time, and so does a form that is filled already: what each value does is then
    plain. A form for something new takes its name, what is required and empty, and up to two of the rest at a time.
    """
    usable = [p for p in reading.parameters if p.kind != "checkbox" or reading.form.method == "post"]
    if not usable:
        return []
    filled = sum(bool(p.default) for p in usable if p.kind in _TYPED)
    typed = [p for p in usable if p.kind in _TYPED]
    lacking = [p for p in typed if p.required and not p.default]
    filled_already = (on_entity or (typed and 2 * filled >= len(typed))) and not lacking
    if reading.form.method == "get" or filled_already or not typed:
        ordered = sorted(usable, key=_promise)
        return [(p.key,) for p in ordered]
    empty = [p for p in typed if not p.default] or typed
    naming = next((p for p in empty if _NAMING.search(f"{p.label} {p.key}")), empty[0])
    must = [p.key for p in usable if p.required and p is not naming and not (p.kind in _TYPED and p.default)]
    boxes = {p.key for p in usable if p.kind == "checkbox"}
    rest = [p.key for p in sorted(usable, key=_promise) if p is not naming and p.key not in {*must, *boxes}]
    core = (naming.key, *must)
    return [core, *(core + tuple(rest[i : i + 2]) for i in range(0, len(rest), 2))]


def _promise(parameter: Parameter) -> tuple[int, str]:
    """Choices and short texts before long texts before boxes."""
    order = {"select": 0, "radio": 1, "text": 1, "search": 0, "multiline": 2, "checkbox": 3}
    return order.get(parameter.kind, 2), ""


def _sites(known: Knowledge, page: Page, route: str, form: str) -> tuple[Site, ...]:
    """This page and the same place of another entity: one seen to have the form, else one that was visited or linked,
    else one of an entity that is known by its other places."""
    base = page.id.partition("§")[0]
    location = known.pages[base].location if base in known.pages else page.location
    key = known.patterns.variable(location)
    if SLOT not in route or key is None:
        return (Site(location=location),)
    headings = (*(h.name for h in page.observation.headings()[:3]), page.observation.title)
    own = Site(location=location, key=key, names=(*_names(known, key), *headings))
    places = {other: k for other, k in _same_place(known, route, form).items() if k != key}
    slotted_location = slotted(location, key, route)
    if not places and KEY in slotted_location:
        keys = [*_same_place(known, _path_of(route), form).values(), *_keys_below(known, route)]
        places = {located(slotted_location, k, known.links): k for k in keys if k != key}
    return (own, *[Site(location=at, key=k, names=_names(known, k)) for at, k in places.items()][:1])


def _same_place(known: Knowledge, route: str, form: str) -> dict[str, str]:
    """Locations of a route template with the key of their entity: pages that have the form, other pages, links."""
    pages = sorted(known.by_route().get(route, ()), key=lambda p: all(r.key != form for r in known.readings[p.id]))
    linked = [at for at in known.links if known.patterns.template(at) == route]
    found = dict.fromkeys([*(p.location for p in pages), *linked])
    return {at: key for at in found if (key := known.patterns.variable(at)) is not None}


def _keys_below(known: Knowledge, route: str) -> list[str]:
    """Keys of entities that have another place: ``/clubs/{}/edit`` for ``/clubs/{}/delete``, ``/clubs/edit/{}`` too."""
    begin = _to_slot(route)
    near: list[str] = []
    far: list[str] = []
    for at in known.links:
        other, key = _to_slot(known.patterns.template(at)), known.patterns.variable(at)
        if key is not None and begin and other[:-1] == begin[:-1]:
            (near if other == begin else far).append(key)
    return near + far


def _to_slot(route: str) -> tuple[str, ...]:
    """What identifies the kind of thing: segments before the last slot, the nearest one last; empty without a slot."""
    segments = _path_of(route).split("/")
    if SLOT not in segments:
        return ()
    before = segments[: len(segments) - 1 - segments[::-1].index(SLOT)]
    return ("/".join(before[:-1]), before[-1]) if before else ()


def _path_of(route: str) -> str:
    return route.partition("?")[0]


def _names(known: Knowledge, key: str) -> tuple[str, ...]:
    """Texts of links to any place of the entity."""
    return tuple(dict.fromkeys(n for location in known.showing.get(key, ()) for n in known.names_of(location)))


def _prelude(known: Knowledge, page: Page) -> tuple[Click, ...]:
    """Clicks that lead from the plain page to this one."""
    if "§" not in page.id:
        return ()
    for transition in known.transitions.values():
        if transition.target == page.id and isinstance(transition.action, Click):
            return (transition.action,)
    return ()
