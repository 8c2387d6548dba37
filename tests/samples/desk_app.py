"""The lending desk of tests/data/apps, prepared once for all tests: a plugin of fixtures, and a hold on its conduct.

What it was asked for and how it misbehaves goes through one folder, so that one template serves every test.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pipeline.apps.processes import Owner
from pipeline.config import RunConfig
from pipeline.domain.exploration import Exploration
from pipeline.domain.progress import nowhere
from pipeline.live.pool import Pool, PreparedApp
from pipeline.live.workbench import PictureSink
from pipeline.stages.explore import explore_app
from pipeline.stages.prepare import prepare_app

APPS = Path(__file__).parents[1] / "data" / "apps"
SIGN_OUTS = ("/signout", "/session/end")

MakePool = Callable[..., Pool]
MakeConfig = Callable[..., RunConfig]


@dataclass(frozen=True)
class Asked:
    """One request that the desk had."""

    method: str
    place: str
    who: str


class Conduct:
    """What the desk was asked for, and orders for its misbehaving."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._given = 0

    def order(self, text: str) -> None:
        """``once die POST /items/new`` and the like; the desk's own docstring has the grammar."""
        self._given += 1
        written = self.folder / f".order-{self._given}"
        written.write_text(text)
        written.rename(self.folder / f"order-{self._given:03d}")

    @property
    def waiting(self) -> int:
        """Orders that are still there."""
        return len(list(self.folder.glob("order-*")))

    @property
    def asked(self) -> list[Asked]:
        """Requests since the last ``clear``."""
        journal = self.folder / "journal"
        return [Asked(*line.split()) for line in journal.read_text().splitlines()] if journal.exists() else []

    def clear(self) -> None:
        for path in self.folder.iterdir():
            path.unlink()


def desk_profile(folder: Path, control: Path) -> Path:
    """A copy of the profile and its files in a folder, which finds its orders in ``control``."""
    shutil.copytree(APPS / "desk", folder / "desk", ignore=shutil.ignore_patterns("__pycache__"))
    text = (APPS / "desk.toml").read_text(encoding="utf-8")
    text = text.replace("[start]\n", f'[start]\nenv = {{ DESK_CONTROL = "{control}" }}\n')
    (folder / "desk.toml").write_text(text, encoding="utf-8")
    return folder / "desk.toml"


@pytest.fixture(scope="session")
def desk_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the desk's profile, its template and its orders live."""
    root = tmp_path_factory.mktemp("desk")
    (root / "control").mkdir()
    return root


@pytest.fixture(scope="session")
def desk_file(desk_root: Path) -> Path:
    """The desk's profile, as it is named on a command line."""
    return desk_profile(desk_root, desk_root / "control")


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def desk(desk_file: Path, desk_root: Path) -> PreparedApp:
    """The desk, installed, seeded, signed in and warmed."""
    return await prepare_app(str(desk_file), RunConfig(home=desk_root / "home"), nowhere)


@pytest.fixture
def conduct(desk_root: Path) -> Iterator[Conduct]:
    """What the desk is asked for during one test."""
    held = Conduct(desk_root / "control")
    held.clear()
    yield held
    held.clear()


@pytest.fixture
def make_config(desk_root: Path, tmp_path: Path) -> MakeConfig:
    """Settings with a catalogue and a run folder of one's own, by name."""

    def make(name: str = "one", **changes: Any) -> RunConfig:
        place = {"catalogue": str(tmp_path / name / "catalogue.db"), "runs": tmp_path / name}
        return RunConfig(**{"home": desk_root / "home", "pictures": False, **place, **changes})

    return make


@pytest.fixture
def make_pool(desk: PreparedApp, desk_root: Path, tmp_path: Path) -> MakePool:
    """Pools on the desk; ``make_pool(2)`` has two workers."""

    def make(size: int = 1, app: PreparedApp = desk, keep_picture: PictureSink | None = None) -> Pool:
        return Pool(app, size, tmp_path / "work", Owner.here(desk_root / "home"), keep_picture)

    return make


@dataclass(frozen=True)
class Explored:
    """The whole desk, explored once."""

    exploration: Exploration
    catalogue: Path
    asked: tuple[Asked, ...]
    """What the desk was asked for meanwhile."""


EXPLORE_ACTIONS = 400
"""More than the desk has to offer."""


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def explored(desk: PreparedApp, desk_root: Path) -> Explored:
    """Made once: it takes longer than anything else that is done with the desk."""
    conduct = Conduct(desk_root / "control")
    conduct.clear()
    catalogue = desk_root / "explored.db"
    config = RunConfig(home=desk_root / "home", catalogue=str(catalogue), workers=2)
    exploration = await explore_app(config, desk, nowhere, asyncio.Event(), False, actions=EXPLORE_ACTIONS, seconds=0)
    return Explored(exploration, catalogue, tuple(conduct.asked))
