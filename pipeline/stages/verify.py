"""Verify tasks of the catalogue: the whole contract again on fresh instances; stored verdicts are never read.

What no longer holds is retired with its reason, and everything that was found is kept. An application whose clock is
moved starts that much later or earlier on the same data.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path

from pipeline.apps.processes import Owner
from pipeline.apps.profile_file import load_profile
from pipeline.checks.context import Scene
from pipeline.config import RunConfig
from pipeline.domain.draft import Draft, Task
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.state import RowMask
from pipeline.domain.values import Value
from pipeline.domain.verdict import Proof
from pipeline.errors import EnvironmentFault, UserError
from pipeline.live.pool import Pool, PreparedApp
from pipeline.stages.later import masks_at, moved, worth_a_look
from pipeline.stages.opening import now, picture_keeper, work_directory
from pipeline.stages.prepare import prepare_app
from pipeline.stages.prove import prove_on, side_by_side
from pipeline.stages.scenes import known_app, scene
from storage.records import Verification
from storage.store import Store


class Fallen(Value):
    """A task that no longer holds."""

    id: str
    instruction: str
    gate: str
    reason: str
    explanation: str


class Verified(Value):
    """What became of all tasks that were asked for; those that were retired before are among them."""

    tasks: int
    passed: int
    failed: int
    unscored: int
    by_reason: dict[str, int]
    """Of what failed or could not be decided."""
    fallen: tuple[Fallen, ...]


@dataclass(frozen=True)
class Moved:
    """How far the application's clock is moved: as it was asked for, and as a time."""

    asked: str = ""
    by: timedelta = timedelta()


@dataclass(frozen=True)
class Which:
    """Tasks to verify: those named, else those of an application or a run, else all."""

    app: str | None = None
    run: str | None = None
    ids: tuple[str, ...] = ()
    """Ids or unique beginnings of them."""


@dataclass
class _Found:
    total: int
    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    fallen: list[Fallen] = field(default_factory=list)

    def add(self, task: Task, proof: Proof) -> None:
        outcome = _NAMES[proof.outcome]
        self.outcomes[outcome] += 1
        if outcome == "passed":
            return
        self.reasons[proof.reason] += 1
        ended = next(v for v in proof.verdicts if v.finding in ("fail", "unscored"))
        if outcome == "failed":
            said = {"gate": ended.gate, "reason": ended.reason, "explanation": ended.in_full}
            self.fallen.append(Fallen(id=task.id, instruction=task.draft.instruction, **said))

    def result(self) -> Verified:
        return Verified(
            tasks=self.total,
            passed=self.outcomes["passed"],
            failed=self.outcomes["failed"],
            unscored=self.outcomes["unscored"],
            by_reason=dict(sorted(self.reasons.items())),
            fallen=tuple(sorted(self.fallen, key=lambda f: f.id)),
        )


_NAMES = {"accepted": "passed", "rejected": "failed", "unscored": "unscored"}
"""What an outcome of the contract is called here."""


async def verify_tasks(
    config: RunConfig, store: Store, which: Which, move: Moved, sink: Sink, stop: asyncio.Event
) -> Verified:
    """Verify tasks; a stop ends it after what is under way, and that is kept.

    Raises:
        UserError: there are no such tasks, no such run, or an application's clock cannot be moved; nothing was started.
        EnvironmentFault: an application or the browser cannot be brought to run at all.
    """
    tasks = await asked_for(store, which)
    if not tasks:
        of = " and ".join(repr(name) for name in (which.app, which.run) if name)
        raise UserError(f"The catalogue holds no tasks{of and f' of {of}'}; `tasksieve runs` shows what it holds.")
    found, groups = _Found(len(tasks)), await _by_profile(store, tasks)
    if move.by:
        _refuse_unpinned(groups)
    for profile, group in groups.items():
        prepared = moved(await prepare_app(profile, config, sink), move.by)
        await _Verifier(config, store, prepared, move, found, sink, stop).verify(group)
    return found.result()


