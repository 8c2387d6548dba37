"""The Notes application as a profile that a test can bend, and running instances of it and of bundled applications.

A module of tests on a bundled application has ``PROFILE`` and ``sign_in``, which signs every user in over plain HTTP.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from notes_app import NOTES, Bend, Launch, Running, made

from pipeline.apps.check import check
from pipeline.apps.install import AppHome, install
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner
from pipeline.apps.profile import AppProfile
from pipeline.apps.template import Template, make_template
from pipeline.domain.progress import nowhere
from pipeline.net.http import Client

OwnCheck = Callable[[], Awaitable[list[str]]]


@pytest.fixture
def notes() -> Bend:
    """The Notes profile with sections replaced or extended: ``notes(start={"env": {"NOTES": "exits"}})``."""

    def bend(**changes: Any) -> AppProfile:
        text = NOTES.read_text(encoding="utf-8")
        data = tomllib.loads(text)
        for key, value in changes.items():
            data[key] = {**data.get(key, {}), **value} if isinstance(value, dict) else value
        return AppProfile.model_validate(data).loaded_from(NOTES, text)

    return bend


@pytest.fixture
async def launch(tmp_path: Path) -> AsyncIterator[Launch]:
    """Start a profile; everything started is stopped afterwards."""
    started: list[Running] = []

    async def start(profile: AppProfile) -> Running:
        template, home = await made(profile, tmp_path / "root")
        workdir = tmp_path / f"run{len(started)}"
        instance = AppInstance(template, profile, home, workdir, Owner.here(tmp_path))
        await instance.start()
        running = Running(instance, Client(instance.origins))
        started.append(running)
        return running

    yield start
    for running in started:
        await running.client.close()
        await running.instance.stop()


@pytest.fixture
async def home(request: pytest.FixtureRequest) -> AppHome:
    """Installed where the command line installs, so that a test run downloads nothing that is there already."""
    cache = Path(os.environ.get("TASKSIEVE_HOME") or platformdirs.user_cache_dir("tasksieve"))
    return await install(request.module.PROFILE, cache, nowhere)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test of a module makes the template that the others reuse; never in the user's cache."""
    return tmp_path_factory.mktemp("templates")


@pytest.fixture
async def template(request: pytest.FixtureRequest, home: AppHome, root: Path) -> Template:
    """The bundled application's template."""
    return await make_template(request.module.PROFILE, home, root, request.module.sign_in, nowhere)


@pytest.fixture
async def instance(
    request: pytest.FixtureRequest, template: Template, home: AppHome, tmp_path: Path
) -> AsyncIterator[AppInstance]:
    """A running instance of the bundled application."""
    profile = request.module.PROFILE
    async with AppInstance(template, profile, home, tmp_path / "one", Owner.here(tmp_path)) as running:
        yield running


@pytest.fixture
def own_check(
    request: pytest.FixtureRequest, template: Template, home: AppHome, root: Path, tmp_path: Path
) -> OwnCheck:
    """What ``apps check`` finds about the bundled profile, on the template that is there."""

    async def run() -> list[str]:
        (root / "environments").symlink_to(home.python.parent.parent.parent)
        found = await check(request.module.PROFILE, root, tmp_path / "check", request.module.sign_in)
        return [str(f) for f in found]

    return run
