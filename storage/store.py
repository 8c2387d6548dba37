"""The catalogue's door: every method is one transaction on the writer's or the reader's thread.

Everything may be called again after a kill: what is there already is not added twice. The clock is the caller's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from sqlmodel import Session

from pipeline.domain.draft import Draft, Task
from pipeline.domain.exploration import Exploration, Page, Transition
from pipeline.domain.feature import Feature
from pipeline.domain.step import Trajectory
from pipeline.domain.values import fingerprint
from pipeline.domain.verdict import Proof, RunCost
from storage import convert, drafts, explorations, lookup, runs, verifications
from storage.address import catalogue_path
from storage.connection import Mode, SqlThread
from storage.convert_proof import trajectory_rows
from storage.opening import prepare
from storage.records import (
    Decision,
    DraftRecord,
    DraftStatus,
    ExplorationInfo,
    Lease,
    RunInfo,
    UnitRecord,
    Verification,
)
from storage.rows_drafts import DecisionRow
from storage.rows_explorations import ExplorationRow

T = TypeVar("T")


class Store:
    """One open catalogue. Every method raises RunFault when the database fails."""

    def __init__(self, path: Path, clock: Callable[[], datetime], reads: Mode = "read") -> None:
        """Use ``open``."""
        self.path = path
        self._clock = clock
        self._writer = SqlThread(path, "write")
        self._reader = SqlThread(path, reads)

    @classmethod
    async def open(
        cls, url_or_path: str, *, clock: Callable[[], datetime], create: bool = True, reading: bool = False
    ) -> Self:
        """Open, create or migrate the catalogue at a path or ``sqlite:///path``.

        Where it is there and only for ``reading``, it need not be writable.

        Raises:
            CatalogueError: it is not usable as given; the sentence says why and what to do.
        """
        path = catalogue_path(url_or_path)
        return cls(path, clock, await asyncio.to_thread(prepare, path, create, reading))

    async def close(self) -> None:
        """End both threads; idempotent."""
        await self._writer.close()
        await self._reader.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # Runs

    async def create_run(self, run: RunInfo) -> None:
        """Add a run. Raises UserError when its name is taken."""
        made = run if run.created else run.model_copy(update={"created": self._now()})
        await self._write(lambda s: runs.create(s, made), "creating the run")

    async def run(self, name: str) -> RunInfo:
        """One run. Raises UserError with near names when there is none."""
        return await self._read(lambda s: convert.run_info(runs.row(s, name)))

    async def runs(self) -> list[RunInfo]:
        """All runs, oldest first."""
        return await self._read(runs.listing)

    async def update_run(self, name: str, **changes: Any) -> None:
        """Set fields of a RunInfo; seconds and statistics are totals, added up by the caller."""
        await self._write(lambda s: runs.update(s, name, changes), "updating the run")

    async def claim_run(self, name: str, owner: str, alive: Callable[[str], bool]) -> None:
        """Take the run's lease; ``alive`` tells of a former owner whether it still runs, and must be quick.

        Raises:
            CatalogueError: a live owner holds it.
            UserError: there is no such run.
        """
        lease = Lease(run=name, owner=owner, taken=self._now())
        await self._write(lambda s: runs.claim(s, lease, alive), "claiming the run")

    async def release_run(self, name: str, owner: str) -> None:
        """Give the lease back if it is this owner's."""
        await self._write(lambda s: runs.release(s, name, owner), "releasing the run")

    async def leases(self) -> list[Lease]:
        """All leases, those of dead owners included."""
        return await self._read(runs.leases)

    async def run_costs(self, run: str) -> RunCost:
        """Seconds by kind of work of every proof recorded, discarded drafts included."""
        return await self._read(lambda s: runs.cost(s, run))

    # Exploration

    async def begin_exploration(self, app: str, template_hash: str, settings_hash: str, *, fresh: bool = False) -> str:
        """Id of the exploration with these inputs, the same whenever asked; ``fresh`` drops what was there."""
        id = fingerprint([app, template_hash, settings_hash])
        row = ExplorationRow(
            id=id,
            app=app,
            template_hash=template_hash,
            settings_hash=settings_hash,
            created=self._now(),
            finished="",
            stopped_by="",
            actions=0,
            body="",
        )
        await self._write(lambda s: explorations.begin(s, row, fresh), "beginning the exploration")
        return id

    async def save_wave(
        self,
        exploration_id: str,
        wave: int,
        units: Sequence[UnitRecord],
        pages: Sequence[Page],
        transitions: Sequence[Transition],
    ) -> None:
        """Store a wave whole; units known by key are left as they are, pages and transitions take the newer form."""
        rows = [convert.unit_row(exploration_id, u) for u in units]
        await self._write(
            lambda s: explorations.save_wave(s, exploration_id, rows, pages, transitions), f"saving wave {wave}"
        )

    async def units(self, exploration_id: str) -> list[UnitRecord]:
        """Finished units by wave and position."""
        return await self._read(lambda s: explorations.units(s, exploration_id))

    async def pages(self, exploration_id: str) -> list[Page]:
        """Pages saved so far, finished or not."""
        return await self._read(lambda s: explorations.pages(s, exploration_id))

    async def transitions(self, exploration_id: str) -> list[Transition]:
        """Transitions saved so far, finished or not."""
        return await self._read(lambda s: explorations.transitions(s, exploration_id))

    async def finish_exploration(self, exploration_id: str, exploration: Exploration) -> None:
        """Store the result whole: pages, transitions, features and their evidence replace what the waves saved."""
        finished = self._now()
        await self._write(
            lambda s: explorations.finish(s, exploration_id, finished, exploration), "finishing the exploration"
        )

    async def exploration(self, exploration_id: str) -> Exploration | None:
        """The result, None until it is finished."""
        return await self._read(lambda s: explorations.whole(s, exploration_id))

    async def explorations(self, app: str | None = None) -> list[ExplorationInfo]:
        """Explorations without their contents, oldest first."""
        return await self._read(lambda s: explorations.listing(s, app))

    async def features(self, app: str) -> list[Feature]:
        """Features of the app's latest finished exploration."""
        return await self._read(lambda s: explorations.features(s, app))

    # Drafts and proofs

    async def add_drafts(self, run: str, drafts_: Sequence[Draft]) -> None:
        """Queue the drafts whose ids the run does not have yet."""
        await self._write(lambda s: drafts.add(s, run, drafts_), "queueing drafts")

    async def drafts(self, run: str, status: DraftStatus | None = None) -> list[DraftRecord]:
        """Drafts of a run by index; ``queued`` includes those proved but not settled, which have a proof."""
        return await self._read(lambda s: drafts.listing(s, run, status))

    async def record_proof(
        self,
        run: str,
        draft_id: str,
        proof: Proof,
        trajectory: Trajectory | None,
        *,
        cost: RunCost,
        draft: Draft | None = None,
    ) -> None:
        """Store what was found out, in one transaction, in place of an earlier proof; settled drafts stay as they are.

        ``draft`` is the draft as it was proven, where proving repaired it.

        Raises:
            RunFault: the run has no such draft.
        """

        def rows() -> drafts.Recorded:
            return drafts.Recorded.of(proof, trajectory_rows(trajectory) if trajectory is not None else None)

        doing = f"recording the proof of draft {draft_id}"
        await self._writer.prepared(rows, lambda s, r: drafts.record(s, run, draft_id, r, cost, draft), doing)

    async def settle(
        self,
        run: str,
        accepted: Sequence[Task],
        rejected: Sequence[str] = (),
        unscored: Sequence[str] = (),
        discarded: Sequence[str] = (),
    ) -> list[str]:
        """Decide on drafts, by their ids, in one transaction; discarded ones vanish with all their rows.

        Returns:
            Ids of drafts that were rejected instead of accepted: another run accepted an equal goal meanwhile.

        Raises:
            RunFault: the run has no such draft; nothing is settled.
        """

        def settlement() -> drafts.Settlement:
            return drafts.Settlement([drafts.Acceptance.of(t) for t in accepted], rejected, unscored, discarded)

        return await self._writer.prepared(settlement, lambda s, all: drafts.settle(s, run, all), "settling drafts")

    async def goal_fingerprints(self, app: str) -> dict[str, str]:
        """Task id by goal fingerprint, of all accepted tasks."""
        return await self._read(lambda s: lookup.goal_fingerprints(s, app))

    # Reading and review

    async def tasks(
        self,
        *,
        app: str | None = None,
        run: str | None = None,
        operation: str | None = None,
        feature: str | None = None,
        limit: int | None = None,
        retired: bool | None = False,
        full: bool = False,
    ) -> list[Task]:
        """Tasks by run and index; without ``full`` observations hold nothing but their location.

        ``retired`` asks for those that no longer hold; None for all.
        """
        wanted = lookup.TaskFilter(app=app, run=run, operation=operation, feature=feature, limit=limit, retired=retired)
        return await self._read(lambda s: lookup.tasks(s, wanted, full=full))

    async def task(self, id: str) -> Task:
        """One task, whole, by its id or a unique beginning of it. Raises UserError."""
        return await self._read(lambda s: lookup.task(s, id))

    async def draft(self, id: str, *, run: str | None = None) -> DraftRecord:
        """One draft by its id or a unique beginning of it, the latest run's unless one is named. Raises UserError."""
        return await self._read(lambda s: lookup.draft(s, id, run))

    async def trajectory(self, owner_id: str, *, run: str | None = None) -> Trajectory | None:
        """The whole trajectory of a task or draft, None where none is recorded."""
        return await self._read(lambda s: lookup.trajectory_of(s, owner_id, run))

    async def rejected(
        self, *, app: str | None = None, run: str | None = None, reason: str | None = None, limit: int | None = None
    ) -> list[DraftRecord]:
        """Rejected drafts with their proofs, by run and index."""
        return await self._read(lambda s: lookup.rejected(s, app=app, run=run, reason=reason, limit=limit))

    async def add_decision(
        self, draft_id: str, decision: str, reviewer: str, reason: str, *, run: str | None = None
    ) -> None:
        """Append a person's finding. Raises UserError when there is no such draft."""
        at = self._now()

        def work(session: Session) -> None:
            of = lookup.draft_row(session, draft_id, run)
            session.add(
                DecisionRow(run=of.run, draft=of.id, decision=decision, reviewer=reviewer, reason=reason, at=at)
            )

        await self._write(work, "recording the decision")

    async def decisions(self, draft_id: str, *, run: str | None = None) -> list[Decision]:
        """Decisions on a draft, oldest first."""
        return await self._read(lambda s: lookup.decisions(s, draft_id, run))

    async def add_verification(self, found: Verification) -> None:
        """Keep a later proof of a task; one that fell is retired, one that holds stands. Raises RunFault."""
        await self._write(lambda s: verifications.add(s, found), f"recording the verification of task {found.task}")

    async def verifications(self, task: str) -> list[Verification]:
        """Later proofs of a task, oldest first."""
        return await self._read(lambda s: verifications.listing(s, task))

    async def picture_addresses(self) -> set[str]:
        """Content addresses of every picture that any row refers to."""
        return await self._read(lambda s: lookup.picture_addresses(s) | verifications.picture_addresses(s))

    async def _write(self, work: Callable[[Session], T], doing: str) -> T:
        return await self._writer.transaction(work, doing)

    async def _read(self, work: Callable[[Session], T]) -> T:
        return await self._reader.transaction(work, "reading the catalogue")

    def _now(self) -> str:
        return self._clock().isoformat()
