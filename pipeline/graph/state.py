"""What the conductor remembers: ids and counters only, a few hundred bytes. Everything else is in the catalogue."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TypedDict

from pipeline.config import GenerateRequest, RunConfig
from pipeline.domain.known_app import KnownApp
from pipeline.domain.progress import Sink
from pipeline.live.pool import Pool
from storage.rundir import RunDirectory
from storage.store import Store


class RunState(TypedDict, total=False):
    """Position of a run."""

    run: str
    exploration: str
    drafted: int
    """Drafts in the present chunk."""
    accepted: int
    chunks: int
    stopped_by: str


@dataclass
class Deps:
    """What the nodes work with; rebuilt when a run goes on, never checkpointed."""

    config: RunConfig
    request: GenerateRequest
    store: Store
    pool: Pool
    directory: RunDirectory
    sink: Sink
    stop: asyncio.Event
    deadline: float
    """Monotonic seconds at which the run ends by time; infinity for never."""
    known: KnownApp | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    """Seconds of this sitting by phase."""
    beyond: int = 0
    """Drafts of the last chunk that lay beyond the count and were not kept."""

    @property
    def in_vain(self) -> str:
        """The same in words, to go behind others; empty where there were none."""
        return f"; {self.beyond} drafted beyond the count and not kept" if self.beyond else ""

    def over(self) -> bool:
        """Whether no new work may be begun: somebody asked to stop, or the time is up."""
        return self.stop.is_set() or time.monotonic() >= self.deadline
