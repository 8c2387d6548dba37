"""From knowledge to the finished exploration: state keys, features of places, coverage figures."""

from __future__ import annotations

from pipeline.domain.exploration import Exploration, Page, StopReason
from pipeline.domain.state import StateSnapshot
from pipeline.domain.statekey import state_key
from pipeline.explorers.knowledge import Knowledge
from pipeline.explorers.places import navigations, readings, sortings


def assemble(
    known: Knowledge, app: str, template_hash: str, user: str, start: StateSnapshot, stopped_by: StopReason
) -> Exploration:
    """The exploration as one value."""
    pages = tuple(_keyed(known, p) for p in known.pages.values())
    features = {f.id: f for f in [*known.features, *sortings(known, app), *readings(known, app, start)]}
    features |= {f.id: f for f in navigations(known, app)}
    return Exploration(
        app=app,
        template_hash=template_hash,
        home=known.home,
        user=user,
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
