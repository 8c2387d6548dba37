"""``apps new``: a profile is written, and what could not be found out is told where it is seen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

REASON = "It was not seen running: ledger ended with 1 before it was ready; last line of its log: no settings"


@pytest.fixture
def not_running(fake_module):
    """A project whose application did not start."""

    async def new_profile(*_):
        return SimpleNamespace(name="ledger", text='name = "ledger"\n', notes=(REASON,))

    fake_module("pipeline.stages.new_app", new_profile=new_profile)


def test_an_application_that_did_not_start_is_a_warning_of_one_line(tasksieve, here, not_running):
    ran = tasksieve("apps", "new", "ledger")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines()[-2] == f"Warning: {REASON}"
    assert "ledger.toml is written" in ran.err and (here / "ledger.toml").exists()


def test_programs_are_told_as_well(tasksieve, here, not_running):
    ran = tasksieve("apps", "new", "ledger", "--json")
    assert ran.json == {"profile": "ledger.toml", "name": "ledger", "notes": [REASON]}
    assert f"Warning: {REASON}\n" in ran.err
