"""Runs, leases, explorations."""

from __future__ import annotations

import pytest
from catalogue_samples import edge, exploration, feature, page, run_info, unit
from pydantic import ValidationError

from pipeline.errors import CatalogueError, RunFault, UserError


async def test_a_run_comes_back_with_the_clock_of_the_store(store):
    assert await store.run("first") == run_info(created="2024-05-01T12:00:00+00:00")
    assert [r.name for r in await store.runs()] == ["first"]


async def test_a_taken_name_is_refused(store):
    with pytest.raises(UserError, match=r"'first' already.*--resume"):
        await store.create_run(run_info())


async def test_an_unknown_run_names_near_ones(store):
    with pytest.raises(UserError, match=r"'firts'.*did you mean 'first'"):
        await store.run("firts")


async def test_changes_of_a_run_are_kept(store):
    await store.update_run("first", phase="prove", wall_s=2.5, stats={"drafts": 3})
    await store.update_run("first", stopped_by="count")
    run = await store.run("first")
    assert (run.phase, run.stopped_by, run.wall_s, run.stats) == ("prove", "count", 2.5, {"drafts": 3})
    with pytest.raises(ValidationError):
        await store.update_run("first", colour="red")


async def test_a_live_owner_keeps_the_lease_and_a_dead_one_loses_it(store):
    await store.claim_run("first", "1:77", lambda owner: True)
    await store.claim_run("first", "1:77", lambda owner: True)
    with pytest.raises(CatalogueError, match="'first' is being worked on by process 1 since"):
        await store.claim_run("first", "2:88", lambda owner: owner == "1:77")
    await store.claim_run("first", "2:88", lambda owner: False)
    await store.release_run("first", "1:77")
    assert [lease.owner for lease in await store.leases()] == ["2:88"]
    await store.release_run("first", "2:88")
    assert await store.leases() == []


async def begun(store, **more) -> str:
    return await store.begin_exploration("trac", "hash", "settings", **more)


async def test_equal_inputs_are_the_same_exploration(store):
    id = await begun(store)
    await store.save_wave(id, 0, [unit("u1")], [page("a")], [edge("t1")])
    assert await begun(store) == id
    assert len(await store.units(id)) == 1
    assert await store.begin_exploration("trac", "hash2", "settings") != id


async def test_fresh_drops_what_was_there(store):
    id = await begun(store)
    await store.save_wave(id, 0, [unit("u1")], [page("a")], [edge("t1")])
    await store.finish_exploration(id, exploration())
    assert await begun(store, fresh=True) == id
    (info,) = await store.explorations("trac")
    assert (info.units, info.pages, info.transitions, info.features, info.finished) == (0, 0, 0, 0, "")


async def test_units_come_back_by_wave_and_position(store):
    id = await begun(store)
    await store.save_wave(id, 1, [unit("c", 1, 0)], [], [])
    await store.save_wave(id, 0, [unit("b", 0, 1), unit("a", 0, 0)], [], [])
    assert await store.units(id) == [unit("a", 0, 0), unit("b", 0, 1), unit("c", 1, 0)]


async def test_saving_a_wave_twice_leaves_the_same_rows(store):
    id = await begun(store)
    for _ in range(2):
        await store.save_wave(id, 0, [unit("a")], [page("b"), page("a")], [edge("t2"), edge("t1")])
        assert await store.units(id) == [unit("a")]
        assert await store.pages(id) == [page("b"), page("a")]
        assert await store.transitions(id) == [edge("t2"), edge("t1")]


async def test_a_transition_seen_again_takes_the_newer_form(store):
    id = await begun(store)
    await store.save_wave(id, 0, [], [], [edge("t2"), edge("t1")])
    await store.save_wave(id, 1, [], [], [edge("t2", status="observed"), edge("t3")])
    assert [(t.id, t.status) for t in await store.transitions(id)] == [
        ("t2", "observed"),
        ("t1", "inferred"),
        ("t3", "inferred"),
    ]


async def test_an_exploration_is_none_until_finished_and_then_equal(store):
    id = await begun(store)
    await store.save_wave(id, 0, [unit("a")], [page("a"), page("old")], [edge("t1")])
    assert await store.exploration(id) is None
    assert await store.features("trac") == []
    for _ in range(2):
        await store.finish_exploration(id, exploration())
        assert await store.exploration(id) == exploration()
    assert await store.features("trac") == [feature(), feature("edit-ticket")]
    (info,) = await store.explorations()
    assert (info.pages, info.transitions, info.features, info.units, info.stopped_by) == (3, 2, 2, 1, "frontier")


async def test_an_exploration_that_vanished_is_a_fault_of_the_run(store):
    with pytest.raises(RunFault, match="begin it again"):
        await store.save_wave("nothing", 0, [unit("a")], [], [])
