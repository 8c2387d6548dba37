"""Locations without origin: what is stored never depends on the port an instance happened to get."""

from __future__ import annotations

from pipeline.domain.action import Action, Open
from pipeline.domain.observation import Element, Form, Locator, Observation
from pipeline.domain.step import ActionOutcome


def relative(location: str, base_url: str) -> str:
    """The location below ``base_url``; one of another origin stays absolute."""
    if location == base_url:
        return "/"
    return (
        location[len(base_url) :] if location.startswith((base_url + "/", base_url + "?", base_url + "#")) else location
    )


def absolute(location: str, base_url: str) -> str:
    """The inverse of ``relative``."""
    return base_url + location if location.startswith("/") else location


def without_origin(seen: Observation, base_url: str) -> Observation:
    """The observation with every own location made relative."""
    return seen.model_copy(
        update={
            "location": relative(seen.location, base_url),
            "elements": tuple(_element(e, base_url) for e in seen.elements),
            "forms": tuple(_form(f, base_url) for f in seen.forms),
        }
    )


def _element(element: Element, base_url: str) -> Element:
    if not element.leads_to:
        return element
    return element.model_copy(update={"leads_to": relative(element.leads_to, base_url)})


def _form(form: Form, base_url: str) -> Form:
    return form.model_copy(update={"target": relative(form.target, base_url)})


def told_without_origin(outcome: ActionOutcome, base_url: str) -> ActionOutcome:
    """The outcome with own locations in the words of events and details made relative."""
    events = tuple(e.model_copy(update={"text": relative(e.text, base_url)}) for e in outcome.events)
    return outcome.model_copy(update={"events": events, "detail": outcome.detail.replace(base_url, "")})


def with_origin(action: Action, base_url: str) -> Action:
    """The action as the adapter wants it."""
    if isinstance(action, Open):
        return action.model_copy(update={"location": absolute(action.location, base_url)})
    target: Locator | None = getattr(action, "target", None)
    if target is not None and target.leads_to.startswith("/"):
        whole = target.model_copy(update={"leads_to": absolute(target.leads_to, base_url)})
        return action.model_copy(update={"target": whole})
    return action
