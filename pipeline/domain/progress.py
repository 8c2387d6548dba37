"""Progress as domain events; the CLI renders them, the log keeps them."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from pydantic import Field

from pipeline.domain.values import Value


class Progress(Value):
    """One notice of a stage: what is being done, how far it is, and numbers worth showing."""

    phase: Literal["install", "start", "explore", "learn", "draft", "prove", "verify", "export", "bench", "done"]
    message: str = ""
    done: int = 0
    total: int | None = None
    counts: dict[str, int] = Field(default_factory=dict)
    """Such as ``{"accepted": 12, "rejected": 3}``."""


class Sink(Protocol):
    """Where stages report to; must not block."""

    def __call__(self, event: Progress, /, **fields: Any) -> None: ...


def nowhere(event: Progress, /, **fields: Any) -> None:
    """A sink that drops everything."""
