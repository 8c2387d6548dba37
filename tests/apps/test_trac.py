"""The bundled Trac, for real: installed, seeded, started twice, changed, reset and compared. Needs PyPI once."""

from __future__ import annotations

import re
import sqlite3
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

PROFILE = load_profile("trac")


async def sign_in(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
    """Sign every user in over plain HTTP and look at a few pages, as the browser's warming does."""
    sessions = {}
    for user, password in passwords.items():
        async with httpx.AsyncClient(base_url=base_url, trust_env=False, follow_redirects=True, timeout=30) as http:
            page = await http.post("/login", data={"username": user, "password": password})
            assert "Logout" in page.text
            for path in ("/wiki", "/timeline", "/roadmap", "/report", "/query", "/newticket", "/search"):
                assert (await http.get(path)).status_code == 200
            sessions[user] = SessionState(user, {"cookies": dict(http.cookies)})
    return sessions


def as_user(instance: AppInstance, user: str) -> httpx.AsyncClient:
    session = instance.session(user)
    assert session is not None
    cookies = session.stored["cookies"]
    return httpx.AsyncClient(
        base_url=instance.base_url, cookies=cookies, trust_env=False, follow_redirects=True, timeout=30
    )


async def create_ticket(http: httpx.AsyncClient, summary: str) -> httpx.Response:
    await http.get("/newticket")
    fields = {"field_summary": summary, "field_type": "defect", "field_priority": "major", "submit": "Create"}
    return await http.post("/newticket", data={"__FORM_TOKEN": http.cookies["trac_form_token"], **fields})


async def test_two_instances_are_isolated_and_a_reset_is_true(
    template: Template, home: AppHome, instance: AppInstance, tmp_path: Path
) -> None:
    other = AppInstance(template, PROFILE, home, tmp_path / "two", Owner.here(tmp_path))
    async with other, as_user(instance, "admin") as http:
        before = await instance.snapshot()
        page = await create_ticket(http, "Kettle boils over")
        assert "Kettle boils over" in page.text
        changed = diff(before, await instance.snapshot())
        assert [c.after["summary"] for c in changed.changes if c.table == "ticket" and c.after] == ["Kettle boils over"]
        assert (await other.snapshot()).fingerprint == template.snapshot.fingerprint
        assert (await instance.reset()).fingerprint == template.snapshot.fingerprint
        assert instance.restarts == 0
        assert "Kettle boils over" not in (await http.get("/query?status=new&max=0")).text
        assert "Logout" in (await http.get("/wiki")).text


async def test_a_setting_kept_in_a_file_is_reset_while_it_runs(instance: AppInstance) -> None:
    async with as_user(instance, "admin") as http:
        await http.get("/admin/ticket/milestones")
        fields = {
            "__FORM_TOKEN": http.cookies["trac_form_token"],
            "ticket_default": "Someday",
            "apply": "Apply changes",
        }
        await http.post("/admin/ticket/milestones", data=fields)
        lines = [
            c for c in diff(instance.template.snapshot, await instance.snapshot()).changes if "trac.ini" in c.table
        ]
        assert [c.after["line"] for c in lines if c.after] == ["default_milestone = Someday"]
        await instance.reset()
        assert instance.restarts == 0
        chosen = re.search(r'name="field_milestone".*?</select>', (await http.get("/newticket")).text, re.S)
        assert chosen and "selected" not in chosen[0].split("Someday")[0].rpartition("<option")[2]


async def test_a_granted_right_is_gone_right_after_the_reset(instance: AppInstance) -> None:
    async with as_user(instance, "alice") as alice:
        assert (await alice.get("/admin")).status_code != 200
        with sqlite3.connect(instance.workdir / "data/trac/db/trac.db") as db:
            db.execute("INSERT INTO permission VALUES ('alice', 'TRAC_ADMIN')")
            db.execute("UPDATE cache SET generation = generation + 1")
        db.close()
        assert (await alice.get("/admin")).status_code == 200
        await instance.reset()
        assert (await alice.get("/admin")).status_code != 200


async def test_signing_out_really_signs_out_and_a_reset_signs_in_again(instance: AppInstance) -> None:
    async with as_user(instance, "bob") as http:
        await http.get("/wiki")
        await http.post("/logout", data={"__FORM_TOKEN": http.cookies["trac_form_token"]})
    async with as_user(instance, "bob") as http:
        assert "Logout" not in (await http.get("/wiki")).text
    await instance.reset()
    async with as_user(instance, "bob") as http:
        assert "Logout" in (await http.get("/wiki")).text


async def test_a_wrong_password_is_refused(instance: AppInstance) -> None:
    async with httpx.AsyncClient(base_url=instance.base_url, trust_env=False) as http:
        page = await http.post("/login", data={"username": "alice", "password": "wrong"})
    assert page.status_code == 403
    assert "trac_auth" not in page.cookies


async def test_the_clock_can_be_moved(template: Template, home: AppHome, tmp_path: Path) -> None:
    moved = AppInstance(template, PROFILE, home, tmp_path / "moved", Owner.here(tmp_path), clock="2026-03-05T10:00:00Z")
    async with moved, httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(moved.base_url + "/login")
    assert parsedate_to_datetime(answer.headers["date"]).date().isoformat() == "2026-03-05"
