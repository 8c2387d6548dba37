"""Checking a profile: what holds is silent, what does not names its key and line."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from notes_app import Bend, warm

from pipeline.apps.check import check
from pipeline.apps.instance import AppInstance
from pipeline.apps.profile import AppProfile
from pipeline.domain.environment import SessionState
from pipeline.domain.progress import Progress
from pipeline.errors import AppFault, BrowserFault, NetworkFault, SessionFault
from pipeline.net.http import Client


async def findings(profile: AppProfile, tmp_path: Path) -> list[str]:
    return [str(finding) for finding in await check(profile, tmp_path / "root", tmp_path / "run", warm)]


async def test_a_good_profile_has_no_findings(notes: Bend, tmp_path: Path) -> None:
    assert await findings(notes(), tmp_path) == []


async def test_only_what_the_profile_says_is_proven(notes: Bend, tmp_path: Path) -> None:
    told: list[Progress] = []
    await check(notes(sign_in=None, clock=None), tmp_path / "root", tmp_path / "run", warm, sink=told.append)
    assert [event.message for event in told if "proving" in event.message] == ["proving reset.mode of Notes"]


async def test_a_clock_that_is_not_pinned_is_found(notes: Bend, tmp_path: Path) -> None:
    found = await findings(notes(start={"env": {"NOTES": "no-clock"}}), tmp_path)
    assert len(found) == 1
    assert found[0].startswith("clock.env (line 36): the Date header says")


async def test_a_page_that_does_not_show_the_pinned_day_is_found(notes: Bend, tmp_path: Path) -> None:
    found = await findings(notes(clock={"proof": "page", "path": "/", "text": "March 2"}), tmp_path)
    assert found == ["clock.text (line 35): / does not show 'March 2'"]


async def test_an_application_that_exits_points_at_its_command(notes: Bend, tmp_path: Path) -> None:
    found = await findings(notes(start={"env": {"NOTES": "exits"}}), tmp_path)
    assert len(found) == 1
    assert found[0].startswith("start.command (line 9): notes ended with 1")


@pytest.mark.parametrize("mode", ["tells", "tells and waits"])
async def test_passwords_that_the_application_printed_are_not_told(mode: str, notes: Bend, tmp_path: Path) -> None:
    (found,) = await findings(notes(start={"env": {"NOTES": mode}, "timeout": 2}), tmp_path)
    assert "passwords: {" in found and "•••" in found


async def test_an_application_that_is_never_ready_points_at_the_ready_test(notes: Bend, tmp_path: Path) -> None:
    found = await findings(notes(start={"env": {"NOTES": "never"}, "timeout": 0.4}), tmp_path)
    assert len(found) == 1
    assert found[0].startswith("ready.path (line 13)")


async def test_a_database_that_is_not_there_points_at_its_path(notes: Bend, tmp_path: Path) -> None:
    found = await findings(notes(state=[{"kind": "sqlite", "path": "elsewhere.db"}]), tmp_path)
    assert len(found) == 1
    assert found[0].startswith("state.path (line 28): There is no file 'elsewhere.db'")


async def test_a_missing_document_is_found(notes: Bend, tmp_path: Path) -> None:
    assert await findings(notes(documents=["guide.md"]), tmp_path) == ["documents: there is no file 'guide.md'"]


async def test_what_the_interface_still_shows_after_a_reset_is_found(notes: Bend, tmp_path: Path) -> None:
    async def change_and_look(instance: AppInstance) -> str | None:
        async with Client(instance.origins) as client:
            await client.get(instance.base_url + "/cache?word=new")
            await instance.reset()
            page = await client.get(instance.base_url + "/")
        return "the word is still there after a reset" if "new" in page.text else None

    for restart_when, expected in ((["cached"], []), ([], ["reset.restart_when"])):
        profile = notes(reset={"restart_when": restart_when})
        found = await check(profile, tmp_path / "root", tmp_path / "run", warm, {"reset.restart_when": change_and_look})
        assert [finding.key for finding in found] == expected


async def test_a_sign_in_that_fails_points_at_sign_in(notes: Bend, tmp_path: Path) -> None:
    calls = []

    async def once(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
        calls.append(base_url)
        if len(calls) > 1:
            raise BrowserFault("there is no button 'Sign in'")
        return await warm(base_url, passwords)

    found = await check(notes(), tmp_path / "root", tmp_path / "run", once)
    assert [str(finding) for finding in found] == ["sign_in (line 16): there is no button 'Sign in'"]


async def test_a_sign_in_that_fails_at_once_points_at_sign_in_as_well(notes: Bend, tmp_path: Path) -> None:
    async def never(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
        raise SessionFault("the sign-in form's 'User' is not there")

    found = await check(notes(), tmp_path / "root", tmp_path / "run", never)
    assert [finding.key for finding in found] == ["sign_in"]


@pytest.mark.parametrize("breaking", [1, 2], ids=["at once", "later than the template was made"])
async def test_an_application_that_breaks_at_its_sign_in_is_told_with_what_it_logged_last(
    breaking: int, notes: Bend, tmp_path: Path
) -> None:
    calls = []

    async def breaks(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
        calls.append(base_url)
        if len(calls) == breaking:
            await _break(base_url)
        return await warm(base_url, passwords)

    found = await check(notes(), tmp_path / "root", tmp_path / "run", breaks)
    assert [str(finding) for finding in found] == [f"sign_in (line 16): {BROKE} Last line of its log: KeyError: 'word'"]


async def test_an_application_that_breaks_while_it_is_looked_at_is_told_with_what_it_logged_last(
    notes: Bend, tmp_path: Path
) -> None:
    async def look(instance: AppInstance) -> str | None:
        return await _break(instance.base_url)

    found = await check(notes(), tmp_path / "root", tmp_path / "run", warm, {"home": look})
    assert [finding.problem for finding in found] == [f"{BROKE} Last line of its log: KeyError: 'word'"]


BROKE = "The application broke."


async def _break(base_url: str) -> str | None:
    """Ask what the application has no answer to; it logs why, and a rule below it."""
    async with Client([base_url]) as client:
        with suppress(NetworkFault):
            await client.get(base_url + "/cache")
    raise AppFault(BROKE, "sign_in")
