"""What a finished sitting of ``generate`` left in its catalogue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipeline.config import RunConfig
from pipeline.domain.draft import Task
from pipeline.exports.jsonl import export_jsonl
from pipeline.stages.opening import open_store
from storage.records import DraftRecord, RunInfo


@dataclass(frozen=True)
class Ran:
    """The run, its drafts and its tasks."""

    config: RunConfig
    info: RunInfo
    drafts: tuple[DraftRecord, ...]
    tasks: tuple[Task, ...]

    @classmethod
    async def read(cls, config: RunConfig, info: RunInfo) -> Ran:
        async with await open_store(config) as store:
            drafts, tasks = await store.drafts(info.name), await store.tasks(run=info.name, full=True)
        return cls(config, info, tuple(drafts), tuple(tasks))

    def with_status(self, status: str) -> list[DraftRecord]:
        return [d for d in self.drafts if d.status == status]

    def export(self, folder: Path) -> bytes:
        """The canonical export's bytes."""
        export_jsonl(self.tasks, folder)
        return (folder / "tasks.jsonl").read_bytes()

    @property
    def labels(self) -> list[tuple[str, str, str]]:
        """Every draft with its status and reason, in order."""
        return [(d.draft.id, d.status, d.proof.reason if d.proof else "") for d in self.drafts]
