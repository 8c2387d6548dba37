"""What holds for every bundled application; the modules of tests/apps import these tests and name their PROFILE."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType

import pytest

from pipeline.apps.install import AppHome
from pipeline.apps.instance import AppInstance
from pipeline.apps.template import Template, make_template
from pipeline.domain.progress import nowhere


async def test_seeding_again_gives_the_same_hash(
    request: pytest.FixtureRequest, template: Template, home: AppHome, tmp_path: Path
) -> None:
    module: ModuleType = request.module
    again = await make_template(module.PROFILE, home, tmp_path / "elsewhere", module.sign_in, nowhere)
    assert again.template_hash == template.template_hash
    assert again.passwords != template.passwords


async def test_the_bundled_profile_passes_its_own_check(own_check: Callable[[], Awaitable[list[str]]]) -> None:
    assert await own_check() == []


async def test_resets_need_no_restart(instance: AppInstance) -> None:
    for _ in range(5):
        await instance.reset()
    assert instance.restarts == 0
