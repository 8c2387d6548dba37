"""Whole runs on the desk, which is explored once: every run starts with a copy of that catalogue."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from desk_app import EXPLORE_ACTIONS, Conduct, Explored
from running import Ran

from pipeline.config import GenerateRequest, RunConfig
from pipeline.domain.progress import Sink, nowhere
from pipeline.graph.run import generate

Generate = Callable[..., Awaitable[Ran]]


@pytest.fixture(scope="session")
def explored_config(explored: Explored, desk_root: Path) -> Callable[..., RunConfig]:
    """Settings for a folder, in whose catalogue the desk is known already."""

    def make(folder: Path, **changes: Any) -> RunConfig:
        folder.mkdir(exist_ok=True)
        if not (folder / "catalogue.db").exists():
            shutil.copy(explored.catalogue, folder / "catalogue.db")
        given = {"chunk": 3, "oracle_runs": 2, "pictures": False, **changes}
        return RunConfig(home=desk_root / "home", catalogue=str(folder / "catalogue.db"), runs=folder, **given)

    return make


async def sitting(config: RunConfig, request: GenerateRequest, sink: Sink, stop: asyncio.Event | None) -> Ran:
    """One call of ``generate``, and what the catalogue holds afterwards."""
    info = await generate(config, request, sink, stop or asyncio.Event())
    return await Ran.read(config, info)


def request_of(app: Path, **changes: Any) -> GenerateRequest:
    given = {"run": "one", "count": 6, "seed": 7, "workers": 2, "explore_actions": EXPLORE_ACTIONS, **changes}
    return GenerateRequest(app=str(app), **given)


@pytest.fixture
def run_desk(explored_config: Callable[..., RunConfig], desk_file: Path, tmp_path: Path) -> Generate:
    """``await run_desk(count=2)`` generates in the test's own folder; ``settings`` change the configuration."""

    async def run(
        sink: Sink = nowhere, stop: asyncio.Event | None = None, settings: dict[str, Any] | None = None, **changes: Any
    ) -> Ran:
        return await sitting(
            explored_config(tmp_path / "run", **settings or {}), request_of(desk_file, **changes), sink, stop
        )

    return run


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def whole(
    explored_config: Callable[..., RunConfig],
    desk_file: Path,
    desk_root: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Ran:
    """A run of six tasks that nothing disturbed."""
    Conduct(desk_root / "control").clear()
    config = explored_config(tmp_path_factory.mktemp("whole"), pictures=True)
    return await sitting(config, request_of(desk_file), nowhere, None)
