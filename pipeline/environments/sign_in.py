"""Signing in through an application's own form, for warming templates. The password is typed and forgotten."""

from __future__ import annotations

from urllib.parse import urljoin

from pipeline.domain.action import Action, Click, Fill
from pipeline.domain.environment import Environment
from pipeline.domain.locators import record
from pipeline.domain.observation import Element, Locator, Observation
from pipeline.domain.redact import Redactor
from pipeline.domain.values import MARK, shortened
from pipeline.errors import SessionFault

_TYPED = ("text", "email", "password")
"""Kinds of controls that a form to sign in with has for its texts."""


async def sign_in(
    environment: Environment,
    base_url: str,
    path: str,
    user_field: str,
    password_field: str,
    submit: str,
    user: str,
    password: str,
) -> Observation:
    """Fill and submit the sign-in form at ``path`` in a new session; returns what is shown afterwards.

    Fields and button are named by field key, accessible name or label, as the profile has them.

    Raises:
        SessionFault: the form is not there, with the profile's key of what is missing; or, without a key, the
            application did not accept the user. Never names the password.
    """
    form = seen = await environment.begin(None, urljoin(base_url, path))
    for key, field, text in (("username", user_field, user), ("password", password_field, password)):
        target = _target(seen, field, _TYPED, key)
        await _do(environment, Fill(target=target, text=text), seen, field, key)
        seen = await environment.observe()
    target = _target(seen, submit, ("submit", "button"), "submit")
    await _do(environment, Click(target=target), seen, submit, "submit")
    seen = await environment.observe()
    if reason := _refusal(seen, user_field, password_field):
        # the redactor leaves short words alone, and a short password is one all the same
        news = shortened(Redactor((password,)).clean(_news(form, seen)).replace(password, MARK), 120)
        said = f", saying {news!r}" if news else ""
        raise SessionFault(f"The user {user!r} was not accepted at {path}: {reason}{said}.")
    return seen


async def _do(environment: Environment, action: Action, seen: Observation, field: str, key: str) -> None:
    outcome = await environment.act(action, seen)
    if outcome.problem:
        raise SessionFault(f"The sign-in form's {field!r} could not be used: {outcome.problem}.", f"sign_in.{key}")


def _target(seen: Observation, wanted: str, kinds: tuple[str, ...], key: str) -> Locator:
    found = [e for e in seen.elements if _is_meant(e, wanted, kinds)]
    locator = record(found[0], seen) if len(found) == 1 else None
    if locator is None:
        reason = "is not there" if not found else "is there more than once"
        said = f"The sign-in form's {wanted!r} {reason} at {seen.location}; {_offered(seen, kinds)}."
        raise SessionFault(said, f"sign_in.{key}")
    return locator


def _offered(seen: Observation, kinds: tuple[str, ...]) -> str:
    """Names that could have been meant."""
    names = [e.name for e in seen.elements if e.name and e.control is not None and e.control.kind in kinds]
    return f"there are {', '.join(repr(n[:60]) for n in names[:6])}" if names else "nothing of its kind is there"


def _is_meant(element: Element, wanted: str, kinds: tuple[str, ...]) -> bool:
    control = element.control
    if control is None or control.kind not in kinds:
        return element.role == "button" and "button" in kinds and element.name == wanted
    return wanted in (control.field, element.name, control.label)


def _refusal(seen: Observation, user_field: str, password_field: str) -> str:
    """What tells that the form was not accepted; empty where nothing does."""
    secret = [e for e in seen.elements if e.control is not None and e.control.kind == "password"]
    both = all(any(_is_meant(e, field, _TYPED) for e in seen.elements) for field in (user_field, password_field))
    if secret or both:
        return "the sign-in form is still shown"
    return f"the answer was {seen.status}" if seen.status is not None and seen.status >= 400 else ""


def _news(before: Observation, after: Observation) -> str:
    """The first line of text that was not there before."""
    known = set(before.text.splitlines())
    return next((line.strip() for line in after.text.splitlines() if line not in known), "")
