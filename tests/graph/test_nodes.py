"""What a node refuses before it begins."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.errors import RunFault
from pipeline.graph import nodes
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
