"""Warming: a place that ends the session, whatever its link is called, leaves no dead session in the template."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from drawn_pages import element, link, page

from pipeline.domain.environment import SessionState
from pipeline.domain.progress import Progress
from pipeline.errors import AppFault, EnvironmentFault, SessionFault
from pipeline.live.pool import surroundings
from pipeline.stages import prepare
from pipeline.stages.prepare import _Visitor, prepare_app, warmer


class Site:
    """Three pages for whoever is signed in; one of them ends the session."""

    def __init__(self, ends: str) -> None:
        self.ends = ends
        self.alive: set[str] = set()
        self.entered = 0
        self.visited: list[str] = []

    async def enter(self) -> SessionState:
        self.entered += 1
        name = f"session {self.entered}"
        self.alive.add(name)
        return SessionState(user="ann", stored={"name": name})

    async def begin(self, session: SessionState, url: str) -> Any:
        location = url.removeprefix("http://site") or "/"
        self.visited.append(location)
        if location == self.ends:
            self.alive.clear()
        sign = [element("text", "Signed in as ann")] if session.stored["name"] in self.alive else []
        links = [link("My corner", "/corner"), link("Books", "/books"), link("Notes", "/notes")]
        return page(location, *sign, *links)


async def _look_around(site: Site) -> SessionState:
    sign = SimpleNamespace(stands_in=lambda seen, user: any(user in e.name for e in seen.elements))
    profile: Any = SimpleNamespace(name="site", home="/", sign_in=SimpleNamespace(signed_in=sign))
    visitor = _Visitor(profile, site, "http://site", "ann", site.enter)  # type: ignore[arg-type]
    return await visitor.look_around(10)


async def test_a_session_that_a_place_ended_is_begun_anew_and_the_rest_is_visited() -> None:
    site = Site(ends="/corner")
    session = await _look_around(site)
    assert (site.entered, session.stored["name"] in site.alive) == (2, True)
    assert {"/books", "/notes"} <= set(site.visited) and site.visited.count("/corner") == 1


async def test_a_session_that_holds_is_kept() -> None:
    site = Site(ends="/nowhere")
    assert (await _look_around(site)).stored == {"name": "session 1"}


async def test_where_nobody_signs_in_no_signing_in_is_told() -> None:
    told: list[Progress] = []
    profile: Any = SimpleNamespace(name="site", title="Site", user_names=())
    owner: Any = None  # of processes, and none is started
    assert await warmer(profile, owner, told.append)("http://site", {}) == {}
    assert told == []


@pytest.mark.parametrize(
    ("resettable", "disposable", "reads"), [(True, True, False), (True, False, True), (False, True, True)]
)
def test_only_what_nobody_misses_and_can_be_put_back_is_written_to(
    resettable: bool, disposable: bool, reads: bool
) -> None:
    given = {"resettable": resettable, "disposable": disposable, "locale": "en", "timezone": "UTC", "clock": None}
    profile: Any = SimpleNamespace(**given, origins=lambda base: (base,))
    assert surroundings(profile, "http://site").read_only is reads


@pytest.mark.parametrize("fault", [AppFault, partial(AppFault, key="ready.path"), SessionFault])
async def test_a_start_that_fails_names_the_application_and_what_finds_out_more(fault, tmp_path, monkeypatch) -> None:
    async def fails(*_: Any) -> None:
        raise fault("http://127.0.0.1:9/ready was not ready within 10 s.")

    async def nothing(*_: Any) -> None:
        return None

    monkeypatch.setattr(prepare, "make_template", fails)
    monkeypatch.setattr(prepare, "install", nothing)
    config: Any = SimpleNamespace(home=tmp_path)
    with pytest.raises(
        EnvironmentFault, match=r"^trac: http.* ready within 10 s\. Find out more by: tasksieve apps check trac$"
    ):
        await prepare_app("trac", config, lambda _: None)
