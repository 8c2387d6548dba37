"""Exploring the desk: never out of the door, nothing sent where it may not be, and the same whoever does it."""

from __future__ import annotations

import asyncio
import shutil
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from desk_app import EXPLORE_ACTIONS, SIGN_OUTS, Conduct, Explored, MakeConfig, MakePool, desk_profile

from pipeline.apps.processes import Owner
from pipeline.config import RunConfig
from pipeline.domain.exploration import Exploration
from pipeline.domain.progress import Progress, Sink, nowhere
from pipeline.errors import BrowserFault
from pipeline.live.pool import Pool, PreparedApp
from pipeline.stages import later
from pipeline.stages.explore import explore, explore_app
from pipeline.stages.opening import open_store
from pipeline.stages.prepare import prepare_app
from storage.records import UnitRecord

SMALL = {"actions": 30, "seconds": 0}
"""Enough for most places and some forms."""


class Trip:
    """One exploration into a catalogue of its own."""

    def __init__(self, config: RunConfig, pool: Pool) -> None:
        self.config = config
        self.pool = pool
        self.units: list[UnitRecord] = []
        self.found = Exploration(app="", template_hash="", home="", user="")

    async def go(self, sink: Sink = nowhere, stop: asyncio.Event | None = None, **limits: Any) -> Exploration:
        store = await open_store(self.config)
        try:
            async with self.pool as pool:
                given = {"fresh": False, **SMALL, **limits}
                found = await explore(self.config, pool, store, sink, stop or asyncio.Event(), **given)
            self.units, self.found = await store.units(found.id), found
            return found
        finally:
            await store.close()


