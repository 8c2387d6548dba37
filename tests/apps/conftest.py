"""The small Notes application of tests/data, as a profile that a test can bend, and as a running instance."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.apps.install import AppHome, install
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner
from pipeline.apps.profile import AppProfile
from pipeline.apps.template import Template, make_template
from pipeline.domain.environment import SessionState
from pipeline.domain.progress import nowhere
from pipeline.net.http import Client

NOTES = Path(__file__).parents[1] / "data" / "apps" / "notes.toml"

Bend = Callable[..., AppProfile]


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


class Running:
    """A started Notes instance and a client."""

    def __init__(self, instance: AppInstance, client: Client) -> None:
        self.instance = instance
        self.client = client

    async def get(self, path: str) -> str:
        return (await self.client.get(self.instance.base_url + path)).text


Launch = Callable[[AppProfile], Any]


async def warm(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
    """Leaves one random row a user, as a real sign-in does."""
    for _ in passwords:
        async with Client([base_url]) as client:
            await client.get(base_url + "/login")
    return {user: SessionState(user, {"origins": [{"origin": base_url, "value": "t" * 8}]}) for user in passwords}


async def made(profile: AppProfile, root: Path) -> tuple[Template, AppHome]:
    home = await install(profile, root, nowhere)
    return await make_template(profile, home, root, warm, nowhere), home


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
