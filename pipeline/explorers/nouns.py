"""What a person would call the thing a form is about, read from headings, legends, buttons and the place itself."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

import inflection

from pipeline.domain.feature import Parameter
from pipeline.domain.observation import Observation
from pipeline.domain.routes import SLOT, canonical
from pipeline.domain.values import squeezed
from pipeline.domain.wording import plain_heading
from pipeline.explorers.units import Trial

_CREATE = re.compile(r"^(add|create|new|post|register|insert|make|start|send|write|publish)\b(?! to\b)", re.IGNORECASE)
_VERB = re.compile(
    r"^(add|create|new|post|register|insert|make|start|send|write|publish|grant|edit|modify|change|update|delete|remove|rename|save|manage|submit)"
    r"\s+(?:(?:a|an|the|this|new|selected|existing|your)\s+)*(?P<noun>[A-Za-z][A-Za-z -]{2,30}?)\s*(?:\(\d+\))?[:.]?$",
    re.IGNORECASE,
)
_VERBS = {
    "new", "add", "create", "publish", "edit", "update", "delete", "remove", "rename", "modify", "change", "manage",
    "view", "show", "list", "open", "save",
}  # fmt: skip
"""Segments of places that say what is done there, not what is kept there."""
_EMPTY = {
    "item", "items", "change", "changes", "settings", "selected items", "all", "default", "version", "file", "history",
    "filter", "user", "it",
}  # fmt: skip
"""Words that name no kind of thing."""
_PLACES = {"details", "settings", "results", "options", "actions", "preferences", "statistics", "reports", "news"}
"""Plurals that name a place rather than what is kept there."""
_JOINTS = {"of", "in", "on", "for", "and", "with", "by", "to", "from", "at", "or"}
_MEDIA = {"wiki": "wiki page", "blog": "blog post", "forum": "forum thread", "news": "news item"}
"""Places that are called by what holds their things rather than by the things."""


def noun_in(text: str) -> str:
    """The thing that a heading or button with a verb speaks of; empty where it names none."""
    found = _VERB.match(squeezed(text))
    noun = found["noun"].lower() if found else ""
    return "" if noun in _EMPTY else singular(noun)


def singular(noun: str) -> str:
    """The last word in the singular."""
    words = noun.split()
    return " ".join([*words[:-1], inflection.singularize(words[-1])]) if words else ""


def says_create(seen: Observation, unit: Trial, parameters: Sequence[Parameter]) -> bool:
    """Whether the form is for something new, by its legend, nearest heading or button."""
    return any(_CREATE.match(squeezed(t)) for t in _near(seen, unit, parameters))


def created_noun(seen: Observation, unit: Trial, parameters: Sequence[Parameter]) -> str:
    """What the form makes, from the nearest words outward; last the place's own name."""
    placed = _as_written(_route_noun(unit.route), seen)
    for text in [*_near(seen, unit, parameters), *(h.name for h in seen.headings()), _own_title(seen)]:
        noun = noun_in(text)
        if noun:
            return noun
        if placed and placed in [singular(w) for w in squeezed(text).lower().split()[1:]]:
            return placed  # a word that says little by itself, yet the place bears it too
    if len(parameters) == 1 and 0 < len(parameters[0].label.split()) <= 3:
        return noun_in(parameters[0].label) or parameters[0].label
    return placed or "entry"


def entity_noun(seen: Observation, route: str, own_page: bool, names: Collection[str] = (), table: str = "") -> str:
    """The kind of thing a page or a list row stands for.

    Args:
        seen: the page.
        route: its route template.
        own_page: whether the page is one thing's own, rather than a list that it is picked in.
        names: what the thing itself is called, which is no kind.
        table: where it is kept, whose name speaks where the page does not.
    """
    noun = _kind_of(seen, route, own_page, names) or _kept_in(table) or "entry"
    return _MEDIA.get(noun, _as_written(noun, seen))


def _as_written(noun: str, seen: Observation) -> str:
    """The ``blogpost`` of an address is a ``blog post`` where the page writes it as two words."""
    run_together = re.compile(rf"\b{' ?'.join(map(re.escape, noun))}s?\b", re.IGNORECASE)
    spoken = (singular(m.lower()) for m in run_together.findall(seen.text))
    return next((s for s in spoken if s.count(" ") == 1 and min(map(len, s.split())) > 2), noun)


