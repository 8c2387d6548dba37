"""Runs on the desk: a reset before each, facts after each, and what breaks around them is never the run's failure."""

from __future__ import annotations

import hashlib

import pytest
from desk_app import Conduct, MakePool

from pipeline.domain.action import Action, Answer, Click, Fill, Open, Select
from pipeline.domain.evaluator import (
    AnswerIs,
    CellRef,
    Condition,
    Evaluator,
    LocationIs,
    NothingElse,
    ProbeShows,
    evaluate,
)
from pipeline.domain.observation import Locator
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.errors import AppFault, SessionFault
from pipeline.live.pool import Pool

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAVED = (
    Open(location="/items/3/edit"),
    Select(target=Locator(role="combobox", name="Shelf"), option="Cellar"),
    Click(target=Locator(role="button", name="Save")),
)
ON_THE_SHELF = RowCondition(
    table="item",
    change="changed",
    key={"id": Equals(value=3)},
    cells={"shelf": Equals(value="Cellar"), "changed": AnyValue()},
)


def nothing_but(*conditions: Condition) -> Evaluator:
    return Evaluator(conditions=(*conditions, NothingElse()))


async def test_a_run_starts_from_a_reset_and_its_facts_are_the_changes_since(pool: Pool) -> None:
    async with pool.bench() as bench:
        for _ in range(2):
            record = await bench.run(SAVED, "alice", "/", nothing_but(ON_THE_SHELF))
            assert evaluate(nothing_but(ON_THE_SHELF), record.facts).outcome == "passed"
            assert [(c.table, c.key, c.changed_columns) for c in record.diff.changes] == [
                ("item", {"id": 3}, {"shelf", "changed"})
            ]
        assert (await bench.fresh("alice", "/")).location == "/"
        assert bench.start.cell("item", {"id": 3}, "shelf") == "Attic"


async def test_a_run_in_which_nothing_is_done_changes_nothing(pool: Pool) -> None:
    async with pool.bench() as bench:
        record = await bench.run((), "alice", "/", nothing_but(ON_THE_SHELF))
    assert record.diff.changes == () and record.trajectory.steps == ()
    assert evaluate(nothing_but(ON_THE_SHELF), record.facts).outcome == "failed"


async def test_a_trajectory_ends_at_the_first_step_that_cannot_be_done(pool: Pool) -> None:
    absent = Click(target=Locator(role="button", name="Publish"))
    async with pool.bench() as bench:
        await bench.fresh("alice", "/items/3/edit")
        trajectory = await bench.perform([absent, *SAVED])
    assert [s.outcome.problem for s in trajectory.steps] == ["not-found"]
    assert trajectory.broken_at == 0


async def test_unwatched_a_run_ends_where_a_watched_one_ends(pool: Pool) -> None:
    filled: list[Action] = [
        Open(location="/clubs/choir/edit"),
        Fill(target=Locator(role="textbox", name="City"), text="Dover"),
        Fill(target=Locator(role="textbox", name="Motto"), text="Louder"),
        Click(target=Locator(role="button", name="Save")),
    ]
    async with pool.bench() as bench:
        ends = [
            await bench.run(filled, "alice", "/", nothing_but(LocationIs(path="/clubs/choir")), watched=watched)
            for watched in (True, False)
        ]
    assert [e.facts.final.location for e in ends if e.facts.final] == ["/clubs/choir"] * 2
    assert ends[0].facts.diff == ends[1].facts.diff and ends[0].diff.changes


async def test_locations_hold_no_origin(pool: Pool) -> None:
    """What is stored must not depend on the port an instance happened to get."""
    async with pool.bench() as bench:
        record = await bench.run(SAVED, "alice", "/items", nothing_but(LocationIs(path="/items/3")))
        written = record.trajectory.model_dump_json()
        assert str(bench.instance.port) not in written
        assert "https://elsewhere.example/desk" in (await bench.fresh("alice", "/")).model_dump_json()
    assert [s.after.location for s in record.trajectory.steps] == ["/items/3/edit", "/items/3/edit", "/items/3"]
    assert evaluate(Evaluator(conditions=(LocationIs(path="/items/3"),)), record.facts).outcome == "passed"


