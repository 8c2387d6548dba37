"""App instances: own copy of the template, own port, and a reset that is compared with the template every time.

A reset that is not true is an ``AppFault``, never anybody's failed task. Refuses to reset what it did not start.
"""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from pipeline.apps import sources
from pipeline.apps.install import AppHome
from pipeline.apps.processes import Owner
from pipeline.apps.profile import AppProfile, origin_of
from pipeline.apps.server import Server
from pipeline.apps.template import Template
from pipeline.domain.environment import SessionState
from pipeline.domain.state import StateSnapshot
from pipeline.errors import AppFault, boundary

T = TypeVar("T")

_DISK_DEADLINE = 60.0
"""Seconds for one read, copy or online backup."""


class AppInstance:
    """One running copy of an application; use as an async context manager, or ``start`` and ``stop`` it."""

    def __init__(
        self,
        template: Template,
        profile: AppProfile,
        home: AppHome,
        workdir: Path,
        owner: Owner,
        clock: str | None = None,
    ) -> None:
        """``clock`` starts the application at another instant (ISO 8601) than the profile's."""
        self.template = template
        self.profile = profile
        self.workdir = workdir
        self.restarts = 0
        """How often a reset had to start the application again."""
        self._server = Server(profile, home, workdir, owner, clock)
        # SQLite connections stay on the thread that opened them, and one instance's disk work has one order.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"app-{profile.name}")

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def base_url(self) -> str:
        """Where it answers, without a slash at the end."""
        return self._server.base_url

    @property
    def port(self) -> int:
        """Its port on 127.0.0.1; 0 for an application that we did not start."""
        return self._server.port

    @property
    def log(self) -> Path:
        """What the application printed."""
        return self._server.log

    def telling_its_log(self) -> AbstractContextManager[None]:
        """A fault of the application goes on with the last line of its log."""
        return self._server.telling_its_log()

    @property
    def alive(self) -> bool:
        """True while its process runs."""
        return self._server.alive

    @property
    def origins(self) -> tuple[str, ...]:
        """Origins that may be touched, its own first."""
        return self.profile.origins(self.base_url)

    def session(self, user: str) -> SessionState | None:
        """The user's signed-in session for this instance's port; None for a user who is not signed in anywhere."""
        saved = self.template.sessions.get(user)
        if saved is None or not self.profile.resettable:
            return saved
        # Cookies hold for every port of a host, but storage belongs to an origin.
        text = json.dumps(saved.stored)
        for old, new in ((self.template.base_url, self.base_url), (origin_of(self.template.base_url), self.origins[0])):
            text = text.replace(json.dumps(old)[1:-1], json.dumps(new)[1:-1])
        return SessionState(user, json.loads(text))

    async def start(self) -> None:
        """Copy the template, start on a free port, wait until ready, and prove that it equals the template.

        Raises:
            AppFault: it did not start, or does not equal the template right afterwards.
            RunFault: the disk is full.
            ProfileError: its command cannot be run.
        """
        self.workdir.mkdir(parents=True, exist_ok=True)
        if not self.profile.resettable:
            await self._server.start()
            return
        self._server.keep_passwords(self.template.passwords)
        try:
            await self._again(port=0)
        except BaseException:
            await self.stop()
            raise

    async def reset(self) -> StateSnapshot:
        """Put the template back and return what is there now, which equals the template's snapshot.

        Where nothing can be reset, nothing is done: a fresh browser session is all the reset there is.

        Raises:
            AppFault: after one retry with a restart, the state still differs from the template's.
        """
        if not self.profile.resettable:
            return StateSnapshot()
        if not await self._must_restart():
            try:
                return await self._in_place()
            except AppFault:
                pass  # the restart below replaces everything and is the last word
        return await self.restart()

    async def restart(self) -> StateSnapshot:
        """Stop, replace all data, start again: the reset that always works, and the slow one.

        Raises:
            AppFault: it did not start, or the state differs from the template's.
        """
        self.restarts += 1
        return await self._again(self.port)

    async def snapshot(self) -> StateSnapshot:
        """What the state sources hold now; empty where there are none.

        Raises:
            AppFault: a source cannot be read.
        """
        if not self.profile.resettable:
            return StateSnapshot()
        return await self._blocking(lambda: sources.read(self.profile.state, self._server.data))

    async def stop(self) -> None:
        """End it and remove its copy of the data; the log stays. Idempotent."""
        await self._server.stop()
        self._thread.shutdown(wait=True)
        shutil.rmtree(self._server.data, ignore_errors=True)
        (self.workdir / "passwords.json").unlink(missing_ok=True)

    async def _must_restart(self) -> bool:
        reset = self.profile.reset
        # Data that cannot be read cannot be put back piece by piece either.
        blind = not self.profile.observable and not reset.restore
        if reset.mode == "restart" or blind or not self.alive:
            return True
        if not reset.restart_when:
            return False
        try:
            changed = sources.changed_tables(self.template.snapshot, await self.snapshot())
        except AppFault:
            return True
        return sources.caches(self.profile, changed)

    async def _in_place(self) -> StateSnapshot:
        """Rows and files while the application runs."""
        await self._restore_command()
        if await self._blocking(self._put_back):
            await self._server.wait_ready()  # applications load changed files again, which takes a moment
        if not self.alive:
            raise AppFault(f"{self.profile.name} ended while it was being reset.")
        return await self._proven()

    async def _again(self, port: int) -> StateSnapshot:
        """Stop, replace the whole data directory, start, and prove the state."""
        await self._server.stop()
        await self._blocking(self._copy)
        await self._restore_command()
        await self._server.start(port)
        if self.profile.reset.mode == "online":
            await self._blocking(self._put_back)  # what starting itself has written
        return await self._proven()

    async def _proven(self) -> StateSnapshot:
        now = await self.snapshot()
        changed = sources.changed_tables(self.template.snapshot, now)
        if changed:
            names = ", ".join(changed[:5])
            raise AppFault(f"{self.profile.name} differs from its template after a reset, in: {names}.", "state")
        return now

    async def _restore_command(self) -> None:
        reset = self.profile.reset
        if reset.restore:
            await self._server.run(reset.restore, reset.timeout, "reset.restore")

    def _put_back(self) -> bool:
        return sources.put_back(self.profile.state, self.template.data, self._server.data)

    def _copy(self) -> None:
        shutil.rmtree(self._server.data, ignore_errors=True)
        shutil.copytree(self.template.data, self._server.data, symlinks=True, copy_function=_copy_file)

    async def _blocking(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        with boundary(f"reading or writing the data of {self.profile.name}"):
            try:
                return await asyncio.wait_for(loop.run_in_executor(self._thread, work), _DISK_DEADLINE)
            except TimeoutError as error:
                raise AppFault(f"The data of {self.profile.name} did not answer in {_DISK_DEADLINE:g} s.") from error


def _copy_file(old: str, new: str) -> str:
    """Copying a tree collects what fails with single files; a full disk must come through as what it is."""
    with boundary(f"copying to {new}"):
        return shutil.copy2(old, new)