@pytest.fixture
def trip(make_config: MakeConfig, make_pool: MakePool):
    def make(name: str = "one", workers: int = 2, app: PreparedApp | None = None) -> Trip:
        return Trip(make_config(name, wave=4), make_pool(workers, app) if app else make_pool(workers))

    return make


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def undisturbed(desk: PreparedApp, desk_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Trip:
    """A small exploration by one worker, without a stop."""
    folder = tmp_path_factory.mktemp("undisturbed")
    Conduct(desk_root / "control").clear()
    config = RunConfig(home=desk_root / "home", catalogue=str(folder / "catalogue.db"), wave=4)
    made = Trip(config, Pool(desk, 1, folder / "work", Owner.here(desk_root / "home")))
    await made.go()
    return made


def meaning(found: Exploration) -> dict[str, Any]:
    """Everything but the wording of what changes from one look to the next."""
    pages = [(p.id, p.location, p.state_key, p.depth) for p in found.pages]
    rest = found.model_dump(mode="json", include={"features", "transitions", "masks", "actions", "forms", "stopped_by"})
    return {"pages": pages, **rest}


def places(units: list[UnitRecord]) -> list[tuple[int, int, str]]:
    return [(u.wave, u.position, u.key) for u in units]


def test_the_explorer_never_signs_itself_out(explored: Explored) -> None:
    """E2: neither by the button that says so nor by the link that is only an icon."""
    assert explored.exploration.sign_outs == 0
    assert [a for a in explored.asked if a.place in SIGN_OUTS] == []
    assert {a.who for a in explored.asked} == {"alice"}
    icons = [e for p in explored.exploration.pages for e in p.observation.elements if e.leads_to == "/session/end"]
    assert icons, "the link is seen, it is only never used"


async def test_a_place_that_ends_the_session_is_tried_again_once_and_then_left(trip, conduct: Conduct) -> None:
    """Where no word tells, the effect does: it is counted, and everything else is found all the same."""
    conduct.order("expire /news")
    journey = trip(workers=1)
    found = await journey.go(actions=8)
    assert found.sign_outs == 1
    assert [u.result["problem"] for u in journey.units if u.key == "visit /news"] == ["signed out"]
    assert sum(a.place == "/news" for a in conduct.asked) == 2
    assert {"/items", "/clubs", "/contact"} <= {p.id for p in found.pages}


def test_what_another_day_changes_by_looking_is_masked(explored: Explored) -> None:
    masks = [m for m in explored.exploration.masks if m.table == "visit"]
    assert [(m.key, m.columns) for m in masks] == [({"who": "alice"}, ("day",))]


def test_passwords_are_never_touched(explored: Explored) -> None:
    assert [a for a in explored.asked if a.place == "/password" and a.method == "POST"] == []


def test_the_whole_desk_is_found(explored: Explored) -> None:
    found = explored.exploration
    assert found.stopped_by == "frontier"
    routes = {p.location for p in found.pages}
    assert {"/", "/items", "/items/new", "/clubs", "/clubs/new", "/news", "/contact", "/settings"} <= routes
    operations = {(f.operation, f.noun) for f in found.features}
    assert {
        ("create", "item"), ("edit", "item"), ("set", "item"), ("assign", "item"), ("delete", "item"), ("read", "item"),
        ("create", "club"), ("edit", "club"), ("delete", "club"), ("read", "club"), ("create", "message"),
    } <= operations  # fmt: skip
    assert {"search", "filter", "sort", "navigate"} <= {f.operation for f in found.features}
    assert {p.label for f in found.features if f.route == "/settings" for p in f.parameters} == {
        "theme", "greeting", "weekly digest",
    }  # fmt: skip


def test_clocks_and_random_ids_make_no_new_states(explored: Explored) -> None:
    """B1: every page shows the time and a random id, and is still one state a route."""
    keys = defaultdict(set)
    for page in explored.exploration.pages:
        if page.location.startswith(("/items/", "/clubs/")) and page.location.count("/") == 2:
            kind = page.location.rsplit("/", 1)[0] + ("/new" if page.location.endswith("/new") else "/{}")
            keys[kind].add(page.state_key)
    assert {kind: len(found) for kind, found in keys.items()} == {
        "/items/{}": 1, "/items/new": 1, "/clubs/{}": 1, "/clubs/new": 1,
    }  # fmt: skip


def test_what_merely_looking_changes_becomes_a_mask_and_no_effect(explored: Explored) -> None:
    """The news note who read them last."""
    masks = [m for m in explored.exploration.masks if m.table != "visit"]
    assert [(m.table, m.key, set(m.columns), m.reason) for m in masks] == [
        ("seen", {"who": "alice"}, {"at", "times"}, "looking")
    ]
    assert all(row.table != "seen" for f in explored.exploration.features for row in f.effects.rows)


async def test_nothing_is_submitted_where_data_is_not_disposable(trip, desk: PreparedApp, conduct: Conduct) -> None:
    """E3: the contact form stays unsent."""
    kept = replace(desk, profile=desk.profile.model_copy(update={"disposable": False}))
    found = await trip(app=kept).go()
    assert [a for a in conduct.asked if a.method == "POST"] == []
    assert len(found.pages) > 10 and not any(f.effects.changes_state for f in found.features)


def test_forms_are_submitted_where_data_is_disposable(explored: Explored) -> None:
    assert sum(a.method == "POST" and a.place == "/contact" for a in explored.asked) >= 4


async def test_one_worker_or_two_that_are_disturbed_find_the_same(trip, undisturbed: Trip, conduct: Conduct) -> None:
    """A unit under which the application broke is done again, and nothing depends on who did it."""
    conduct.order("once die /clubs")
    conduct.order("once status 503 /news")
    conduct.order("once expire /settings")
    together = await trip(workers=2).go()
    assert conduct.waiting == 0
    assert meaning(together) == meaning(undisturbed.found)
    assert any(f.effects.changes_state for f in together.features)


async def test_a_stopped_exploration_goes_on_where_it_was(trip, undisturbed: Trip) -> None:
    """What was saved is not done again, and the end is as if there had been no stop."""
    stop = asyncio.Event()

    def stop_after_two_waves(event: Progress, /, **fields: Any) -> None:
        if event.done >= 5:
            stop.set()

    halted = await trip().go(stop_after_two_waves, stop)
    assert halted.stopped_by == "interrupted" and halted.actions < undisturbed.found.actions
    again = trip()
    assert meaning(await again.go()) == meaning(undisturbed.found)
    assert places(again.units) == places(undisturbed.units)


async def test_a_finished_exploration_is_taken_from_the_catalogue(trip, conduct: Conduct) -> None:
    first = await trip(workers=1).go(actions=5)
    conduct.clear()
    assert await trip(workers=1).go(actions=5) == first
    assert conduct.asked == []


async def test_no_wave_is_begun_beyond_the_budget(trip) -> None:
    journey = trip(workers=1)
    found = await journey.go(actions=5)
    last = max(u.wave for u in journey.units)
    assert found.stopped_by == "budget"
    assert sum(u.actions for u in journey.units if u.wave < last) < 5 <= found.actions


async def test_time_that_is_over_ends_it_and_says_so(trip) -> None:
    found = await trip(workers=1).go(seconds=1e-9)
    assert (found.stopped_by, found.actions) == ("time", 0)


async def test_after_an_upgrade_only_what_changed_is_tried_again(
    explored: Explored, desk_root: Path, conduct: Conduct, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second version has another button for one form; all else is as it was."""
    monkeypatch.setattr(later, "DEEDS", 0)  # what is done to look around afterwards is no trial
    profile = desk_profile(tmp_path, desk_root / "control")
    program = tmp_path / "desk" / "app.py"
    program.write_text(program.read_text().replace('"Create club"', '"Found a club"'))
    shutil.copy(explored.catalogue, tmp_path / "catalogue.db")
    config = RunConfig(home=desk_root / "home", catalogue=str(tmp_path / "catalogue.db"), workers=2)
    app = await prepare_app(str(profile), config, nowhere)
    found = await explore_app(config, app, nowhere, asyncio.Event(), False, actions=EXPLORE_ACTIONS, seconds=0)
    tried = {a.place for a in conduct.asked if a.method == "POST" and a.place != "/login"}
    assert tried == {"/clubs/new"}
    assert found.template_hash != explored.exploration.template_hash
    assert {f.id for f in found.features} - {f.id for f in explored.exploration.features} == {
        f.id for f in found.features if f.operation == "create" and f.noun == "club"
    }


async def test_without_a_browser_nothing_is_explored_and_nothing_is_kept(trip, monkeypatch) -> None:
    """A browser that is gone is a fault of the run; with one, exploring begins as if nothing had been."""
    gone, there = trip("gone"), trip("gone")
    with monkeypatch.context() as without:
        without.setenv("TASKSIEVE_CHROMIUM", "/nowhere/chromium")
        with pytest.raises(BrowserFault, match="/nowhere/chromium"):
            await gone.go()
    found = await there.go()
    assert (found.stopped_by, bool(found.pages)) == ("budget", True)