async def test_a_locator_that_needs_a_target_is_found_whatever_the_port(pool: Pool) -> None:
    follow = Click(target=Locator(role="link", name="Canoe", leads_to="/items/7"))
    async with pool.bench() as bench:
        await bench.fresh("alice", "/items")
        step = await bench.do(follow)
    assert (step.outcome.problem, step.after.location, step.effect) == ("", "/items/7", True)


async def test_an_answer_is_compared_with_the_start_state(pool: Pool) -> None:
    asked = Evaluator(conditions=(AnswerIs(cell=CellRef(table="item", key={"id": 2}, column="shelf")), NothingElse()))
    async with pool.bench() as bench:
        outcomes = [
            evaluate(asked, (await bench.run((Answer(text=t),), "alice", "/items/2", asked)).facts).outcome
            for t in ("Cellar", "Attic")
        ]
    assert outcomes == ["passed", "failed"]


async def test_a_probe_looks_in_a_session_of_its_own(pool: Pool) -> None:
    """It sees what is stored, not what merely stands in the agent's form, and does not move the agent's screen."""
    typed = (
        Open(location="/items/3/edit"),
        Fill(target=Locator(role="textbox", name="Title"), text="Beach tent"),
    )
    shows = ProbeShows(location="/items/3/edit", role="textbox", name="Title", value="Beach tent")
    judge = Evaluator(conditions=(shows,))
    async with pool.bench() as bench:
        unsaved = await bench.run(typed, "alice", "/", judge)
        saved = await bench.run((*typed, Click(target=Locator(role="button", name="Save"))), "alice", "/", judge)
        assert (await bench.look()).location == "/items/3"
    assert evaluate(judge, unsaved.facts).outcome == "failed"
    assert evaluate(judge, saved.facts).outcome == "passed"
    assert unsaved.facts.final is not None and unsaved.facts.final.location == "/items/3/edit"


@pytest.mark.parametrize("status", [429, 500])
@pytest.mark.parametrize("present", [True, False])
async def test_a_probe_that_meets_a_broken_or_overloaded_server_is_unknown(
    pool: Pool, conduct: Conduct, status: int, present: bool
) -> None:
    judge = Evaluator(conditions=(ProbeShows(location="/news", role="heading", name="News", present=present),))
    conduct.order(f"status {status} /news")
    async with pool.bench() as bench:
        record = await bench.run((), "alice", "/", judge)
    assert evaluate(judge, record.facts).outcome == "unscored"


async def test_what_the_server_broke_at_is_told_of_its_own_run_only(pool: Pool, conduct: Conduct) -> None:
    conduct.order("once status 500 POST /items/3/edit")
    judge = Evaluator(conditions=(ON_THE_SHELF,))
    async with pool.bench() as bench:
        first, second = [await bench.run(SAVED, "alice", "/", judge) for _ in range(2)]
    assert [f.model_dump() for f in first.server_faults] == [{"method": "POST", "status": 500, "path": "/items/3/edit"}]
    assert evaluate(judge, first.facts).outcome == "failed"
    assert (second.server_faults, evaluate(judge, second.facts).outcome) == ((), "passed")


async def test_a_session_that_the_server_ended_is_no_failed_run(pool: Pool, conduct: Conduct) -> None:
    """A18: every page is the sign-in form from then on; a new bench is signed in again."""
    conduct.order("once expire /items/3")
    judge = nothing_but(ON_THE_SHELF)
    with pytest.raises(SessionFault, match="alice is no longer signed in"):
        async with pool.bench() as bench:
            broken = bench
            await bench.run((Open(location="/items/3"), *SAVED), "alice", "/", judge)
    assert broken.sign_outs == 1
    async with pool.bench() as bench:
        record = await bench.run(SAVED, "alice", "/", judge)
        assert bench is not broken
    assert evaluate(judge, record.facts).outcome == "passed"


