"""Looking around after something was done: what changes by that is nobody's doing."""

from __future__ import annotations

from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from proving import trajectory
from small_app import TODAY, shop, snapshot, table

from pipeline.domain.action import Open
from pipeline.domain.state import RowMask, diff
from pipeline.stages import later
from pipeline.stages.later import masks_after_acting

PREPARED: Any = SimpleNamespace(
    profile=SimpleNamespace(resettable=True, observable=True, clock=None, user_names=("ann",), home="/")
)


class Bench:
    """An application that remembers when its news were looked at, once there are some."""

    def __init__(self) -> None:
        self.news, self.seen = 0, 0
        self.walked: list[str] = []

    async def fresh(self, user: str, location: str) -> None:
        self.news = self.seen = 0

    async def perform(self, actions: Any, watched: bool) -> Any:
        self.news += 1
        return trajectory(actions)

    async def arrive(self, user: str, location: str) -> None:
        self.walked.append(location)
        self.seen = self.news if location == "/news" else self.seen

    async def state(self) -> Any:
        user = {"id": 1, "news_seen": self.seen}
        return snapshot(table("user", ("id",), user), table("news", ("id",), *({"id": n} for n in range(self.news))))

    def changes(self, before: Any, after: Any) -> Any:
        return diff(before, after)


async def test_what_looking_around_changes_after_something_was_done_is_masked() -> None:
    bench = Bench()

    class Pool:
        prepared = PREPARED

        @asynccontextmanager
        async def bench(self) -> Any:
            yield bench

    masks = await masks_after_acting(Pool(), shop(), ["/", "/news"])  # type: ignore[arg-type]
    assert masks == [RowMask(table="user", key={"id": 1}, columns=("news_seen",), reason="looking")]


def test_each_table_is_changed_once_and_nothing_is_removed() -> None:
    deeds = later._deeds(shop(), TODAY)
    assert len(deeds) == 2 and all(isinstance(actions[0], Open) for actions in deeds)
