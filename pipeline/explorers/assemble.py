"""From knowledge to the finished exploration: state keys, features of places, coverage figures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

import inflection

from pipeline.domain.exploration import Exploration, Page, StopReason
from pipeline.domain.feature import EntityType, Feature, FromParameter
from pipeline.domain.state import StateSnapshot
from pipeline.domain.statekey import state_key
from pipeline.domain.uigraph import located
from pipeline.domain.values import squeezed
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.nouns import place_heading
from pipeline.explorers.places import navigations, readings, sortings


def assemble(
    known: Knowledge, app: str, template_hash: str, start: StateSnapshot, people: Sequence[str], stopped_by: StopReason
) -> Exploration:
    """The exploration as one value; ``people`` are the application's users, the first being the one who explored."""
    pages = tuple(_keyed(known, p) for p in known.pages.values())
    features = {
        f.id: f
        for f in [*(headed(f, known) for f in known.features), *sortings(known, app), *readings(known, app, start)]
    }
    features |= {f.id: f for f in navigations(known, app)}
    features = {f.id: assigning(f, start, people) for f in one_name_each(list(features.values()))}
    return Exploration(
        app=app,
        template_hash=template_hash,
        home=known.home,
        user=next(iter(people), ""),
        pages=pages,
        transitions=tuple(known.transitions.values()),
        features=tuple(features.values()),
        masks=tuple(known.masks),
        actions=known.actions,
        forms=len(known.forms),
        routes=len({known.route(p) for p in pages}),
        stopped_by=stopped_by,
        sign_outs=known.sign_outs,
    )


def _keyed(known: Knowledge, page: Page) -> Page:
    return page.model_copy(update={"state_key": state_key(known.route(page), page.observation, page.mask)})


def one_name_each(features: Sequence[Feature]) -> Iterator[Feature]:
    """The same kind of thing gets the same noun and name column everywhere: what most plain places say."""
    votes: dict[tuple[str, str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for feature in features:
        if feature.entity is not None:
            kind = feature.entity
            weight = 1 if "?" in feature.route else 3
            votes[_kind(kind)][kind.noun, kind.name_column] += weight
    own = {(table, noun) for (table, _, _), counted in votes.items() for noun, _ in counted}
    for feature in features:
        if feature.entity is None:
            yield feature
            continue
        noun, column = votes[_kind(feature.entity)].most_common(1)[0][0]
        noun = _rather(feature.entity.table, noun, own)
        entity = feature.entity.model_copy(update={"noun": noun, "name_column": column})
        named = feature.noun if feature.operation == "create" else noun
        yield feature.model_copy(update={"entity": entity, "noun": named})


def _rather(table: str, noun: str, own: Collection[tuple[str, str]]) -> str:
    """A table's rows are no ``shop`` where another place calls them what the table's name ends in: ``shop_item``."""
    *before, last = table.lower().split("_")
    kind = inflection.singularize(last)
    return kind if noun in before and (table, kind) in own else noun


def _kind(entity: EntityType) -> tuple[str, str, str]:
    """One table may hold several kinds of things: they differ by their place."""
    return entity.table, entity.key_column, entity.location.partition("?")[0]


def assigning(feature: Feature, start: StateSnapshot, people: Sequence[str]) -> Feature:
    """A feature that puts a person into a column of persons assigns; whatever control it uses."""
    free = [p.key for p in feature.parameters if p.key not in dict(feature.pinned)]
    if feature.operation not in ("edit", "set") or feature.entity is None or len(free) != 1:
        return feature
    for row in feature.effects.rows:
        table = start.tables.get(row.table)
        for column, binding in row.cells.items():
            if row.change != "changed" or not isinstance(binding, FromParameter) or table is None:
                continue
            held = {str(r.get(column)) for r in table.rows.values() if r.get(column)}
            if held and held <= set(people):
                return feature.model_copy(update={"operation": "assign"})
    return feature


def headed(feature: Feature, known: Knowledge) -> Feature:
    """The feature with the heading of its own place, the site's name left out, and with what its doing is called."""
    at = located(feature.location, feature.sample[0], known.pages)
    page = known.pages.get(at)
    if page is None:
        return feature
    heading = place_heading(page.observation, known.common_headings)
    return feature.model_copy(update={"heading": heading, "deed": _deed(feature, known, at)})


def _adds_beside(feature: Feature) -> bool:
    """Whether nothing of the thing changes, and all that is done stands in new rows of other tables."""
    rows = feature.effects.meant
    return (
        feature.operation == "edit"
        and feature.entity is not None
        and all(row.change == "added" and row.table != feature.entity.table for row in rows)
    )


def _deed(feature: Feature, known: Knowledge, at: str) -> str:
    """What a link to the place of a form without values says, else its button: ``Close book`` rather than ``OK``.

    A form with values is told by them; save where all it does is to add to something else than the thing that it is
    about: there its button says what is done, such as ``Borrow``.
    """
    if feature.submit is None or not feature.effects.changes_state:
        return ""
    if feature.parameters:
        return squeezed(feature.submit.name) if _adds_beside(feature) else ""
    spoken = [n for n in (*known.names_of(at), feature.submit.name) if feature.noun in squeezed(n).lower().split()[1:]]
    return squeezed(spoken[0] if spoken else feature.submit.name)
