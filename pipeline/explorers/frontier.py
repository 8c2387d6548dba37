"""What to do next: pure, deterministic, and bounded for each route template and family of locations."""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.domain import locators
from pipeline.domain.action import Click
from pipeline.domain.consequences import consequence_of, signs_out
from pipeline.domain.exploration import Page
from pipeline.domain.forms import FormReading
from pipeline.domain.observation import Element
from pipeline.domain.routes import SLOT, canonical
from pipeline.explorers.form_plans import trials
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Poke, Unit, Visit

PER_TEMPLATE = 3
"""Visits to one route template with a slot: enough to see what varies and to learn on two different entities."""
PER_FAMILY = 8
"""Visits to locations that differ only in query values."""
POKES_PER_PAGE = 10
VISIT_SHARE = 0.4
"""Share of the budget after which forms come first."""


def next_wave(known: Knowledge, size: int, budget: int, disposable: bool) -> list[Unit]:
    """The next units; empty when nothing is left to do."""
    looking: list[Unit] = []
    looking += _visits(known, size)
    looking += _pokes(known, size)
    submitting: list[Unit] = list(trials(known, size)) if disposable else []
    if known.actions > VISIT_SHARE * budget and submitting:
        return submitting[:size]
    return looking[:size] or submitting[:size]


def _visits(known: Knowledge, size: int) -> list[Visit]:
    """Unvisited links: new route templates first, then shallow ones, then in the order of discovery."""
    templates, families = known.visits()
    if f"visit {known.home}" not in known.done:
        return [Visit(location=known.home, twice=True)]
    ranked: list[tuple[int, int, int, str]] = []
    for order, (target, links) in enumerate(known.links.items()):
        template = known.patterns.template(target)
        slots = SLOT in template
        if f"visit {target}" in known.done or target in known.pages:
            continue
        if (
            templates[template] >= (PER_TEMPLATE if slots else 1)
            or families[known.patterns.family(target)] >= PER_FAMILY
        ):
            continue
        ranked.append((templates[template], links[0].depth, order, target))
    chosen: list[Visit] = []
    for seen, depth, _, target in sorted(ranked):
        template, family = known.patterns.template(target), known.patterns.family(target)
        if templates[template] >= (PER_TEMPLATE if SLOT in template else 1) or families[family] >= PER_FAMILY:
            continue
        templates[template] += 1
        families[family] += 1
        words = [link.element.name for link in known.links[target]]
        plain = consequence_of(*words, target) == "none"
        chosen.append(Visit(location=target, depth=depth + 1, twice=seen == 0, trusted=plain))
        if len(chosen) == size:
            break
    return chosen


def _pokes(known: Knowledge, size: int) -> list[Poke]:
    """Toggles, tabs, buttons outside forms and forms without values, on the first page of each route template."""
    found: list[Poke] = []
    for pages in known.by_route().values():
        for page in pages[:1]:
            for unit in pokes_on(page, known.readings[page.id]):
                if unit.key not in known.done:
                    found.append(unit)
                if len(found) >= size:
                    return found
    return found


def pokes_on(page: Page, readings: Sequence[FormReading]) -> list[Poke]:
    """At most ten clicks worth trying on a page; what ends the session is left alone."""
    seen = page.observation
    plain_forms = {r.form.index for r in readings if not r.parameters and not r.picks and r.form.method == "get"}
    ranked: list[tuple[int, int, Click]] = []
    for order, element in enumerate(seen.elements):
        rank = _poke_rank(element, page, plain_forms)
        if rank is None or signs_out(element) or "disabled" in element.states:
            continue
        target = locators.record(element, seen)
        if target is not None:
            ranked.append((rank, order, Click(target=target)))
    chosen = sorted(ranked, key=lambda r: (r[0], r[1]))[:POKES_PER_PAGE]
    return [Poke(page=page.id, location=page.location, click=click) for _, _, click in chosen]


def _poke_rank(element: Element, page: Page, plain_forms: set[int]) -> int | None:
    """0 for what surely toggles or leads on, 2 for bare anchors, None for what is no candidate."""
    if element.role == "button":
        control = element.control
        if control is None or control.form is None:
            return 0
        return 0 if control.form in plain_forms else None
    if element.states & {"expanded", "collapsed"} or element.role in ("tab", "menuitem", "switch"):
        return 0
    if element.role == "link" and element.leads_to.startswith("/"):
        path, mark, fragment = element.leads_to.partition("#")
        if mark and canonical(path) == page.location:
            folds = any(p.role in ("section", "heading") for p in element.region) or element.level is not None
            return (1 if fragment else 3) if folds else (2 if fragment else 3)
    return None
