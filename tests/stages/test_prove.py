"""Proving side by side: what broke is unscored, never failed, and a stop leaves the rest for another sitting."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from datetime import date
from itertools import islice

import pytest
from desk_app import Conduct, Explored, MakeConfig, MakePool

from pipeline.checks.context import Seen
from pipeline.checks.mutant_goals import BUILDERS
from pipeline.config import RunConfig
from pipeline.domain.progress import Progress, Sink, nowhere
from pipeline.drafters.drafting import Past, Wanted, drafts
from pipeline.errors import BrowserFault
from pipeline.live.pool import PreparedApp
from pipeline.stages.opening import open_store
from pipeline.stages.prove import prove_queued
from pipeline.stages.scenes import known_app, scene
from storage.records import DraftRecord, RunInfo

Prove = Callable[..., Awaitable[list[DraftRecord]]]


@pytest.fixture
def prove(desk: PreparedApp, explored: Explored, make_config: MakeConfig, make_pool: MakePool) -> Prove:
    """Queue two drafts that change the desk, try each twice at most, and return what became of them."""

    async def run(
        over: Callable[[], bool] = lambda: False, operation: str = "set", sink: Sink = nowhere
    ) -> list[DraftRecord]:
        config: RunConfig = make_config()
        app = known_app(desk, explored.exploration)
        wanted = Wanted(operations=(operation,))
        made = list(islice(drafts(app, wanted, 7, date(2026, 3, 2), Past()), 2))
        async with await open_store(config) as store, make_pool(2) as pool:
            await store.create_run(RunInfo(name="one", app="desk"))
            await store.add_drafts("one", made)
            await prove_queued("one", store, pool, scene(desk, app, {}, 2), sink, over, 2, 5)
            return await store.drafts("one")

    return run


def test_a_wrong_value_is_found_for_an_option_that_is_only_on_or_off(desk: PreparedApp, explored: Explored) -> None:
    """It is another option of the same place, however the first draw of its value falls out."""
    app = known_app(desk, explored.exploration)
    found = drafts(app, Wanted(operations=("set",)), 7, date(2026, 3, 2), Past())
    box = next(d for d in found if [c.label for p in d.goal.parts for c in p.choices] == ["weekly digest"])
    around = scene(desk, app, {}, 2)
    assert all(BUILDERS["wrong_value"](Seen(box), around, random.Random(seed)) for seed in range(12))


async def test_an_application_that_always_breaks_leaves_drafts_unscored(prove: Prove, conduct: Conduct) -> None:
    conduct.order("die POST *")
    proofs = [r.proof for r in await prove()]
    assert [(p.outcome, p.reason) for p in proofs if p] == [("unscored", "environment-broke")] * 2


async def test_sessions_that_the_application_ends_leave_drafts_unscored(prove: Prove, conduct: Conduct) -> None:
    """A18: the sign-in form at the end of a run is no failed run; each lost session is counted."""
    conduct.order("expire POST *")
    proofs = [r.proof for r in await prove()]
    assert [(p.outcome, p.sign_outs) for p in proofs if p] == [("unscored", 2)] * 2


async def test_a_draft_is_proven_on_the_second_attempt(prove: Prove, conduct: Conduct) -> None:
    conduct.order("once expire POST *")
    told: list[Progress] = []
    proofs = [r.proof for r in await prove(sink=lambda event, /, **fields: told.append(event))]
    assert [p.outcome for p in proofs if p] == ["accepted", "accepted"]
    assert [(e.done, e.total) for e in told] == [(1, 5), (2, 5)], "progress counts tasks of those that are wanted"
    assert sum(p.sign_outs for p in proofs if p) == 1


async def test_a_form_that_is_answered_with_an_error_once_refuses_no_draft(prove: Prove, conduct: Conduct) -> None:
    conduct.order("once status 500 POST *")
    proofs = [r.proof for r in await prove()]
    assert [p.outcome for p in proofs if p] == ["accepted", "accepted"] and conduct.waiting == 0


async def test_forms_that_are_always_answered_with_an_error_refuse_drafts_and_it_is_told(
    prove: Prove, conduct: Conduct
) -> None:
    conduct.order("status 500 POST *")
    proofs = [r.proof for r in await prove()]
    assert [p.outcome for p in proofs if p] == ["rejected"] * 2
    said = [v.explanation for p in proofs if p for v in p.verdicts if v.finding == "fail"]
    assert all("The server answered 500 to POST /" in text for text in said)


async def test_a_stop_leaves_drafts_without_a_proof(prove: Prove) -> None:
    assert [r.proof for r in await prove(over=lambda: True)] == [None, None]


async def test_without_a_browser_drafts_are_left_for_another_sitting(prove: Prove, monkeypatch) -> None:
    """They are not unscored, which would be the end of them."""
    with monkeypatch.context() as without:
        without.setenv("TASKSIEVE_CHROMIUM", "/nowhere/chromium")
        with pytest.raises(BrowserFault, match="/nowhere/chromium"):
            await prove()
