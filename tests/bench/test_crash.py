"""The crash bench, on a program that behaves as ours and on two that do not."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from pipeline.bench.crash import Plan, bench_crash, differing, outcome_of, spread
from pipeline.bench.sitting import Desk, tagged
from pipeline.config import RunConfig
from pipeline.domain.progress import nowhere
from pipeline.errors import RunFault

LATE = 78
"""A seed whose first moment lies in the last quarter: the program has begun by then."""

PRETENDER = Path(__file__).parents[1] / "data" / "bench" / "pretender.py"


@pytest.fixture
def bench(tmp_path, monkeypatch):
    async def run(fault: str = "", kills: int = 2, program: tuple[str, ...] = (sys.executable, str(PRETENDER))):
        monkeypatch.setenv("PRETEND", fault)
        plan = Plan("trac", kills, count=4, seed=LATE, explore_actions=9, program=program)
        return await bench_crash(RunConfig(home=tmp_path / "home"), plan, tmp_path / "bench", nowhere)

    return run


async def test_a_program_that_resumes_truly_is_sound(bench, tmp_path):
    found = await bench()
    assert found.sound
    assert (found.kills, found.equal, found.accepted) == (2, 2, 4)
    assert tagged(tmp_path / "bench" / "cache") == []


async def test_a_program_that_does_not_sweep_leaves_processes_that_are_counted_and_ended(bench, tmp_path):
    found = await bench("leaves")
    assert found.leftover_processes >= 1
    assert not found.sound
    assert tagged(tmp_path / "bench" / "cache") == []


async def test_a_program_that_decides_otherwise_after_resuming_is_found_out(bench):
    found = await bench("mislabels", kills=1)
    assert found.equal == 0
    assert found.mislabelled >= 1
    assert found.lost == found.mislabelled


async def test_a_sitting_that_fails_by_itself_is_a_fault_that_names_its_log(bench):
    with pytest.raises(RunFault, match=r"exit code 3.*sittings\.log"):
        await bench(program=(sys.executable, "-c", "raise SystemExit(3)"))


def test_moments_are_spread_over_the_whole_time():
    moments = spread(20, 100.0, random.Random(7))
    assert [int(m // 5) for m in moments] == list(range(20))


def test_a_draft_that_only_one_run_has_differs():
    assert differing({"a": "accepted:", "b": "x"}, {"a": "accepted:", "c": "y"}) == 2


async def test_a_run_that_was_killed_while_its_catalogue_was_made_has_come_to_nothing_yet(tmp_path: Path) -> None:
    desk = Desk(tmp_path, tmp_path / "home")
    desk.catalogue.touch()
    assert not (await outcome_of(desk)).known