async def test_a_start_page_that_is_refused_is_no_sign_out(pool: Pool, conduct: Conduct) -> None:
    conduct.order("foreign /items/3")
    conduct.order("status 429 /")
    async with pool.bench() as bench:
        await bench.fresh("alice", "/items/3")
        with pytest.raises(AppFault, match="status 429 at /"):
            await bench.require_signed_in()
        assert bench.sign_outs == 0


async def test_a_broken_start_page_is_no_sign_out(pool: Pool, conduct: Conduct) -> None:
    """It may be broken by what was done; the place at hand tells as well who is there."""
    conduct.order("foreign /items/3")
    conduct.order("status 500 /")
    async with pool.bench() as bench:
        await bench.fresh("alice", "/items/3")
        await bench.require_signed_in()
        assert bench.sign_outs == 0


async def test_a_sign_out_is_found_where_the_start_page_is_broken(pool: Pool, conduct: Conduct) -> None:
    with pytest.raises(SessionFault, match="alice is no longer signed in"):
        async with pool.bench() as bench:
            conduct.order("once foreign /items/3")
            await bench.fresh("alice", "/items/3")
            conduct.order("status 500 /")
            conduct.order("once expire /items/3")
            await bench.require_signed_in()


async def test_where_everything_is_broken_nobody_knows_who_is_signed_in(pool: Pool, conduct: Conduct) -> None:
    async with pool.bench() as bench:
        conduct.order("foreign /items/3")
        await bench.fresh("alice", "/items/3")
        conduct.order("status 500 /*")
        with pytest.raises(AppFault, match="broken at /; nobody knows"):
            await bench.require_signed_in()
        assert bench.sign_outs == 0


async def test_another_language_is_no_sign_out(pool: Pool, conduct: Conduct) -> None:
    """The sign of being signed in is a word of one language; a stranger is offered other things all the same."""
    conduct.order("foreign /*")
    async with pool.bench() as bench:
        record = await bench.run(SAVED, "alice", "/", nothing_but(ON_THE_SHELF))
        assert "Angemeldet: alice" in (await bench.look()).text
        assert bench.sign_outs == 0
    assert evaluate(nothing_but(ON_THE_SHELF), record.facts).outcome == "passed"


async def test_users_keep_apart(pool: Pool) -> None:
    async with pool.bench() as bench:
        assert "Hello bob" in (await bench.fresh("bob", "/")).text
        assert "Hello alice" in (await bench.fresh("alice", "/")).text


@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_an_overloaded_server_is_a_fault_of_the_application(pool: Pool, conduct: Conduct, status: int) -> None:
    conduct.order(f"once status {status} POST /items/3/edit")
    with pytest.raises(AppFault, match=f"desk answered with status {status} at /items/3/edit"):
        async with pool.bench() as bench:
            await bench.run(SAVED, "alice", "/", nothing_but(ON_THE_SHELF))


async def test_pictures_are_kept_by_their_content(make_pool: MakePool) -> None:
    kept: dict[str, bytes] = {}

    async def keep(data: bytes) -> str:
        address = hashlib.sha256(data).hexdigest()
        kept[address] = data
        return address

    async with make_pool(keep_picture=keep) as own, own.bench() as bench:
        record = await bench.run(SAVED, "alice", "/", nothing_but(ON_THE_SHELF), pictures=True)
        plain = await bench.run(SAVED, "alice", "/", nothing_but(ON_THE_SHELF))
    addresses = {a for s in record.trajectory.steps for a in (s.picture_before, s.picture_after)}
    assert addresses == set(kept) and len(kept) >= 4
    assert all(data.startswith(b"\xff\xd8") for data in kept.values())
    assert {s.picture_after for s in plain.trajectory.steps} == {""}
