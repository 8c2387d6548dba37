"""Features that need no submission: going to a place, sorting a list by a column, reading a value off a page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from pipeline.domain import entities, locators
from pipeline.domain.entities import KeyColumn
from pipeline.domain.exploration import Page
from pipeline.domain.feature import EffectModel, EntityType, Feature, Fixed, FromParameter, LocationEffect, Parameter
from pipeline.domain.labels import pairs, says_what
from pipeline.domain.observation import Locator
from pipeline.domain.routes import SLOT, split
from pipeline.domain.script import header_links
from pipeline.domain.state import StateSnapshot
from pipeline.domain.uigraph import slotted
from pipeline.domain.values import fingerprint, squeezed
from pipeline.explorers.knowledge import Knowledge, own_target
from pipeline.explorers.nouns import entity_noun, place_heading


def navigations(known: Knowledge, app: str) -> list[Feature]:
    """One feature for each fixed place with a heading of its own that a plain link leads to."""
    found = []
    heads: dict[str, list[Page]] = defaultdict(list)
    for page in known.pages.values():
        if "§" not in page.id and page.id != known.home:
            heads[place_heading(page.observation, known.common_headings)].append(page)
    for heading, pages in heads.items():
        plain = [p for p in pages if "?" not in p.location]
        paths = {p.location.partition("?")[0] for p in pages}
        if not plain or len(paths) > 1 or not heading or SLOT in known.route(plain[0]):
            continue
        page = plain[0]
        if not _can_be_read(known, page, heading):
            continue
        found.append(
            Feature(
                id=fingerprint([app, "navigate", page.location], 12),
                app=app,
                operation="navigate",
                noun="page",
                route=known.route(page),
                location=page.location,
                effects=EffectModel(location=LocationEffect(path=Fixed(value=page.location)), executions=1),
                evidence=_edges_into(known, page.location),
                heading=heading,
            )
        )
    return found


def _can_be_read(known: Knowledge, page: Page, heading: str) -> bool:
    """Whether the name stands on the page or on a link to it; a title is on the tab only, if anywhere."""
    wanted = heading.casefold()
    words = (page.observation.text, *(e.name for e in page.observation.elements))
    if any(wanted in squeezed(text).casefold() for text in words):
        return True
    links = (e for p in known.pages.values() for e in p.observation.elements if e.leads_to)
    return any(wanted in squeezed(e.name).casefold() and own_target(e) == page.location for e in links)


def _edges_into(known: Knowledge, location: str) -> tuple[str, ...]:
    return tuple(t.id for t in known.transitions.values() if t.target == location)[:3]


def sortings(known: Knowledge, app: str) -> list[Feature]:
    """Links in the header row of a list that lead to the same path with one query value that names the column."""
    found = []
    for page in known.pages.values():
        if "§" in page.id or "?" in page.location:
            continue
        columns = _sort_links(page)
        key = _sort_key(columns)
        if key is None:
            continue
        path = "/" + "/".join(split(page.location).segments)
        labels = {label: dict(split(target).query)[key] for label, target, _ in columns}
        parameter = Parameter(
            key=key,
            label="column",
            kind="select",
            target=columns[0][2],
            options=tuple(labels),
            option_values=tuple(labels.values()),
        )
        effect = LocationEffect(path=Fixed(value=path), query={key: FromParameter(parameter=key, spelling=0)})
        found.append(
            Feature(
                id=fingerprint([app, "sort", page.location], 12),
                app=app,
                operation="sort",
                noun="list",
                route=known.route(page),
                location=page.location,
                parameters=(parameter,),
                effects=EffectModel(location=effect, executions=len(columns)),
                evidence=_edges_into(known, page.location),
                heading=place_heading(page.observation, known.common_headings),
            )
        )
    return found


def _sort_links(page: Page) -> list[tuple[str, str, Locator]]:
    links = []
    for element in header_links(page.observation):
        target = own_target(element)
        if not target:
            continue
        same = split(target).segments == split(page.location).segments
        locator = locators.record(element, page.observation)
        if same and locator is not None:
            links.append((squeezed(element.name), target, locator))
    return links


def _sort_key(columns: Sequence[tuple[str, str, Locator]]) -> str | None:
    """The one query name whose value is another for every column."""
    if len(columns) < 2:
        return None
    queries = [dict(split(target).query) for _, target, _ in columns]
    names = set.intersection(*(set(q) for q in queries))
    telling = [n for n in sorted(names) if len({q[n] for q in queries}) == len(queries)]
    return telling[0] if len(telling) == 1 else None


def readings(known: Knowledge, app: str, start: StateSnapshot) -> list[Feature]:
    """Labels on entities' pages whose value is, on every page seen, one column of the entity's row."""
    found = []
    for route, pages in known.by_route().items():
        if SLOT not in route or len(pages) < 2 or "?" in route:
            continue
        keys = [known.patterns.variable(p.location) or "" for p in pages]
        names = {
            k: [*known.names_of(p.location), place_heading(p.observation, known.common_headings)]
            for k, p in zip(keys, pages, strict=True)
        }
        headings = {k: [h.name for h in p.observation.headings()] for k, p in zip(keys, pages, strict=True)}
        thing = entities.known_thing(start, keys, [], names, headings)
        if thing is None or thing.name is None:
            continue
        where, column = thing.where, thing.name
        entity = EntityType(
            noun=entity_noun(pages[0].observation, route, True, names[keys[0]], where.table),
            table=where.table,
            key_column=where.column,
            name_column=column,
            location=slotted(pages[0].location, keys[0], route),
        )
        sample = (keys[0], str(entities.row_of(start, where, keys[0]).get(column, "")))
        for label, answer in _read_columns(pages, keys, where, start).items():
            if answer in (column, where.column):
                continue
            found.append(
                Feature(
                    id=fingerprint([app, "read", route, label], 12),
                    app=app,
                    operation="read",
                    noun=entity.noun,
                    route=route,
                    location=entity.location,
                    entity=entity,
                    sample=sample,
                    evidence=tuple(p.id for p in pages[:3]),
                    heading=place_heading(pages[0].observation, known.common_headings),
                    answer_column=answer,
                    answer_label=label,
                )
            )
    return found


def _read_columns(
    pages: Sequence[Page], keys: Sequence[str], where: KeyColumn, start: StateSnapshot
) -> Mapping[str, str]:
    """By label: the column that holds the shown value on all pages that show the label, with two values at least."""
    shown: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for page, key in zip(pages, keys, strict=True):
        for pair in pairs(page.observation):
            shown[pair.label].append((key, pair.value))
    columns: dict[str, str] = {}
    for label, seen in shown.items():
        if not says_what(label) or len({v for _, v in seen}) < 2 or len({k for k, _ in seen}) != len(seen):
            continue
        rows = [(entities.row_of(start, where, k), v) for k, v in seen]
        fits = [c for c in rows[0][0] if all(squeezed(str(r.get(c) or "")) == v for r, v in rows)]
        if len(fits) == 1 and any(v for _, v in seen):
            columns[label] = fits[0]
    return columns
