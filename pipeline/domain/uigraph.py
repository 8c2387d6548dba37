"""The UI graph and how to walk it: paths of clicks from the start place to a location. Pure and deterministic."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.domain.action import Action, Click
from pipeline.domain.exploration import Page, Transition
from pipeline.domain.observation import Locator, RegionPart
from pipeline.domain.routes import SLOT, RoutePatterns, learn_patterns, quoted

KEY = "⟦key⟧"
SLUG = "⟦slug⟧"
"""Words behind a key, or before it in its segment, that spell it out: they are looked up among known locations."""
NAME = "⟦name⟧"
MAX_CLICKS = 7
"""Longer ways are not worth a person's while."""


@dataclass(frozen=True)
class Hop:
    """One click of a way, and the transition that showed it."""

    action: Action
    edge: str


@dataclass(frozen=True)
class EntityName:
    """An entity's key, as it stands in locations, and its name, as a person sees it."""

    key: str
    name: str


class UiGraph:
    """Pages and transitions with an index for walking."""

    def __init__(self, home: str, pages: Iterable[Page], transitions: Iterable[Transition]) -> None:
        """``home`` is the location where every task starts."""
        self.home = home
        self.pages = {p.id: p for p in pages}
        self.transitions = {t.id: t for t in transitions}
        self._out: dict[str, list[Transition]] = defaultdict(list)
        self._into: dict[str, list[Transition]] = defaultdict(list)
        for transition in self.transitions.values():
            self._out[transition.source].append(transition)
            self._into[transition.target].append(transition)

    def into(self, target: str) -> Sequence[Transition]:
        """Transitions that lead to a page or location."""
        return self._into.get(target, ())

    def path(self, target: str, avoid: frozenset[str] = frozenset()) -> tuple[Transition, ...] | None:
        """A shortest way from home (breadth first, ties in recorded order) without ``avoid``; () if at home."""
        if target == self.home:
            return ()
        came: dict[str, Transition] = {}
        depth = {self.home: 0}
        queue = deque([self.home])
        while queue:
            here = queue.popleft()
            if depth[here] >= MAX_CLICKS:
                continue
            for edge in self._out.get(here, ()):
                if edge.id in avoid or edge.target in depth or not isinstance(edge.action, Click):
                    continue
                depth[edge.target] = depth[here] + 1
                came[edge.target] = edge
                if edge.target == target:
                    return self._back(target, came)
                queue.append(edge.target)
        return None

    def _back(self, target: str, came: dict[str, Transition]) -> tuple[Transition, ...]:
        way: list[Transition] = []
        while target in came:
            way.append(came[target])
            target = came[target].source
        return tuple(reversed(way))

    def way_to(self, location: str, avoid: frozenset[str] = frozenset()) -> tuple[Hop, ...] | None:
        """Clicks from home to a location."""
        edges = self.path(location, avoid)
        return tuple(Hop(t.action, t.id) for t in edges) if edges is not None else None

    @cached_property
    def _patterns(self) -> RoutePatterns:
        return learn_patterns({}, {target: len(edges) for target, edges in self._into.items()})

    def located(self, template: str, key: str) -> str:
        """The entity's location among all that are known; holds ``⟦slug⟧`` where none of them fits."""
        return located(template, key, self._into)

    def entity_path(
        self, template: str, sample: EntityName, entity: EntityName, avoid: frozenset[str] = frozenset(), depth: int = 3
    ) -> tuple[Hop, ...] | None:
        """Clicks from home to an entity's place, also where only another entity's place was seen.

        Args:
            template: location with ``⟦key⟧``.
            sample: the entity whose places were visited.
            avoid: ids of transitions not to use.
        """
        direct = self.way_to(self.located(template, entity.key), avoid)
        if direct is not None or depth == 0:
            return direct
        for edge in self.into(self.located(template, sample.key)):
            source = slotted(edge.source, sample.key, self._patterns.template(edge.source))
            if KEY not in source or edge.id in avoid or not isinstance(edge.action, Click):
                continue
            before = self.entity_path(source, sample, entity, avoid, depth - 1)
            if before is not None:
                target = for_entity(with_slots(edge.action.target, sample.key, sample.name), entity.key, entity.name)
                return (*before, Hop(edge.action.model_copy(update={"target": target}), edge.id))
        return None


def place(template: str, key: str) -> str:
    """The entity's location."""
    return template.replace(KEY, quoted(key)) if quoted(key) else template


def located(template: str, key: str, known: Collection[str]) -> str:
    """The entity's location; words that spell the key out are those of the first known location that fits."""
    wanted = place(template, key)
    if SLUG not in wanted:
        return wanted
    pattern = re.compile(re.escape(wanted).replace(SLUG, "[^/?]+"))
    return next((k for k in known if pattern.fullmatch(k)), wanted)


def slotted(location: str, key: str, route: str = "") -> str:
    """The location with the key's segment or query value replaced by the slot; unchanged where the key is not in it.

    With the location's route template, words behind the key that spell it out are replaced as well.
    """
    if not key:
        return location
    path, mark, query = location.partition("?")
    segments = [_slot_segment(s, quoted(key)) for s in path.split("/")]
    template = route.partition("?")[0].split("/")
    if KEY in segments and len(template) == len(segments):
        behind = segments.index(KEY) + 1
        segments[behind:] = [SLUG if template[n] == SLOT else segments[n] for n in range(behind, len(segments))]
    pairs = [
        f"{k}={KEY}" if v == quoted(key) else f"{k}{eq}{v}" for k, eq, v in (p.partition("=") for p in query.split("&"))
    ]
    return "/".join(segments) + mark + "&".join(pairs)


def _slot_segment(segment: str, key: str) -> str:
    if segment == key:
        return KEY
    words, mark, last = segment.rpartition("_")
    return f"{SLUG}_{KEY}" if mark and words and last == key and key.isdigit() else segment


def with_slots(locator: Locator, key: str, name: str) -> Locator:
    """The locator with the sample entity's name and key replaced by slots."""
    return _mapped(locator, lambda text: _slot_text(text, key, name), lambda at: _told(slotted(at, key)) if at else at)


def _told(location: str) -> str:
    """Where a link leads tells it apart only when the place of another thing can be said."""
    return "" if SLUG in location else location


def for_entity(locator: Locator, key: str, name: str) -> Locator:
    """The locator for another entity."""
    return _mapped(
        locator, lambda text: text.replace(NAME, name).replace(KEY, key), lambda at: place(at, key) if at else at
    )


def _slot_text(text: str, key: str, name: str) -> str:
    if name and len(name) > 2 and name in text:
        text = text.replace(name, NAME)
    words = text.split(" ")
    return " ".join(_slot_word(w, key) for w in words)


def _slot_word(word: str, key: str) -> str:
    if not key or NAME in word:
        return word
    if word == key and not key.isdigit():
        return KEY
    return word.replace(key, KEY) if word in (f"#{key}", f"(#{key})", f"#{key}:") else word


def _mapped(locator: Locator, text: Callable[[str], str], location: Callable[[str], str]) -> Locator:
    return locator.model_copy(
        update={
            "name": text(locator.name),
            "region": tuple(RegionPart(role=p.role, name=text(p.name)) for p in locator.region),
            "leads_to": location(locator.leads_to),
        }
    )
