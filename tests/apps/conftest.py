"""The Notes application as a profile that a test can bend, and as running instances that are stopped afterwards."""

from __future__ import annotations

import tomllib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from notes_app import NOTES, Bend, Launch, Running, made

from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner
from pipeline.apps.profile import AppProfile
from pipeline.net.http import Client


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
