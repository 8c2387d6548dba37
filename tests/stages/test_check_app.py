"""Checking a profile through the interface: a reset is true when what was typed is no longer shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk_app import Conduct, desk_profile

from pipeline.config import RunConfig
from pipeline.domain.progress import nowhere
from pipeline.live.pool import PreparedApp
from pipeline.stages.check_app import check_app


async def test_a_true_profile_has_no_findings(
    desk: PreparedApp, desk_root: Path, desk_file: Path, conduct: Conduct
) -> None:
    found = await check_app(RunConfig(home=desk_root / "home"), str(desk_file), nowhere)
    assert [str(f) for f in found] == []
    assert {a.place for a in conduct.asked if a.method == "POST"} >= {"/settings"}, (
        "nothing was changed, so nothing proven"
    )


async def test_what_an_application_keeps_in_memory_is_found_out(
    desk: PreparedApp, desk_root: Path, desk_file: Path, conduct: Conduct
) -> None:
    """The rows are back after a reset, and yet the page still shows what was typed."""
    conduct.order("stale POST /settings")
    found = await check_app(RunConfig(home=desk_root / "home"), str(desk_file), nowhere)
    assert [f.key for f in found] == ["reset.restart_when"]
    assert "what was typed at /settings is still shown at /settings after a reset" in found[0].problem


async def test_a_home_that_is_not_there_is_found_out(desk_root: Path, tmp_path: Path) -> None:
    wrong = desk_profile(tmp_path, desk_root / "control")
    text = wrong.read_text(encoding="utf-8").replace("[seed]", 'home = "/plant/999"\n\n[seed]', 1)
    wrong.write_text(text, encoding="utf-8")
    found = await check_app(RunConfig(home=desk_root / "home"), str(wrong), nowhere)
    line = text.splitlines().index('home = "/plant/999"') + 1
    assert str(found[0]) == f"home (line {line}): /plant/999 answers 404 to 'alice', and every task would start there"


@pytest.mark.parametrize(
    ("sign", "told"),
    [
        ('role = "link", name = "Log off"', "/ does not show the link 'Log off' to 'alice'"),
        ('text = "Sign"', "/ shows the text 'Sign' to a visitor who is not signed in, too"),
    ],
)
async def test_a_sign_that_does_not_tell_who_is_signed_in_is_found_out(
    desk_root: Path, tmp_path: Path, sign: str, told: str
) -> None:
    wrong = desk_profile(tmp_path, desk_root / "control")
    text = wrong.read_text(encoding="utf-8").replace('text = "Signed in as {user}"', sign)
    wrong.write_text(text, encoding="utf-8")
    found = await check_app(RunConfig(home=desk_root / "home"), str(wrong), nowhere)
    assert [f.key for f in found] == ["sign_in.signed_in"]
    assert found[0].line == text.splitlines().index(f"signed_in = {{ {sign} }}") + 1
    assert told in found[0].problem
    assert "only a signed-in user has: " in found[0].problem
