"""What drafting and checking know of a run's application, put together from catalogue and template."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from pipeline.apps.kept_secrets import template_secrets
from pipeline.checks.context import Scene
from pipeline.domain.exploration import Exploration
from pipeline.domain.known_app import KnownApp
from pipeline.domain.redact import Redactor
from pipeline.live.pool import PreparedApp

_NO_CLOCK = date(2026, 1, 5)
"""Day that values are drawn around where the profile pins no clock; fixed, so that drafts repeat."""


def today_of(instant: str | None) -> date:
    """The application's day."""
    return datetime.fromisoformat(instant).date() if instant else _NO_CLOCK


def known_app(prepared: PreparedApp, exploration: Exploration) -> KnownApp:
    """The application as drafting and checking see it."""
    return KnownApp(exploration, prepared.template.snapshot, prepared.profile.user_names)


def scene(prepared: PreparedApp, app: KnownApp, accepted: Mapping[str, str], oracle_runs: int) -> Scene:
    """What the checks may know."""
    profile = prepared.profile
    return Scene(
        app=app,
        disposable=profile.disposable,
        resettable=profile.resettable,
        today=today_of(profile.clock.instant if profile.clock else None),
        accepted=accepted,
        oracle_runs=oracle_runs,
        redactor=Redactor(template_secrets(prepared.template)),
    )
