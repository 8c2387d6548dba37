"""Benches are isolated from each other, and one that broke is built anew before anyone uses it again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest
from desk_app import Conduct, MakePool

from pipeline.domain.action import Action, Click, Fill, Open
from pipeline.domain.evaluator import Evaluator, NothingElse
from pipeline.domain.observation import Locator
from pipeline.errors import AppFault, EnvironmentFault
from pipeline.live.pool import Pool

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOTHING = Evaluator(conditions=(NothingElse(),))


def new_item(title: str) -> list[Action]:
    return [
        Open(location="/items/new"),
        Fill(target=Locator(role="textbox", name="Title"), text=title),
        Click(target=Locator(role="button", name="Create item")),
    ]


def browsers() -> list[psutil.Process]:
    """The browsers' main processes that this process started."""
    below = psutil.Process().children(recursive=True)
    return [p for p in below if "chrom" in p.name() and "--type=" not in " ".join(p.cmdline())]


async def test_two_workers_never_see_each_others_changes(pool: Pool) -> None:
    async def work(title: str) -> list[list[str]]:
        async with pool.bench() as bench:
            records = [await bench.run(new_item(f"{title} {n}"), "alice", "/", NOTHING) for n in range(3)]
            return [[str((c.after or {})["title"]) for c in r.diff.changes] for r in records]

    spade, kettle = await asyncio.gather(work("Spade"), work("Kettle"))
    assert spade == [["Spade 0"], ["Spade 1"], ["Spade 2"]]
    assert kettle == [["Kettle 0"], ["Kettle 1"], ["Kettle 2"]]


async def test_no_more_benches_are_handed_out_than_there_are_workers(pool: Pool) -> None:
    async with pool.bench() as one, pool.bench() as two:
        assert one.instance.port != two.instance.port
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2), pool.bench():
                pass
    async with pool.bench() as again:
        assert again in (one, two)


async def test_an_application_that_died_is_started_again_for_the_next_piece_of_work(
    make_pool: MakePool, conduct: Conduct
) -> None:
    conduct.order("once die POST /items/new")
    async with make_pool() as own:
        with pytest.raises(EnvironmentFault):
            async with own.bench() as bench:
                await bench.run(new_item("Spade"), "alice", "/", NOTHING)
        async with own.bench() as bench:
            record = await bench.run(new_item("Spade"), "alice", "/", NOTHING)
    assert [c.change for c in record.diff.changes] == ["added"]


async def test_an_application_that_died_between_two_pieces_of_work_is_replaced_unnoticed(make_pool: MakePool) -> None:
    async with make_pool() as own:
        async with own.bench() as bench:
            first = bench.instance
            await bench.fresh("alice", "/")
        for child in psutil.Process().children():
            if "app.py" in " ".join(child.cmdline()) and str(first.port) in child.cmdline():
                child.kill()
                child.wait()
        async with own.bench() as bench:
            assert bench.instance is not first
            assert (await bench.fresh("alice", "/items")).location == "/items"


async def test_a_browser_that_was_killed_is_launched_again(make_pool: MakePool) -> None:
    before = {p.pid for p in browsers()}
    async with make_pool() as own:
        async with own.bench() as bench:
            await bench.fresh("alice", "/")
        for process in browsers():
            if process.pid not in before:
                process.kill()
        async with own.bench() as bench:
            record = await bench.run(new_item("Spade"), "alice", "/", NOTHING)
    assert [c.change for c in record.diff.changes] == ["added"]


async def test_a_browser_that_is_killed_under_a_run_is_no_failed_run(make_pool: MakePool) -> None:
    before = {p.pid for p in browsers()}
    async with make_pool() as own:
        with pytest.raises(EnvironmentFault):
            async with own.bench() as bench:
                await bench.fresh("alice", "/")
                for process in browsers():
                    if process.pid not in before:
                        process.kill()
                await bench.perform(new_item("Spade"))
                await bench.facts(NOTHING, None)
        async with own.bench() as bench:
            assert (await bench.fresh("alice", "/items")).location == "/items"


async def test_what_a_pool_started_ends_with_it(make_pool: MakePool, tmp_path: Path) -> None:
    before = {p.pid for p in psutil.Process().children(recursive=True)}
    async with make_pool() as own, own.bench() as bench:
        await bench.fresh("alice", "/")
        assert {p.pid for p in psutil.Process().children(recursive=True)} - before
    left = {p.pid for p in psutil.Process().children(recursive=True) if p.status() != psutil.STATUS_ZOMBIE} - before
    assert left == set()
    assert not (tmp_path / "work").exists()


async def test_counts_of_a_bench_outlive_it(make_pool: MakePool) -> None:
    async with make_pool() as own:
        with pytest.raises(AppFault):
            async with own.bench() as bench:
                await bench.fresh("alice", "/")
                bench.environment.traffic.off_origin_blocked += 2
                bench.sign_outs += 1
                raise AppFault("broke")
        assert (own.traffic_blocked, own.sign_outs, own.traffic_reached) == (2, 1, 0)
        assert own.seconds["reset"] > 0
