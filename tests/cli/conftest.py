"""Running the command line in this process, in an empty directory."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import finished_run as sample
import pytest

from pipeline.cli import commands
from storage.store import Store


@dataclass(frozen=True)
class Ran:
    """What a command line left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The last line of stdout."""
        return json.loads(self.out.splitlines()[-1])


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty current directory with a cache of its own, without colours, 100 columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TASKSIEVE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.fixture
def tasksieve(here, capsys):
    """``tasksieve("report", "first")`` runs that command line."""

    def run(*arguments: str) -> Ran:
        capsys.readouterr()
        code = commands.run(arguments)
        return Ran(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def _filled(tmp_path_factory) -> Path:
    """Made once: migrations take most of the time."""
    path = tmp_path_factory.mktemp("filled") / "catalogue.db"

    async def make() -> None:
        async with await Store.open(str(path), clock=sample.clock) as store:
            await sample.fill(store)

    asyncio.run(make())
    return path


@pytest.fixture
def catalogue(here, _filled) -> Path:
    """The default catalogue with one finished run named ``first``."""
    (here / "runs").mkdir()
    return Path(shutil.copy(_filled, here / "runs"))


@pytest.fixture
def fake_module(monkeypatch):
    """Put a module with these attributes where a command will import it from."""

    def put(name: str, **attributes: Any) -> None:
        module = ModuleType(name)
        module.__dict__.update(attributes)
        monkeypatch.setitem(sys.modules, name, module)

    return put
