"""What to do next: pure, deterministic, and bounded for each route template and family of locations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from pipeline.domain import locators
from pipeline.domain.action import Click
from pipeline.domain.consequences import consequence_of, signs_out
from pipeline.domain.exploration import Page
from pipeline.domain.forms import FormReading
from pipeline.domain.observation import Element, Locator
from pipeline.domain.routes import SLOT, canonical, split
from pipeline.domain.values import fingerprint
from pipeline.explorers.form_plans import trials
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.units import Poke, Unit, Visit

PER_TEMPLATE = 3
"""Visits to one route template with a slot: enough to see what varies and to learn on two different entities."""
PER_FAMILY = 4
"""Visits to locations that differ only in query values."""
PER_PATH = 12
"""Visits to locations of one path template that have a query: lists mint these without end."""
POKES_PER_WAVE = 3
POKES_PER_PAGE = 10
_MAKES = re.compile(r"\W*(add|create|new)\b(?! to\b)", re.IGNORECASE)
"""Links to a form for something new: where its place stands among the things themselves it would be taken for one."""
VISIT_SHARE = 0.3
"""Share of the budget after which forms come first."""


def next_wave(known: Knowledge, size: int, budget: int, disposable: bool) -> list[Unit]:
    """The next units; empty when nothing is left to do."""
    clicking = _pokes(known, size, disposable)
    opening = _visits(known, size, disposable)
    kept = min(len(clicking), max(POKES_PER_WAVE, size - len(opening)))
    looking: list[Unit] = [*clicking[:kept], *opening[: size - kept]]
    submitting: list[Unit] = _once_each(trials(known, size)) if disposable else []
    if known.actions > VISIT_SHARE * budget and submitting:
        return submitting[:size]
    return looking[:size] or submitting[:size]


def _once_each(units: Iterable[Unit]) -> list[Unit]:
    """The first of every key: alike forms of one page may call for one and the same trial."""
    first: dict[str, Unit] = {}
    for unit in units:
        first.setdefault(unit.key, unit)
    return list(first.values())


def _visits(known: Knowledge, size: int, disposable: bool) -> list[Visit]:
    """Unvisited links: new route templates first, of these what makes something new, then what is shallow.

    What names a consequence is opened only where nobody misses the data.
    """
    if f"visit {known.home}" not in known.done:
        return [Visit(location=known.home, twice=True)]
    count = Counts(known)
    ranked = [
        (count.rank(target), not any(_MAKES.match(k.element.name) for k in links), links[0].depth, order, target)
        for order, (target, links) in enumerate(known.links.items())
        if f"visit {target}" not in known.done and target not in known.pages and count.admits(target)
    ]
    chosen: list[Visit] = []
    for rank, _, depth, _, target in sorted(ranked):
        words = [link.element.name for link in known.links[target]]
        plain = consequence_of(*words, target) == "none"
        if not count.admits(target) or not (plain or disposable):
            continue
        count.add(target)
        chosen.append(Visit(location=target, depth=depth + 1, twice=rank[0] == 0, trusted=plain))
        if len(chosen) == size:
            break
    return chosen


class Counts:
    """How often each kind of location was tried, and which query pairs led to no page."""

    def __init__(self, known: Knowledge) -> None:
        """Counts failures as well: what was tried is not tried without end."""
        self._patterns = known.patterns
        self._seen: Counter[str] = Counter()
        self._fruitless: Counter[tuple[str, str]] = Counter()
        for key, problem in known.done.items():
            if key.startswith("visit "):
                self.add(key[6:])
                for pair in split(key[6:]).query:
                    self._fruitless[pair] += 1 if problem else -100

    def _names(self, target: str) -> tuple[str, str, str]:
        path = self._patterns.template(target).partition("?")[0]
        return f"t {self._patterns.template(target)}", f"f {self._patterns.family(target)}", f"p {path}"

    def add(self, target: str) -> None:
        """One more visit."""
        template, family, path = self._names(target)
        self._seen.update([template, family, *([path] if "?" in target else [])])

    def rank(self, target: str) -> tuple[int, int]:
        """Lower is more promising: few visits to its template, then to its path; a query counts like one visit."""
        template, _, path = self._names(target)
        return self._seen[template] + ("?" in target), self._seen[path]

    def admits(self, target: str) -> bool:
        """Whether one more visit is within bounds."""
        template, family, path = self._names(target)
        most = PER_TEMPLATE if SLOT in template else 1
        if self._seen[template] >= most or any(self._fruitless[p] >= 2 for p in split(target).query):
            return False
        return "?" not in target or (self._seen[family] < PER_FAMILY and self._seen[path] < PER_PATH)


def _pokes(known: Knowledge, size: int, disposable: bool) -> list[Poke]:
    """Toggles, tabs, buttons outside forms and forms without values, on the first page of each path template.

    The same click is tried once for each path, and nowhere again once it showed nothing new. Nor when it came to the
    same in two places, be it a problem: then it belongs to the site and not to a page.
    """
    tried: set[tuple[str, str]] = set()
    fruitless: set[str] = set()
    shown: set[tuple[str, str]] = set()
    for key, problem in known.done.items():
        if key.startswith("poke "):
            _, place, target = key.split(" ", 2)
            tried.add((_path(known, place), target))
            gain = problem or _gain(known, place, target)
            if problem == "nothing new" or (target, gain) in shown:
                fruitless.add(target)
            if gain:
                shown.add((target, gain))
    found: list[Poke] = []
    for pages in known.by_route().values():
        for page in pages[:1]:
            for unit in pokes_on(page, known.readings[page.id]):
                what = unit.click.target.model_dump_json()
                mark = (_path(known, unit.page), what)
                grave = not disposable and consequence_of(unit.click.target.name) != "none"
                if mark in tried or what in fruitless or grave:
                    continue
                tried.add(mark)
                found.append(unit)
                if len(found) >= size:
                    return found
    return found


def _gain(known: Knowledge, place: str, target: str) -> str:
    """What a click brought: controls and links that were not there before, or the kind of place it led to."""
    clicked = Locator.model_validate_json(target)
    edges = (t for t in known.transitions.values() if t.source == place and isinstance(t.action, Click))
    end = next((t.target for t in edges if getattr(t.action, "target", None) == clicked), "")
    if end not in known.pages or place not in known.pages:
        return ""
    if "§" not in end:
        return known.patterns.template(end)
    before, after = ({e.leads_to for e in known.pages[p].observation.elements} for p in (place, end))
    return fingerprint([sorted(known.doable[end] - known.doable[place]), sorted(after - before)])


def _path(known: Knowledge, page: str) -> str:
    return known.patterns.template(page).partition("?")[0]


def pokes_on(page: Page, readings: Sequence[FormReading]) -> list[Poke]:
    """At most ten clicks worth trying on a page; what ends the session is left alone.

    Of buttons that are called the same the first stands for all: rows of a list have the same menu.
    """
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
    first: dict[tuple[str, str], Click] = {}
    for _, _, click in sorted(ranked, key=lambda r: (r[0], r[1])):
        first.setdefault((click.target.role, click.target.name), click)
    return [Poke(page=page.id, location=page.location, click=c) for c in list(first.values())[:POKES_PER_PAGE]]


def _poke_rank(element: Element, page: Page, plain_forms: set[int]) -> int | None:
    """0 for what surely toggles or leads on, 2 for bare anchors and scripts, None for what is no candidate."""
    folds = bool(element.states & {"expanded", "collapsed"})
    if element.role == "button" and not folds:
        control = element.control
        if control is None or control.form is None or control.form in plain_forms:
            return 0
        return 2 if control.kind == "button" else None
    if folds or element.role in ("tab", "menuitem", "switch"):
        return 0
    if element.role == "link" and element.leads_to.startswith("/"):
        path, mark, fragment = element.leads_to.partition("#")
        if mark and canonical(path) == page.location:
            headed = any(p.role in ("section", "heading") for p in element.region) or element.level is not None
            return (1 if fragment else 3) if headed else (2 if fragment else 3)
    return None