async def asked_for(store: Store, which: Which) -> list[Task]:
    """The tasks meant, each once, retired ones among them.

    Raises:
        UserError: an id or the run is unknown.
    """
    if which.ids:
        named = [await store.task(id) for id in which.ids]
        return list({task.id: task for task in named}.values())
    if which.run:
        await store.run(which.run)
    return await store.tasks(app=which.app, run=which.run, retired=None)


async def _by_profile(store: Store, tasks: Sequence[Task]) -> dict[str, dict[str, list[Task]]]:
    """Tasks by profile, then by the exploration that they were made from."""
    groups: dict[str, dict[str, list[Task]]] = {}
    for task in tasks:
        run = await store.run((await store.draft(task.draft.id)).run)
        profile = str(run.settings.get("app", task.draft.app))
        exploration = str(run.settings.get("exploration", ""))
        groups.setdefault(profile, {}).setdefault(exploration, []).append(task)
    return groups


def _refuse_unpinned(profiles: Iterable[str]) -> None:
    """Before anything is started: a clock that no profile pins cannot be moved."""
    for profile in map(load_profile, profiles):
        if profile.clock is None:
            raise UserError(
                f"The clock of {profile.name!r} cannot be moved, since its profile pins none ([clock] with env and "
                "instant); verify the tasks of another application by --app OTHER, or leave out --clock."
            )


@dataclass
class _Verifier:
    """Verifies the tasks of one application side by side; each finding is kept as soon as it is there."""

    config: RunConfig
    store: Store
    prepared: PreparedApp
    move: Moved
    found: _Found
    sink: Sink
    stop: asyncio.Event

    async def verify(self, groups: Mapping[str, Sequence[Task]]) -> None:
        config, owner = self.config, Owner.here(self.config.home)
        place, keep = work_directory(config, owner), picture_keeper(config)
        async with Pool(self.prepared, config.workers, place, owner, keep) as pool:
            for exploration, tasks in groups.items():
                known = await self.store.exploration(exploration)
                if known is None:
                    raise UserError(f"The exploration {exploration!r} of these tasks is no longer in the catalogue.")
                masks = await self._of_the_hour(worth_a_look(known.pages), place / "later", owner)
                app = known_app(self.prepared, known)
                around = scene(self.prepared, app, {}, config.oracle_runs)  # what else is accepted does not matter
                await side_by_side(partial(self._work, pool, around, self._excused(tasks, masks)), pool.size)

    async def _of_the_hour(self, locations: Sequence[str], place: Path, owner: Owner) -> Sequence[RowMask]:
        """What looking changes because the clock is moved; a broken environment is told by the tasks themselves."""
        with suppress(EnvironmentFault):
            return await masks_at(self.prepared, locations, place, owner) if self.move.by else ()
        return ()

    @staticmethod
    def _excused(tasks: Sequence[Task], masks: Sequence[RowMask]) -> list[tuple[Task, Draft]]:
        """What there is to prove, to be taken from the end."""
        proven = [(t, t.draft.model_copy(update={"evaluator": t.draft.evaluator.excusing(masks)})) for t in tasks]
        return proven[::-1]

    async def _work(self, pool: Pool, around: Scene, waiting: list[tuple[Task, Draft]]) -> None:
        while waiting and not self.stop.is_set():
            task, draft = waiting.pop()
            proof = (await prove_on(pool, draft, around, self.config.max_attempts)).proof
            template_hash = self.prepared.template.template_hash
            at, clock = now().isoformat(), self.move.asked
            await self.store.add_verification(
                Verification(task=task.id, at=at, proof=proof, template_hash=template_hash, clock=clock)
            )
            self.found.add(task, proof)
            self._report(task, proof)

    def _report(self, task: Task, proof: Proof) -> None:
        outcomes = self.found.outcomes
        reason = f" ({proof.reason})" if proof.reason else ""
        message = f"{_NAMES[proof.outcome]}{reason}: {task.draft.instruction}"
        done, total = outcomes.total(), self.found.total
        counts = dict(sorted(outcomes.items()))
        self.sink(Progress(phase="verify", message=message, done=done, total=total, counts=counts), task=task.id)
