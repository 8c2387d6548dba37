"""What is known so far, rebuilt from saved results: the same results give the same knowledge, whoever ran them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pipeline.domain import locators
from pipeline.domain.action import Click
from pipeline.domain.consequences import signs_out
from pipeline.domain.exploration import Page, Transition
from pipeline.domain.feature import Feature
from pipeline.domain.forms import FormReading, read_forms
from pipeline.domain.observation import Element
from pipeline.domain.routes import RoutePatterns, canonical, learn_patterns, runs_away, split
from pipeline.domain.state import RowMask
from pipeline.domain.statekey import signature
from pipeline.domain.values import fingerprint, squeezed
from pipeline.explorers.units import Result, Trial
from pipeline.explorers.visiting import click_transition


@dataclass(frozen=True)
class Link:
    """A link to a location, as seen on a page."""

    page: str
    element: Element
    depth: int


@dataclass
class Knowledge:
    """Grows by results in order; holds no randomness and no clock."""

    home: str
    done: dict[str, str] = field(default_factory=dict)
    """Unit key → problem, empty where it went well."""
    pages: dict[str, Page] = field(default_factory=dict)
    transitions: dict[str, Transition] = field(default_factory=dict)
    readings: dict[str, tuple[FormReading, ...]] = field(default_factory=dict)
    """Forms of each page, read once."""
    doable: dict[str, frozenset[str]] = field(default_factory=dict)
    """Signature of each page, computed once."""
    links: dict[str, list[Link]] = field(default_factory=lambda: defaultdict(list))
    beside: dict[str, set[str]] = field(default_factory=dict)
    """Locations that each plain page links to."""
    showing: dict[str | None, list[str]] = field(default_factory=dict)
    """Key of an entity → linked locations that show it."""
    masks: list[RowMask] = field(default_factory=list)
    features: list[Feature] = field(default_factory=list)
    follow_ups: list[Trial] = field(default_factory=list)
    actions: int = 0
    forms: set[str] = field(default_factory=set)
    sign_outs: int = 0
    patterns: RoutePatterns = field(default_factory=RoutePatterns)

    def add(self, results: Iterable[Result]) -> None:
        """Take in results, in their saved order, then learn the route templates anew."""
        for result in results:
            self.done[result.key] = result.problem
            self.actions += result.actions
            self.sign_outs += result.signed_out
            if result.page is not None and result.page.id not in self.pages:
                self._add_page(result.page)
            if result.transition is not None:
                self.transitions[result.transition.id] = result.transition
            self.masks += [m for m in result.masks if m not in self.masks]
            if result.feature is not None:
                self.features.append(result.feature)
            if result.kind == "trial" and result.executions and not result.executions[0].error:
                self.forms.add(" ".join(result.key.split(" ")[1:3]))
            self.follow_ups += result.follow_ups
        self.patterns = learn_patterns(self._signatures(), self._linked(), self.beside)
        self.showing = defaultdict(list)
        for location in self.links:
            self.showing[self.patterns.variable(location)].append(location)

    def _add_page(self, page: Page) -> None:
        self.pages[page.id] = page
        self.readings[page.id] = read_forms(page.observation)
        self.doable[page.id] = signature(page.observation, page.mask)
        known: set[str] = self.beside.setdefault(page.location, set()) if page.id == page.location else set()
        for element in page.observation.elements:
            target = own_target(element)
            if not target or signs_out(element):
                continue
            self.links[target].append(Link(page.id, element, page.depth))
            if target in known or target == page.location:
                continue
            locator = locators.record(element, page.observation)
            if locator is not None:
                known.add(target)
                transition = click_transition(page.id, Click(target=locator), target, observed=False)
                self.transitions[transition.id] = transition

    def _signatures(self) -> Mapping[str, frozenset[str]]:
        return {p.location: self.doable[p.id] for p in self.pages.values() if "§" not in p.id and "?" not in p.location}

    def _linked(self) -> Mapping[str, int]:
        return {location: len(links) for location, links in self.links.items()}

    def route(self, page: Page) -> str:
        """Route template of a page."""
        return self.patterns.template(page.location)

    def by_route(self) -> dict[str, list[Page]]:
        """Plain pages by route template, in the order in which they were found."""
        groups: dict[str, list[Page]] = defaultdict(list)
        for page in self.pages.values():
            if "§" not in page.id:
                groups[self.route(page)].append(page)
        return groups

    def plain_looks(self) -> list[Page]:
        """Pages without those that show the same as an earlier one under another fixed location."""
        seen: dict[str, str] = {}
        kept = []
        for page in self.pages.values():
            headings = [h.name for h in page.observation.headings()]
            look = fingerprint([headings, page.observation.title, sorted(self.doable[page.id])])
            if seen.setdefault(look, page.id) == page.id:
                kept.append(page)
        return kept

    @cached_property
    def common_headings(self) -> frozenset[str]:
        """Headings that stand on most pages: the name of the site, not of a place. Asked when exploring is over."""
        counts = Counter(h for p in self.pages.values() for h in {squeezed(e.name) for e in p.observation.headings()})
        return frozenset(h for h, n in counts.items() if n > 0.5 * len(self.pages) and len(self.pages) > 3)

    def names_of(self, location: str) -> Sequence[str]:
        """Texts of links to a location, in the order in which they were seen."""
        return list(dict.fromkeys(k.element.name for k in self.links.get(location, ()) if k.element.name))


_DOWNLOADS = (".csv", ".pdf", ".zip", ".rss", ".xml", ".json", ".ics", ".tar", ".gz", ".png", ".jpg", ".svg", ".txt")


def own_target(element: Element) -> str:
    """Where a link leads within the application, canonical; empty for anything else."""
    at = element.leads_to
    if element.role != "link" or not at.startswith("/") or at.startswith("//") or runs_away(at):
        return ""
    parts = split(at)
    if parts.segments and parts.segments[-1].lower().endswith(_DOWNLOADS):
        return ""
    return canonical(at)