def _kind_of(seen: Observation, route: str, own_page: bool, names: Collection[str]) -> str:
    listed = _crumb(seen, route) if own_page else next((h.name for h in seen.headings() if _plural(h.name)), "")
    if listed:
        return singular(_all_of(listed).lower())
    placed = _route_noun(route) if own_page else _last_word(route)
    if placed or not own_page:
        return placed
    called = {squeezed(n).casefold() for n in names} | {singular(squeezed(n).casefold()) for n in names}
    found = [noun_in(e.name) for e in seen.elements if e.role in ("button", "heading") and not _CREATE.match(e.name)]
    named = [noun for noun in found if noun and noun.casefold() not in called and len(noun.split()) == 1]
    return max(dict.fromkeys(named), key=named.count) if named else ""


def _kept_in(table: str) -> str:
    """What a table's name ends in, where it is a plain word: ``garden_plants`` keeps plants."""
    word = table.rpartition("_")[2]
    return singular(word) if len(word) > 2 and word.isalpha() and word.islower() else ""


def _crumb(seen: Observation, route: str) -> str:
    """What the list is called that the page hangs below, by its breadcrumbs; a thing's own name is no kind."""
    path = route.partition("?")[0]
    for element in reversed(seen.elements):
        above = canonical(element.leads_to).partition("?")[0]
        placed = any(p.role == "navigation" and "breadcrumb" in p.name.lower() for p in element.region)
        if (
            element.role == "link"
            and placed
            and len(above) > 1
            and path.startswith(above + "/")
            and _plural(element.name)
        ):
            return element.name
    return ""


def _all_of(text: str) -> str:
    return re.sub(r"^all\s+", "", squeezed(text), flags=re.IGNORECASE)


def _plural(text: str) -> bool:
    """Whether a text is no more than the name of many things, such as ``Shipping methods``."""
    words = _all_of(text).split()
    plain = 0 < len(words) <= 3 and all(w.isalpha() for w in words) and not _JOINTS & {w.lower() for w in words}
    if not plain or _VERB.match(squeezed(text)):
        return False
    return words[-1] != inflection.singularize(words[-1]) and words[-1].lower() not in _EMPTY | _PLACES


def place_heading(seen: Observation, common: frozenset[str] = frozenset()) -> str:
    """The page's main heading as a person would quote it; ``common`` are headings that stand on most pages.

    Without one of its own, the beginning of the title stands for it.
    """
    own = [h for h in seen.headings() if squeezed(h.name) and squeezed(h.name) not in common]
    if own:
        return plain_heading(min(own, key=lambda h: h.level or 9).name)
    return _own_title(seen)


def _own_title(seen: Observation) -> str:
    """The beginning of the title, without the site's name behind it."""
    return squeezed(re.split(r"\s+(?:[–—|·•»-]|::)\s+", seen.title)[0])


def _near(seen: Observation, unit: Trial, parameters: Sequence[Parameter]) -> Iterable[str]:
    """Legend and headings around the parameters, innermost first, then the button."""
    keys = {p.key for p in parameters}
    for element in seen.elements:
        if element.control is not None and element.control.field in keys:
            yield from (p.name for p in reversed(element.region) if p.role in ("group", "form", "section", "dialog"))
            break
    yield unit.submit


def _route_noun(route: str) -> str:
    """The last fixed segment before the last slot, without a slot of all, that is no mere verb."""
    segments = [s for s in route.partition("?")[0].split("/") if s]
    if SLOT in segments:
        before = segments[: len(segments) - 1 - segments[::-1].index(SLOT)]
        segments = [s for s in before if s != SLOT]
    return _last_noun(segments)


def _last_word(route: str) -> str:
    return _last_noun([s for s in route.partition("?")[0].split("/") if s and s != SLOT])


def _last_noun(segments: Sequence[str]) -> str:
    """What the last segment that is no mere verb says; empty where none is."""
    return next((_spoken(s) for s in reversed(segments) if s.casefold() not in _VERBS), "")


def _spoken(segment: str) -> str:
    words = re.sub(r"[-_]+", " ", segment).strip().lower()
    return singular(re.sub(r"^new(?:\s+|(?!s))", "", words) or words)  # newentry and new story, but not news
