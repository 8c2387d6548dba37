"""Verifying with a moved clock: a profile that pins none is told before anything is started."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.domain.progress import nowhere
from pipeline.errors import UserError
from pipeline.stages import verify
from pipeline.stages.verify import Moved, Which, verify_tasks

CLOCK = '[clock]\nenv = "NOW"\ninstant = "2026-03-02T10:00:00Z"\n'


class Catalogue:
    """One task of each of two applications, made by runs on these profiles."""

    def __init__(self, profiles: dict[str, Path]) -> None:
        self.profiles = profiles

    async def tasks(self, **_: Any) -> list[Any]:
        return [SimpleNamespace(id=app, draft=SimpleNamespace(id=app, app=app)) for app in self.profiles]

    async def draft(self, id: str) -> Any:
        return SimpleNamespace(run=id)

    async def run(self, id: str) -> Any:
        return SimpleNamespace(settings={"app": str(self.profiles[id])})


@pytest.fixture
def catalogue(tmp_path: Path) -> Any:
    """The first application pins a clock, the second does not."""
    profiles = {"ledger": CLOCK, "shelf": ""}
    for name, rest in profiles.items():
        (tmp_path / f"{name}.toml").write_text(f'name = "{name}"\n[start]\ncommand = ["serve"]\n{rest}')
    return Catalogue({name: tmp_path / f"{name}.toml" for name in profiles})


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Applications that were begun with; none of them comes to run."""
    begun: list[str] = []

    async def begin(profile: str, *_: Any) -> None:
        begun.append(Path(profile).stem)
        raise InterruptedError

    monkeypatch.setattr(verify, "prepare_app", begin)
    return begun


async def test_a_clock_that_cannot_be_moved_is_refused_before_anything_is_started(
    catalogue: Any, prepared: list[str]
) -> None:
    config, day = SimpleNamespace(), Moved("+1d", timedelta(days=1))
    with pytest.raises(UserError, match=r"^The clock of 'shelf' .*\[clock\] with env.* --app OTHER, or leave out"):
        await verify_tasks(config, catalogue, Which(), day, nowhere, asyncio.Event())  # type: ignore[arg-type]
    assert prepared == []


async def test_without_a_move_no_clock_is_asked_for(catalogue: Any, prepared: list[str]) -> None:
    config = SimpleNamespace()
    with pytest.raises(InterruptedError):
        await verify_tasks(config, catalogue, Which(), Moved(), nowhere, asyncio.Event())  # type: ignore[arg-type]
    assert prepared == ["ledger"]
