"""The bundled forum, for real: installed, seeded, started, changed, reset and compared. Needs PyPI once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest
from bundled import (  # noqa: F401  # tests that hold for every bundled application
    test_resets_need_no_restart,
    test_seeding_again_gives_the_same_hash,
    test_the_bundled_profile_passes_its_own_check,
)

from pipeline.apps.install import AppHome
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner
from pipeline.apps.profile_file import load_profile
from pipeline.apps.template import Template
from pipeline.domain.environment import SessionState
from pipeline.domain.state import diff

pytestmark = pytest.mark.e2e

PROFILE = load_profile("spirit")


def client(base_url: str, cookies: Mapping[str, str] | None = None) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=base_url, cookies=dict(cookies or {}), trust_env=False, follow_redirects=True, timeout=30
    )


async def post(http: httpx.AsyncClient, page: str, target: str = "", **fields: str) -> httpx.Response:
    """Send the form of a page, with the token that the page carries."""
    token = re.search(r'(?:csrfmiddlewaretoken" value=|csrfToken: )"(\w+)"', (await http.get(page)).text)
    assert token
    return await http.post(target or page, data={"csrfmiddlewaretoken": token[1], **fields})


async def sign_in(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
    """Sign every user in over plain HTTP and look at a few pages, as the browser's warming does."""
    sessions = {}
    for user, password in passwords.items():
        async with client(base_url) as http:
            page = await post(http, "/user/login/", username=user, password=password)
            assert "Log out" in page.text
            for path in ("/", "/topic/private/", "/topic/notification/", "/search/"):
                assert (await http.get(path)).status_code == 200
            sessions[user] = SessionState(user, {"cookies": dict(http.cookies)})
    return sessions


def as_user(instance: AppInstance, user: str) -> httpx.AsyncClient:
    session = instance.session(user)
    assert session is not None
    return client(instance.base_url, session.stored["cookies"])


async def publish(http: httpx.AsyncClient, title: str) -> httpx.Response:
    return await post(http, "/topic/publish/", title=title, category="3", comment="Where does it live?")


async def test_a_new_topic_is_found_and_a_reset_takes_it_away_while_the_forum_runs(instance: AppInstance) -> None:
    async with as_user(instance, "bob") as http:
        before = await instance.snapshot()
        assert "Newt under the slab" in (await publish(http, "Newt under the slab")).text
        added = [c.after for c in diff(before, await instance.snapshot()).changes if c.table == "spirit_topic_topic"]
        assert [row["title"] for row in added if row] == ["Newt under the slab"]
        assert "Newt under the slab" in (await http.get("/search/?q=newt+slab")).text
        assert (await instance.reset()).fingerprint == instance.template.snapshot.fingerprint
        assert "no search results" in (await http.get("/search/?q=newt+slab")).text
        assert "Log out" in (await http.get("/")).text
    assert instance.restarts == 0


async def test_nobody_is_slowed_down_and_the_same_may_be_said_twice(instance: AppInstance) -> None:
    async with as_user(instance, "carol") as http:
        for _ in range(3):
            assert "Same again" in (await publish(http, "Same again")).text
        changed = diff(instance.template.snapshot, await instance.snapshot()).changes
    assert len([c for c in changed if c.table == "spirit_topic_topic" and c.before is None]) == 3


async def test_a_setting_that_the_forum_keeps_in_memory_is_reset(instance: AppInstance) -> None:
    async with as_user(instance, "admin") as http:
        fields = {"site_name": "Elsewhere", "comments_per_page": "5", "topics_per_page": "5"}
        await post(http, "/st/admin/config/", **fields)
        assert "Elsewhere" in (await http.get("/")).text
        await instance.reset()
        page = (await http.get("/")).text
    assert "Elsewhere" not in page
    assert page.count("topic__link") == 20


async def test_search_keeps_private_and_removed_topics_to_itself(instance: AppInstance) -> None:
    async with as_user(instance, "admin") as http:
        assert "no search results" in (await http.get("/search/?q=Complaint+radio")).text
        found = (await http.get("/search/?q=pumpkin")).text
        topic = re.search(r'href="/topic/(\d+)/[^"]*"[^>]*>Which pumpkin', found)
        assert topic
        assert "no search results" in (await http.get("/search/?q=pumpkin+keeps&category=4")).text
        await post(http, "/", f"/topic/moderate/delete/{topic[1]}/")
        assert "Which pumpkin" not in (await http.get("/search/?q=pumpkin")).text


async def test_signing_out_really_signs_out_and_a_reset_signs_in_again(instance: AppInstance) -> None:
    async with as_user(instance, "alice") as http:
        await post(http, "/", "/user/logout/")
    async with as_user(instance, "alice") as http:
        assert "Log out" not in (await http.get("/")).text
    await instance.reset()
    async with as_user(instance, "alice") as http:
        assert "Log out" in (await http.get("/")).text


async def test_a_wrong_password_is_refused_however_often(instance: AppInstance) -> None:
    async with client(instance.base_url) as http:
        for _ in range(7):
            page = await post(http, "/user/login/", username="alice", password="wrong")
        assert "errorlist nonfield" in page.text  # an error, and no word of waiting
        assert "Too many" not in page.text
        assert "sessionid" not in http.cookies


async def test_a_style_sheet_is_kept_by_the_browser_and_paths_lead_nowhere_else(instance: AppInstance) -> None:
    async with client(instance.base_url) as http:
        sheet = await http.get("/static/spirit/stylesheets/styles.all.min.css")
        assert sheet.headers["content-type"] == "text/css"
        assert "immutable" in sheet.headers["cache-control"]
        assert (await http.get("/static/../settings.py")).status_code == 404
        assert (await http.get("/static/%2e%2e/%2e%2e/forum.db")).status_code == 404


async def test_the_clock_can_be_moved_and_sessions_hold(template: Template, home: AppHome, tmp_path: Path) -> None:
    moved = AppInstance(template, PROFILE, home, tmp_path / "moved", Owner.here(tmp_path), clock="2026-03-20T10:00:00Z")
    async with moved, as_user(moved, "bob") as http:
        answer = await http.get("/")
        assert "Log out" in answer.text
        assert parsedate_to_datetime(answer.headers["date"]).date().isoformat() == "2026-03-20"
        await publish(http, "From the future")
        rows = (await moved.snapshot()).tables["spirit_topic_topic"].rows.values()
    assert [str(row["date"])[:10] for row in rows if row["title"] == "From the future"] == ["2026-03-20"]
