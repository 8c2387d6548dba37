"""Workbenches for the workers of one run: one shared browser, an instance and an environment each.

A bench that an ``EnvironmentFault`` passed through is taken down and built anew before anyone uses it again.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from pipeline.apps.install import AppHome
from pipeline.apps.instance import AppInstance
from pipeline.apps.kept_secrets import template_secrets
from pipeline.apps.processes import Owner, child_environment
from pipeline.apps.profile import AppProfile
from pipeline.apps.template import Template
from pipeline.domain.environment import Surroundings
from pipeline.domain.redact import Redactor
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.plain import PlainPlayer
from pipeline.environments.web import WebEnvironment
from pipeline.errors import EnvironmentFault
from pipeline.live.workbench import PictureSink, Workbench


@dataclass(frozen=True)
class PreparedApp:
    """An application that is installed and has a template."""

    profile: AppProfile
    home: AppHome
    template: Template


def surroundings(profile: AppProfile, base_url: str, secrets: frozenset[str] = frozenset()) -> Surroundings:
    """What the profile fixes for every session."""
    return Surroundings(
        locale=profile.locale,
        timezone=profile.timezone,
        clock=profile.clock.instant if profile.clock else None,
        allowed_origins=profile.origins(base_url),
        read_only=not (profile.resettable and profile.disposable),
        secrets=secrets,
    )


class Pool:
    """Hands out workbenches, at most ``size`` at once; use as an async context manager."""

    def __init__(
        self,
        prepared: PreparedApp,
        size: int,
        workdir: Path,
        owner: Owner,
        keep_picture: PictureSink | None = None,
        headed: bool = False,
    ) -> None:
        """``workdir`` holds the instances' data and is removed at the end; ``headed`` shows the browser."""
        self.prepared = prepared
        self.size = size
        self.traffic_reached = 0
        self.traffic_blocked = 0
        self.sign_outs = 0
        self.seconds: dict[str, float] = {}
        self._workdir = workdir
        self._owner = owner
        self._keep_picture = keep_picture
        self._browser = SharedBrowser(child_environment(owner), headed=headed)
        self._free: asyncio.Queue[tuple[int, Workbench | None]] = asyncio.Queue()

    async def __aenter__(self) -> Self:
        await self._browser.__aenter__()
        for slot in range(self.size):
            self._free.put_nowait((slot, None))
        return self

    async def __aexit__(self, *_: object) -> None:
        while not self._free.empty():
            left = self._free.get_nowait()[1]
            if left is not None:
                await self._take_down(left)
        await self._browser.__aexit__(None, None, None)
        shutil.rmtree(self._workdir, ignore_errors=True)

    @asynccontextmanager
    async def bench(self) -> AsyncIterator[Workbench]:
        """A workbench for one piece of work; after an ``EnvironmentFault`` the next one gets a new one.

        Raises:
            EnvironmentFault: the bench could not be set up.
        """
        slot, bench = await self._free.get()
        try:
            if bench is None or not bench.instance.alive:
                if bench is not None:
                    await self._take_down(bench)
                    bench = None
                bench = await self._set_up(slot)
            yield bench
        except (EnvironmentFault, asyncio.CancelledError):
            if bench is not None:
                await self._take_down(bench)
            bench = None
            raise
        finally:
            self._free.put_nowait((slot, bench))

    async def prove_alive(self) -> None:
        """Open the start place as the first user; asked where everything breaks, to tell a draft or page from it all.

        Raises:
            EnvironmentFault: not even that can be done.
        """
        profile = self.prepared.profile
        async with self.bench() as bench:
            await bench.fresh(next(iter(profile.user_names), ""), profile.home)
            await bench.require_signed_in()

    def plain(self, bench: Workbench, user: str) -> PlainPlayer:
        """Playwright alone in the same browser, on the bench's instance; for measuring."""
        base_url = bench.base_url
        return PlainPlayer(self._browser, surroundings(self.prepared.profile, base_url), bench.sessions.get(user))

    async def _set_up(self, slot: int) -> Workbench:
        p = self.prepared
        folder = self._workdir / f"worker-{slot}"
        instance = AppInstance(p.template, p.profile, p.home, folder, self._owner)
        await instance.start()
        secrets = template_secrets(p.template)
        environment = WebEnvironment(self._browser, surroundings(p.profile, instance.base_url, secrets))
        sessions = {u: s for u in p.profile.user_names if (s := instance.session(u)) is not None}
        return Workbench(p.profile, instance, environment, sessions, self._keep_picture, Redactor(secrets))

    async def _take_down(self, bench: Workbench) -> None:
        self.traffic_reached += bench.environment.traffic.off_origin_requests
        self.traffic_blocked += bench.environment.traffic.off_origin_blocked
        self.sign_outs += bench.sign_outs
        for what, seconds in bench.spent.seconds.items():
            self.seconds[what] = self.seconds.get(what, 0.0) + seconds
        with suppress(EnvironmentFault):
            await bench.environment.close()
        with suppress(EnvironmentFault):
            await bench.instance.stop()
