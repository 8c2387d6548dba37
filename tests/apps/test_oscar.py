"""The bundled Oscar, for real: shop and back office, searched and changed, reset and compared. Needs PyPI once."""

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
from pipeline.domain.state import StateDiff, diff

pytestmark = pytest.mark.e2e

PROFILE = load_profile("oscar")
SIGN_IN = "/dashboard/login/?next=/catalogue/"
LOOKS = ("/catalogue/", "/basket/")


async def post(http: httpx.AsyncClient, place: str, fields: Mapping[str, str]) -> httpx.Response:
    """Send a form of the page at ``place`` back to it, with the page's token."""
    page = await http.get(place)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token, page.text[:300]
    return await http.post(place, data={**fields, "csrfmiddlewaretoken": token[1]})


async def sign_in(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
    """Sign every user in over plain HTTP and look at a few pages, as the browser's warming does."""
    sessions = {}
    for user, password in passwords.items():
        async with httpx.AsyncClient(base_url=base_url, trust_env=False, follow_redirects=True, timeout=30) as http:
            page = await post(http, SIGN_IN, {"username": user, "password": password, "next": "/catalogue/"})
            assert "Logout" in page.text
            for path in LOOKS:
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


async def changes(instance: AppInstance) -> StateDiff:
    return diff(instance.template.snapshot, await instance.snapshot())


async def test_searches_follow_the_data_and_its_reset(
    template: Template, home: AppHome, instance: AppInstance, tmp_path: Path
) -> None:
    """There is no index that could still know a title after the row is put back."""
    other = AppInstance(template, PROFILE, home, tmp_path / "two", Owner.here(tmp_path))
    async with other, as_user(instance, "admin") as http:
        with sqlite3.connect(instance.workdir / "data/shop.db") as db:
            db.execute("UPDATE catalogue_product SET title = 'Whistling kettle' WHERE title = 'Milk pan with two lips'")
        db.close()
        assert "Whistling kettle" in (await http.get("/search/?q=whistling")).text
        assert [c.table for c in (await changes(instance)).changes] == ["catalogue_product"]
        assert (await other.snapshot()).fingerprint == template.snapshot.fingerprint
        assert (await instance.reset()).fingerprint == template.snapshot.fingerprint
        assert instance.restarts == 0
        assert "Whistling kettle" not in (await http.get("/search/?q=whistling")).text
        assert "Milk pan" in (await http.get("/search/?q=lips")).text


async def test_the_catalogue_can_be_narrowed_and_sorted(instance: AppInstance) -> None:
    async with as_user(instance, "bob") as http:
        everything = await http.get("/catalogue/?sort_by=price-desc")
        books = await http.get("/catalogue/?selected_facets=product_class:Book&selected_facets=price:[0 TO 20]")
    titles = re.findall(r'<h3[^>]*>\s*<a [^>]*title="([^"]+)"', everything.text)
    assert "<strong>93</strong>" in everything.text
    assert (titles[0], len(titles)) == ("Fisherman&#x27;s jumper", 20)
    assert "<strong>11</strong>" in books.text


async def test_an_order_is_placed_and_gone_after_a_reset(instance: AppInstance) -> None:
    """From the basket to the confirmation, as a customer clicks it; the confirmation's mail is a change of state."""
    async with as_user(instance, "alice") as http:
        addresses = await http.get("/checkout/shipping-address/")
        chosen = re.search(r'name="address_id" value="(\d+)"', addresses.text)
        assert chosen
        await post(http, "/checkout/shipping-address/", {"action": "ship_to", "address_id": chosen[1]})
        placed = await post(http, "/checkout/preview/", {"action": "place_order"})
        assert "confirmation" in placed.text.lower()
        changed = await changes(instance)
        orders = [c.after for c in changed.changes if c.table == "order_order" and c.change == "added"]
        assert len(orders) == 1
        assert [c.table for c in changed.changes if c.table.startswith("file:mail/")]
        assert [c.change for c in changed.changes if c.table == "communication_email"] == ["added"]
        await instance.reset()
        assert instance.restarts == 0
        assert "Loaf tin, two pounds" in (await http.get("/basket/")).text


async def test_only_the_first_user_sees_the_back_office(instance: AppInstance) -> None:
    async with as_user(instance, "admin") as admin, as_user(instance, "bob") as bob:
        assert "/dashboard/" in (await admin.get("/catalogue/")).text
        assert (await admin.get("/dashboard/orders/")).status_code == 200
        assert "/dashboard/" not in (await bob.get("/catalogue/")).text
        assert (await bob.get("/dashboard/orders/")).status_code == 403


async def test_a_wrong_password_is_refused(instance: AppInstance) -> None:
    async with httpx.AsyncClient(base_url=instance.base_url, trust_env=False) as http:
        page = await post(http, SIGN_IN, {"username": "alice", "password": "wrong"})
    assert "correct username and password" in page.text


async def test_the_clock_can_be_moved(template: Template, home: AppHome, tmp_path: Path) -> None:
    moved = AppInstance(template, PROFILE, home, tmp_path / "moved", Owner.here(tmp_path), clock="2026-03-05T10:00:00Z")
    async with moved, httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(moved.base_url + "/dashboard/login/")
    assert parsedate_to_datetime(answer.headers["date"]).date().isoformat() == "2026-03-05"
