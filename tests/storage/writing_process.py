"""A process that writes into a catalogue, for tests that kill it, starve it or run two of it. Prints what it did."""

from __future__ import annotations

import asyncio
import resource
import sys

from catalogue_samples import clock, draft, edge, exploration, page, proof, run_info, task, trajectory, unit

from pipeline.domain.verdict import RunCost
from pipeline.errors import RunFault
from storage.store import Store

COUNT = 12


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def work(place: str) -> None:
    """One run from nothing to the end, each call skipped or repeated as a resumed run would."""
    async with await Store.open(place, clock=clock) as store:
        if not await store.runs():
            await store.create_run(run_info())
        say("run")
        id = await store.begin_exploration("trac", "hash", "settings")
        if await store.exploration(id) is None:
            known = {u.key for u in await store.units(id)}
            for n in range(4):
                if f"u{n}" not in known:
                    await store.save_wave(id, n, [unit(f"u{n}", n)], [page(f"p{n}")], [edge(f"t{n}")])
                say("wave", n)
            await store.finish_exploration(id, exploration())
        await store.add_drafts("first", [draft(n) for n in range(COUNT)])
        say("drafts")
        await prove(store)
        say("done")


async def prove(store: Store) -> None:
    for first in range(0, COUNT, 4):
        chunk = [r for r in await store.drafts("first") if first <= r.draft.index < first + 4 and r.status == "queued"]
        for record in chunk:
            if record.proof is None:
                way = trajectory(4, 40)
                await store.record_proof("first", record.draft.id, proof(), way, cost=RunCost(seconds={"x": 1}))
            say("proved", record.draft.id)
        ids = {r.draft.index % 4: r.draft for r in chunk}
        if chunk:
            accepted = [task(ids[0], trajectory(4, 40)), task(ids[1], trajectory(4, 40))]
            await store.settle("first", accepted, [ids[2].id], [ids[3].id], [])
        say("settled", first)


async def compete(place: str, name: str) -> None:
    """Many short transactions that read before they write, beside another process that does the same."""
    async with await Store.open(place, clock=clock) as store:
        await store.create_run(run_info(name))
        say("ready")
        sys.stdin.readline()
        for n in range(60):
            await store.add_drafts(name, [draft(n)])
            await store.update_run(name, stats={"drafts": n + 1})
        say("done")


async def fill(place: str, limit: str) -> None:
    """Write until the disk is full, or the file has reached ``limit`` bytes."""
    if int(limit):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    store = await Store.open(place, clock=clock)
    await store.create_run(run_info())
    await store.add_drafts("first", [draft(n) for n in range(400)])
    try:
        for n in range(400):
            await store.record_proof(
                "first", draft(n).id, proof(), trajectory(8, 200 + n), cost=RunCost(seconds={"x": 1})
            )
            say("proved", n)
    except RunFault as fault:
        say("fault", fault)
    try:
        await store.update_run("first", phase="done", stats={f"padding {n}": n for n in range(300_000)})
    except RunFault as fault:
        say("again", fault)
    await store.close()


if __name__ == "__main__":
    asyncio.run({"work": work, "compete": compete, "fill": fill}[sys.argv[1]](*sys.argv[2:]))
