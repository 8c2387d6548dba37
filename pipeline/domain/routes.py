"""Route templates: which locations are instances of one place. Pure; works on URL-like locations without origin.

A segment that looks like an id (digits, hex, a date, words that end in ``_17``) is a slot at once. A word segment
becomes a slot only when the pages behind it were seen to have the same controls, so that ``/admin/users`` and
``/admin/roles`` stay apart while a hundred articles become one template.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

SLOT = "{}"
_ID = re.compile(r"\d+|[0-9a-f]{8,}|[0-9a-f-]{32,36}|\d{4}-\d\d(-\d\d.*)?", re.IGNORECASE)
_NAMED_ID = re.compile(r"[^\W\d_][\w.~-]*_(?P<id>\d+)")
"""An id behind words that spell it out, in one segment: ``blue-kettle_17``."""
_MODE = re.compile(r"[a-z][a-z_-]{0,15}")
MAX_LENGTH = 400
"""Locations longer than this are never followed (links that wrap themselves)."""


@dataclass(frozen=True)
class Parts:
    """A location taken apart; ``segments`` are unquoted and never empty."""

    segments: tuple[str, ...]
    query: tuple[tuple[str, str], ...]
    fragment: str


@lru_cache(maxsize=50_000)  # every wave takes all known locations apart again
def split(location: str) -> Parts:
    """Take a location apart; an origin, where there is one, is dropped."""
    parts = urlsplit(location)
    segments = tuple(unquote(s) for s in parts.path.split("/") if s)
    return Parts(segments, tuple(parse_qsl(parts.query, keep_blank_values=True)), parts.fragment)


def canonical(location: str) -> str:
    """One spelling: query sorted, fragment kept only where it routes (``#/…`` or ``#!…``), no trailing slash."""
    parts = urlsplit(location)
    path = parts.path.rstrip("/") or "/"
    query = urlencode(sorted(parse_qsl(parts.query, keep_blank_values=True)))
    fragment = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
    return origin + path + (f"?{query}" if query else "") + fragment


def quoted(value: str) -> str:
    """A key as it stands in a path segment."""
    return quote(value, safe="")


def runs_away(location: str) -> bool:
    """Too long, too deep, or the same segment three times: a link space that mints itself."""
    segments = split(location).segments
    repeated = any(segments.count(s) >= 3 for s in set(segments))
    return len(location) > MAX_LENGTH or len(segments) > 10 or repeated


@dataclass(frozen=True)
class RoutePatterns:
    """Word slots learned so far, as (templated parent segments, position) of segments that vary."""

    varying: frozenset[tuple[str, ...]] = frozenset()
    """Templated parents below which the next segment is a slot."""
    odd: frozenset[tuple[str, ...]] = frozenset()
    """Templated parent and segment of places that stand beside the slot: ``/clubs/new`` among clubs."""
    spelt: frozenset[tuple[str, ...]] = frozenset()
    """Templated parents, ending in an id, below which the next segment spells the id out."""

    @lru_cache(maxsize=50_000)  # noqa: B019  # a few learnings of one exploration are alive at a time
    def template(self, location: str) -> str:
        """The route template: path with slots, query names with mode-like values kept."""
        parts = split(location)
        path = "/" + "/".join(self.segments(parts.segments))
        query = "&".join(f"{k}={_kept(v)}" for k, v in sorted(parts.query) if v != "")
        fragment = ""
        if parts.fragment.startswith(("/", "!")):
            fragment = "#/" + "/".join(_fixed_or_slot(s) for s in parts.fragment.lstrip("#!/").split("/") if s)
        return path + (f"?{query}" if query else "") + fragment

    def family(self, location: str) -> str:
        """Coarser than the template: query names only. Bounds what one page can mint."""
        parts = split(location)
        return "/" + "/".join(self.segments(parts.segments)) + "?" + "&".join(sorted({k for k, _ in parts.query}))

    def segments(self, segments: tuple[str, ...]) -> tuple[str, ...]:
        """Path segments with slots."""
        done: tuple[str, ...] = ()
        for segment in segments:
            varies = done in self.varying | self.spelt and (*done, segment) not in self.odd
            done += (SLOT,) if varies or _is_id(segment) else (segment,)
        return done

    @lru_cache(maxsize=50_000)  # noqa: B019  # likewise
    def variable(self, location: str) -> str | None:
        """The last segment that stands in a slot and is no mere spelling: the key of the entity shown there."""
        parts = split(location)
        templated = self.segments(parts.segments)
        keys = [s for n, s in enumerate(parts.segments) if templated[n] == SLOT and templated[:n] not in self.spelt]
        named = _NAMED_ID.fullmatch(keys[-1]) if keys else None
        return named["id"] if named else keys[-1] if keys else None


def _is_id(segment: str) -> bool:
    return bool(_ID.fullmatch(segment) or _NAMED_ID.fullmatch(segment))


def _fixed_or_slot(segment: str) -> str:
    return SLOT if _ID.fullmatch(segment) else segment


def _kept(value: str) -> str:
    return value if _MODE.fullmatch(value) else SLOT


def learn_patterns(
    signatures: Mapping[str, frozenset[str]],
    linked: Mapping[str, int],
    beside: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> RoutePatterns:
    """Find parents whose children are one place.

    Args:
        signatures: location → what can be done there (``role|name`` of controls), for every visited page without query.
        linked: location → how many distinct places link to it; tells how many siblings exist beyond the visited ones.
        beside: visited location → locations that it links to.
    """
    varying: frozenset[tuple[str, ...]] = frozenset()
    odd: frozenset[tuple[str, ...]] = frozenset()
    spelt: frozenset[tuple[str, ...]] = frozenset()
    for depth in range(6):
        patterns = RoutePatterns(varying, odd, spelt)
        for parent, words in _words_below_ids(linked, depth, patterns).items():
            fixed = _fixed_words(words)
            if _spells_out(words, fixed):
                spelt |= {parent}
                odd |= {(*parent, word) for word in fixed}
        groups: dict[tuple[str, ...], dict[str, frozenset[str]]] = defaultdict(dict)
        places: dict[tuple[str, ...], list[str]] = defaultdict(list)
        siblings: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for location in linked:
            parts = split(location)
            if len(parts.segments) == depth + 1 and not parts.query:
                siblings[patterns.segments(parts.segments[:-1])].add(parts.segments[-1])
        for location, signature in signatures.items():
            parts = split(location)
            if len(parts.segments) == depth + 1 and not parts.query and not _is_id(parts.segments[-1]):
                parent = patterns.segments(parts.segments[:-1])
                groups[parent][parts.segments[-1]] = signature
                places[parent].append(location)
        for parent, children in groups.items():
            known = parent in spelt or len(children) < 3 or len(siblings[parent]) < 4
            if not parent or known or _is_menu(places[parent], signatures, beside):
                continue
            if _alike(list(children.values())):
                varying |= {parent}
                odd |= {(*parent, segment) for segment in _odd(children)}
    return RoutePatterns(varying, odd, spelt)


def _is_menu(
    places: list[str], signatures: Mapping[str, frozenset[str]], beside: Mapping[str, Collection[str]]
) -> bool:
    """Whether the places are the entries of one menu: each links to all others, and has no controls of its own."""
    mutual = all(sum(o in beside.get(p, ()) for o in places if o != p) >= 0.8 * (len(places) - 1) for p in places)
    usual = _most_common([signatures[p] for p in places])
    return mutual and any(usual <= signature for p, signature in signatures.items() if p not in places)


def _words_below_ids(
    linked: Mapping[str, int], depth: int, patterns: RoutePatterns
) -> Mapping[tuple[str, ...], Mapping[tuple[str, ...], set[str]]]:
    """By templated parent that ends in an id: the segments below each of its instances."""
    found: dict[tuple[str, ...], dict[tuple[str, ...], set[str]]] = defaultdict(lambda: defaultdict(set))
    for location in linked:
        segments = split(location).segments
        if len(segments) > depth > 0 and _ID.fullmatch(segments[depth - 1]) and not _ID.fullmatch(segments[depth]):
            found[patterns.segments(segments[:depth])][segments[:depth]].add(segments[depth])
    return found


def _fixed_words(words: Mapping[tuple[str, ...], set[str]]) -> set[str]:
    """Words below several ids: what can be done there, such as ``edit``."""
    counts = Counter(word for below in words.values() for word in below)
    return {word for word, n in counts.items() if n >= max(2, 0.2 * len(words))}


def _spells_out(words: Mapping[tuple[str, ...], set[str]], fixed: set[str]) -> bool:
    """Whether nearly every id has exactly one word that it shares with no other."""
    own = [below - fixed for below in words.values()]
    return sum(len(o) == 1 for o in own) >= max(3, 0.8 * len(own))


def _alike(signatures: list[frozenset[str]]) -> bool:
    """At least four fifths of the pages have nearly the controls of the most common one (Jaccard 0.8)."""
    best = _most_common(signatures)
    close = sum(jaccard(best, other) >= 0.8 for other in signatures)
    return close >= max(3, 0.8 * len(signatures))


def _most_common(signatures: list[frozenset[str]]) -> frozenset[str]:
    return max(signatures, key=lambda s: sum(jaccard(s, other) >= 0.8 for other in signatures))


def _odd(children: Mapping[str, frozenset[str]]) -> set[str]:
    """Children that are no sibling of the others: they have at least two controls more than the most common one."""
    best = _most_common(list(children.values()))
    return {s for s, doable in children.items() if jaccard(best, doable) < 0.8 and len(doable - best) >= 2}


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Share of common members, 1 for two empty sets (Jaccard 1901)."""
    union = left | right
    return len(left & right) / len(union) if union else 1.0
