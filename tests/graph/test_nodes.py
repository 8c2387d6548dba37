"""What a node refuses before it begins."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.errors import RunFault
from pipeline.graph import nodes
from pipeline.graph.state import Deps
from storage.rundir import RunDirectory


class NoDrafts:
    """A catalogue in which the run has nothing yet."""

    async def drafts(self, *_: object) -> list[object]:
        return []


@pytest.mark.parametrize("node", [nodes.look_around, nodes.draft])
async def test_a_disk_that_is_nearly_full_ends_the_run_while_everything_is_whole(
    node: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "SPACE_NEEDED", 1 << 60)
    request = SimpleNamespace(run="one", count=1)
    deps = SimpleNamespace(request=request, store=NoDrafts(), directory=RunDirectory(tmp_path, "one"))
    with pytest.raises(RunFault, match="are needed"):
        await node({}, SimpleNamespace(context=deps))


async def test_what_lay_beyond_the_count_is_kept_for_the_last_line(monkeypatch: pytest.MonkeyPatch) -> None:
    async def settled(*_: object) -> tuple[int, int]:
        return 4, 2

    monkeypatch.setattr(nodes, "settle_chunk", settled)
    told: list[str] = []
    request: Any = SimpleNamespace(run="one", count=4)
    pool: Any = SimpleNamespace(prepared=None)
    unused: Any = None
    deps = Deps(unused, request, NoDrafts(), pool, unused, lambda now, **_: told.append(now.message), unused, 0.0)  # type: ignore[arg-type]
    assert deps.in_vain == ""
    await nodes.settle({}, SimpleNamespace(context=deps))  # type: ignore[arg-type]
    assert deps.in_vain == "; 2 drafted beyond the count and not kept"
    assert told == [f"settled{deps.in_vain}"]
