"""Checking a profile through the interface: a reset is true when what was typed is no longer shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk_app import Conduct, MakePool, desk_profile

from pipeline.apps.profile_sign_in import Sign
from pipeline.config import RunConfig
from pipeline.domain.progress import nowhere
from pipeline.errors import AppFault
from pipeline.live.pool import PreparedApp
from pipeline.stages.check_app import check_app
from pipeline.stages.check_home import home_that_fails
from pipeline.stages.check_sign import sign_that_fails


async def test_a_true_profile_has_no_findings(
    desk: PreparedApp, desk_root: Path, desk_file: Path, conduct: Conduct
) -> None:
    told = []
    found = await check_app(
        RunConfig(home=desk_root / "home"), str(desk_file), lambda now, **_: told.append(now.message)
    )
    assert [str(f) for f in found] == []
    proven = ["sign_in", "reset.mode", "clock.env", "home", "sign_in.signed_in", "reset.restart_when"]
    assert [m for m in told if m.startswith("proving")] == [f"proving {key} of Lending desk" for key in proven]
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


async def test_a_home_that_is_not_there_is_found_out(make_pool: MakePool, conduct: Conduct) -> None:
    async with make_pool() as pool, pool.bench() as bench:
        assert await home_that_fails(bench) is None
        conduct.order("status 404 /")
        assert await home_that_fails(bench) == "/ answers 404 to 'alice', and every task would start there"


async def test_a_sign_that_users_do_not_see_is_found_out(desk_root: Path, tmp_path: Path) -> None:
    wrong = desk_profile(tmp_path, desk_root / "control")
    sign = 'role = "link", name = "Log off"'
    text = wrong.read_text(encoding="utf-8").replace('text = "Signed in as {user}"', sign)
    wrong.write_text(text, encoding="utf-8")
    found = await check_app(RunConfig(home=desk_root / "home"), str(wrong), nowhere)
    assert [f.key for f in found] == ["sign_in.signed_in"]
    assert found[0].line == text.splitlines().index(f"signed_in = {{ {sign} }}") + 1
    assert "/ does not show the link 'Log off' to 'alice'" in found[0].problem
    assert "only a signed-in user has: " in found[0].problem


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        ('"<p>Wrong.</p>", status=403', "the answer was 403, saying 'Wrong.'"),
        ('"<p>Wrong.</p>"', "/ offers neither the sign of it nor more than to a visitor"),
        ('form("/login", "<input type=password>", "Sign in")', "the sign-in form is still shown"),
    ],
)
async def test_an_application_that_does_not_know_the_password_is_told_where_it_is(
    refusal: str, told: str, desk_root: Path, tmp_path: Path
) -> None:
    wrong = desk_profile(tmp_path, desk_root / "control")
    program = tmp_path / "desk" / "app.py"
    text = program.read_text(encoding="utf-8").replace('.get(self.form["who"])', '.get("nobody")')
    program.write_text(text.replace('"<p>Wrong.</p>", status=403', refusal), encoding="utf-8")
    found = await check_app(RunConfig(home=tmp_path / "home"), str(wrong), nowhere)
    assert [f.key for f in found] == ["sign_in"]
    assert f"The user 'alice' was not accepted at /login: {told}" in found[0].problem
    assert "from the JSON file that the variable TASKSIEVE_PASSWORDS names" in found[0].problem


@pytest.mark.parametrize(
    ("method", "key", "told"),
    [
        ("POST", "sign_in", "The user 'alice' was not accepted at /login: the answer was 500, saying 'Out of order'."),
        ("GET", "sign_in.username", "The sign-in form's 'Name' is not there at "),
    ],
)
async def test_a_sign_in_that_breaks_the_application_is_no_matter_of_passwords(
    method: str, key: str, told: str, desk_root: Path, tmp_path: Path, conduct: Conduct
) -> None:
    broken = desk_profile(tmp_path, desk_root / "control")
    program = tmp_path / "desk" / "app.py"
    text = program.read_text(encoding="utf-8")
    logging = text.replace(
        'if verb == "status":', 'if verb == "status" and not print("no such column: word", flush=True):'
    )
    program.write_text(logging, encoding="utf-8")
    conduct.order(f"status 500 {method} /login")
    found = await check_app(RunConfig(home=tmp_path / "home"), str(broken), nowhere)
    assert [f.key for f in found] == [key]
    assert found[0].problem.startswith(told)
    broke = f"The application broke. The server answered 500 to {method} /login."
    assert found[0].problem.endswith(f"{broke} Last line of its log: no such column: word")
    assert "TASKSIEVE_PASSWORDS" not in found[0].problem


async def test_a_start_place_that_breaks_is_no_matter_of_signs_or_passwords(
    make_pool: MakePool, conduct: Conduct
) -> None:
    async with make_pool() as pool, pool.bench() as bench:
        conduct.order("status 500 /")
        with pytest.raises(AppFault, match="The application broke: / answers 500 to 'alice'"):
            await sign_that_fails(bench)


async def test_a_sign_that_visitors_see_too_is_found_out(make_pool: MakePool) -> None:
    async with make_pool() as pool, pool.bench() as bench:
        own = bench.profile.sign_in
        assert own is not None and await sign_that_fails(bench) is None
        blind = own.model_copy(update={"signed_in": Sign(text="Sign")})
        bench.profile = bench.profile.model_copy(update={"sign_in": blind})
        told = await sign_that_fails(bench) or ""
    assert "/ shows the text 'Sign' to a visitor who is not signed in, too" in told
    assert "only a signed-in user has: " in told
