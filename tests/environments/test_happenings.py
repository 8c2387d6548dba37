"""What listens to a context: cheap where it is called at every request."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from pipeline.domain.environment import Traffic
from pipeline.environments.happenings import Happenings
from pipeline.environments.origins import Origins


class _Heard:
    """In a context's place: what was subscribed to, by event."""

    def __init__(self) -> None:
        self.handlers: dict[str, Callable[[Any], None]] = {}

    def on(self, event: str, handler: Callable[[Any], None]) -> None:
        self.handlers[event] = handler


@pytest.mark.parametrize("event", ["request", "response", "requestfailed"])
def test_playwright_need_not_work_out_the_signature_at_every_event(event: str) -> None:
    heard = _Heard()
    Happenings(Origins([]), Traffic()).listen(heard)  # type: ignore[arg-type]
    handler = heard.handlers[event]
    assert inspect.signature(handler) is inspect.signature(handler)
