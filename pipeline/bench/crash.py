"""What a kill costs: a run is killed at moments spread over its time, resumed, and held against an undisturbed one.

Every run has a folder and a catalogue of its own below one bench folder, and all share one cache that nobody else uses.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from pipeline.bench.sitting import Aim, Desk, end, killed_after, tagged, to_the_end
from pipeline.config import RunConfig
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import Value
from pipeline.errors import boundary
from pipeline.exports.jsonl import export_jsonl
from storage.store import Store

RUN = "crash"
"""Name of the run; the same everywhere, since equal exports are wanted."""
_FIRST_DEADLINE = 3600.0
"""Seconds for the undisturbed run; later ones get a multiple of what it took."""


@dataclass(frozen=True)
class Plan:
    """What is run and how often it is killed."""

    app: str
    kills: int
    count: int
    seed: int
    explore_actions: int
    program: tuple[str, ...]
    """Command that behaves as ``tasksieve``."""

    def start(self) -> list[str]:
        """Command line of a new run."""
        numbers = {"--count": self.count, "--seed": self.seed, "--explore-actions": self.explore_actions}
        flags = [part for name, number in numbers.items() for part in (name, str(number))]
        return [*self.program, "generate", self.app, "--run", RUN, *flags, "--json"]

    def resume(self) -> list[str]:
        """Command line that goes on with it."""
        actions = ["--explore-actions", str(self.explore_actions)]
        return [*self.program, "generate", "--resume", RUN, *actions, "--json"]


class CrashFigures(Value):
    """What came out, over all kills."""

    kills: int
    equal: int
    """Resumed runs whose canonical export equals the undisturbed run's, byte by byte."""
    lost: int
    """Tasks that were accepted before the kill, or by the undisturbed run, and are missing afterwards."""
    mislabelled: int
    """Drafts that ended with another status or reason than in the undisturbed run."""
    leftover_processes: int
    """Processes of ours that still ran after the resumed run had ended."""
    accepted: int
    """By the undisturbed run."""
    wall_s: float
    """Of the undisturbed run."""
    moments: tuple[float, ...]
    """Seconds from start to kill."""

    @property
    def sound(self) -> bool:
        """Nothing was lost, changed or left."""
        return self.equal == self.kills and not (self.lost or self.mislabelled or self.leftover_processes)


@dataclass(frozen=True)
class Outcome:
    """What a catalogue holds about the run."""

    export: str = ""
    """SHA-256 of the canonical export."""
    tasks: frozenset[str] = frozenset()
    labels: dict[str, str] = field(default_factory=dict)
    """Status and reason by draft id."""
    known: bool = False
    """Whether the run had been entered at all."""


@dataclass(frozen=True)
class _Try:
    moment: float
    before: Outcome
    after: Outcome
    leftover: int


async def bench_crash(config: RunConfig, plan: Plan, folder: Path, sink: Sink) -> CrashFigures:
    """Run undisturbed once, then ``plan.kills`` times with a kill and a resumption.

    Raises:
        RunFault: a sitting fails by itself, or takes several times as long as the undisturbed one.
    """
    home = _own_cache(config, folder)
    desk = Desk(folder / "undisturbed", home)
    sink(Progress(phase="bench", message="the undisturbed run", total=plan.kills))
    await to_the_end([*plan.program, "apps", "install", plan.app, "--json"], desk, _FIRST_DEADLINE)
    began = time.monotonic()
    await to_the_end(plan.start(), desk, _FIRST_DEADLINE)
    took = time.monotonic() - began
    wanted = await outcome_of(desk)
    tries: list[_Try] = []
    for number, moment in enumerate(spread(plan.kills, took, random.Random(plan.seed))):
        sink(Progress(phase="bench", message=f"killed after {moment:.0f} s", done=number, total=plan.kills))
        tries.append(await _one(plan, Desk(folder / f"kill-{number + 1:02d}", home), moment, took, number))
    return _figures(wanted, took, tries)


def _figures(wanted: Outcome, took: float, tries: Sequence[_Try]) -> CrashFigures:
    return CrashFigures(
        kills=len(tries),
        equal=sum(t.after.export == wanted.export for t in tries),
        lost=sum(len((t.before.tasks | wanted.tasks) - t.after.tasks) for t in tries),
        mislabelled=sum(differing(wanted.labels, t.after.labels) for t in tries),
        leftover_processes=sum(t.leftover for t in tries),
        accepted=len(wanted.tasks),
        wall_s=round(took, 1),
        moments=tuple(round(t.moment, 2) for t in tries),
    )


def spread(kills: int, seconds: float, chance: random.Random) -> list[float]:
    """Moments uniform over the time, one in each of as many equal parts."""
    return [(n + chance.random()) * seconds / kills for n in range(kills)]


def differing(wanted: dict[str, str], found: dict[str, str]) -> int:
    """Drafts that have another label, or that only one of the two runs has."""
    return sum(wanted.get(id) != found.get(id) for id in wanted.keys() | found.keys())


async def outcome_of(desk: Desk) -> Outcome:
    """Read the catalogue at a desk; a run that was killed before it was entered has an empty outcome.

    The file is there, and empty, a moment before it is a catalogue.
    """
    if not desk.catalogue.exists() or not desk.catalogue.stat().st_size:
        return Outcome()
    async with await Store.open(str(desk.catalogue), clock=_clock, create=False) as store:
        if RUN not in {run.name for run in await store.runs()}:
            return Outcome()
        tasks = await store.tasks(run=RUN)
        drafts = await store.drafts(RUN)
    exported = await asyncio.to_thread(export_jsonl, tasks, desk.folder / "export")
    labels = {d.draft.id: f"{d.status}:{d.proof.reason if d.proof else ''}" for d in drafts}
    return Outcome(exported.sha256, frozenset(t.id for t in tasks), labels, True)


async def _one(plan: Plan, desk: Desk, moment: float, took: float, number: int) -> _Try:
    aim: Aim = "parent" if number % 2 else "everything"
    while not await killed_after(moment, plan.start(), desk, aim):
        # It was quicker this time than when it was measured; what it left is cleared for another try.
        _clear(desk)
        moment *= 0.8
    before = await outcome_of(desk)
    await to_the_end(plan.resume() if before.known else plan.start(), desk, 300 + 4 * took)
    left = tagged(desk.home)
    end(left)
    return _Try(moment, before, await outcome_of(desk), len(left))


def _clear(desk: Desk) -> None:
    with boundary("clearing a bench folder"):
        shutil.rmtree(desk.folder)


def _clock() -> datetime:
    return datetime.now(UTC)


def _own_cache(config: RunConfig, folder: Path) -> Path:
    """A cache below the bench folder that borrows the installed environments of the user's own."""
    home = (folder / "cache").resolve()
    with boundary("preparing the bench"):
        home.mkdir(parents=True)
        (config.home / "environments").mkdir(parents=True, exist_ok=True)
        (home / "environments").symlink_to((config.home / "environments").resolve())
    return home
