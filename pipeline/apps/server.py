"""One application process on a data directory: its commands, its environment, its port, its readiness.

Knows nothing of templates and resets; templates and instances are made of it. Binds to 127.0.0.1 only.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

from pipeline.apps.install import AppHome
from pipeline.apps.processes import Child, Owner, application_environment, last_line, start_child
from pipeline.apps.profile import AppProfile, Command, fill
from pipeline.apps.profile_sign_in import User
from pipeline.domain.redact import Redactor
from pipeline.errors import AppFault, ProfileError
from pipeline.net.http import Answer, Client
from pipeline.net.ready import NotReady, Readiness, wait_ready

HOST = "127.0.0.1"
PORT_TRIES = 4
"""How often another port is taken when somebody else was quicker."""
PASSWORDS = "TASKSIEVE_PASSWORDS"
"""Variable that names the file (JSON, user to password, mode 0600) from which an application's files take passwords."""


def password_advice(user: User) -> str:
    """What to see to where an application refuses this user."""
    if user.password == "generated":
        return f"the application has to take generated passwords from the JSON file that the variable {PASSWORDS} names"
    return f"see that the variable {user.password.removeprefix('env:')} holds what the application knows"


class Server:
    """One running application, ours or one that already runs at ``profile.url``."""

    def __init__(
        self, profile: AppProfile, home: AppHome, workdir: Path, owner: Owner, clock: str | None = None
    ) -> None:
        self.profile = profile
        self.data = workdir / "data"
        self.log = workdir / "app.log"
        self.port = 0
        self._home = home
        self._workdir = workdir
        self._owner = owner
        self._clock = clock
        self._child: Child | None = None
        self._client: Client | None = None
        self._redactor = Redactor()

    @property
    def base_url(self) -> str:
        """Where it answers, without a slash at the end."""
        return self.profile.url or f"http://{HOST}:{self.port}"

    @property
    def alive(self) -> bool:
        """True while the process runs; an application that we did not start is taken to be alive."""
        return not self.profile.start or (self._child is not None and self._child.alive)

    def keep_passwords(self, passwords: Mapping[str, str]) -> None:
        """Write the file that ``TASKSIEVE_PASSWORDS`` names, and take them out of what is said of the log."""
        self._redactor = Redactor(passwords.values())
        write_private(self._workdir / "passwords.json", json.dumps(dict(passwords)))

    async def start(self, port: int = 0) -> None:
        """Start on this port (0: any free one) and wait until ready; another port is taken when it is in use.

        Raises:
            AppFault: it ended at once, or never became ready.
            ProfileError: its command cannot be run.
        """
        if not self.profile.start:
            await self.wait_ready()
            return
        told = ""
        for _ in range(PORT_TRIES):
            self.port = port or free_port()
            port = 0
            try:
                await self._start_once(self.profile.start.command)
                return
            except _PortTaken as taken:
                told = str(taken)
                await self.stop()
            except BaseException:
                await self.stop()
                raise
        found = f"{self.profile.name} found its port in use {PORT_TRIES} times: {told.rstrip('.')}."
        raise AppFault(f"{found} Its start.command has to listen on {{port}}, and on no other.", "start.command")

    async def stop(self) -> None:
        """End the process and close connections; idempotent."""
        if self._child:
            await self._child.end()
        if self._client:
            await self._client.close()
            self._client = None

    async def wait_ready(self) -> Answer:
        """Wait until the ready test passes.

        Raises:
            AppFault: it has ended, or is not ready in time.
        """
        ready, start = self.profile.ready, self.profile.start
        wanted = Readiness(self.base_url + ready.path, ready.status, ready.text, start.timeout if start else 30)
        try:
            return await wait_ready(self.client(), wanted, self._died)
        except _PortTaken:
            raise
        except AppFault as error:
            key = "ready.text" if isinstance(error, NotReady) and error.lacks_text else "ready.path"
            key = key if self.alive else "start.command"
            fault = AppFault(str(error), key)
            raise (self._with_log(fault) if self.alive else fault) from error

    @contextmanager
    def telling_its_log(self) -> Iterator[None]:
        """A fault of the application goes on with the last line of its log, where that is not told yet."""
        try:
            yield
        except AppFault as fault:
            raise self._with_log(fault) from fault

    def _with_log(self, fault: AppFault) -> AppFault:
        line = self._last_line()
        if not line or line in str(fault):
            return fault
        return AppFault(f"{fault} Last line of its log: {line}", fault.key)

    async def get(self, path: str) -> Answer:
        """One GET below the base URL, signed in as nobody."""
        return await self.client().get(self.base_url + path)

    async def run(self, command: Command, timeout: float, key: str) -> None:
        """Run a command of the profile to its end in the application's surroundings.

        Raises:
            AppFault: it failed or took longer than ``timeout`` seconds; ``key`` is named.
        """
        try:
            child = start_child(self._filled(command), self._env(), self.log, self.data)
        except ProfileError as error:
            raise ProfileError(f"{str(error).rstrip('.')} ({key} of {self.profile.name}).") from error
        try:
            code = await child.wait(timeout)
        except AppFault as error:
            raise AppFault(self._redactor.clean(str(error)), key) from error
        finally:
            await child.end()
        if code != 0:
            raise AppFault(f"{key} of {self.profile.name} failed with {code}: {self._last_line()}", key)

    def client(self) -> Client:
        """A client that stays on the instance's origins."""
        if self._client is None:
            self._client = Client(self.profile.origins(self.base_url))
        return self._client

    async def _start_once(self, command: Command) -> None:
        try:
            self._child = start_child(self._filled(command), self._env(), self.log, self.data)
        except ProfileError as error:
            raise ProfileError(f"{str(error).rstrip('.')} (start.command of {self.profile.name}).") from error
        await self.wait_ready()
        if stranger := _foreign_listener(self._child.pid, self.port):
            raise _PortTaken(f"Port {self.port} is held by process {stranger}.")

    def _died(self) -> str | None:
        if self.alive or not self._child:
            return None
        line = self._last_line()
        if not _bindable(self.port) or "in use" in line.lower():
            raise _PortTaken(f"Port {self.port} was taken by somebody else: {line}")
        said = f"; last line of its log: {line}" if line else " and logged nothing"
        return f"{self.profile.name} ended with {self._child.exit_code} before it was ready{said}"

    def _last_line(self) -> str:
        """Of the application's log, without the passwords that it may have printed."""
        return self._redactor.clean(last_line(self.log))

    def _filled(self, command: Command) -> Command:
        values = self._values()
        return tuple(fill(part, values) for part in command)

    def _values(self) -> dict[str, str]:
        home = self._home
        return {"port": str(self.port), "data": str(self.data), "files": str(home.files), "python": str(home.python)}

    def _env(self) -> dict[str, str]:
        env = application_environment(self._owner, self.profile.timezone)
        values = self._values()
        for name, text in (self.profile.start.env if self.profile.start else {}).items():
            env[name] = _from_ours(name, text) if text.startswith("env:") else fill(text, values)
        if self.profile.clock:
            env[self.profile.clock.env] = self._clock or self.profile.clock.instant
        env[PASSWORDS] = str(self._workdir / "passwords.json")
        return env


class _PortTaken(AppFault):
    """Somebody else listens on the port; another one is tried."""


def free_port() -> int:
    """A port of the loopback address that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def write_private(path: Path, text: str) -> None:
    """Replace a file by one that only its owner can read."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)


def _from_ours(name: str, text: str) -> str:
    variable = text.removeprefix("env:")
    if variable not in os.environ:
        raise ProfileError(f"start.env.{name} is read from {variable}, which is not set; export it.")
    return os.environ[variable]


def _bindable(port: int) -> bool:
    with socket.socket() as probe:
        # Connections of a server that has just ended linger; they are no reason to call the port taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def _foreign_listener(leader: int, port: int) -> int | None:
    """Process that listens on our port though it is none of ours; None where nothing of the kind can be seen."""
    try:
        ours = [psutil.Process(leader), *psutil.Process(leader).children(recursive=True)]
    except psutil.Error:
        return None
    if any(_listens(process, port) for process in ours):
        return None
    # Seldom reached: a container's port is held by its own service, whose owner is mostly hidden from us.
    try:
        everyone = psutil.net_connections("tcp")
    except psutil.Error:
        return None
    known = {process.pid for process in ours}
    mine = [c.pid for c in everyone if c.status == psutil.CONN_LISTEN and c.laddr and c.laddr.port == port]
    return next((pid for pid in mine if pid and pid not in known), None)


def _listens(process: psutil.Process, port: int) -> bool:
    try:
        connections = process.net_connections("tcp")
    except psutil.Error:
        return False
    return any(c.status == psutil.CONN_LISTEN and c.laddr and c.laddr.port == port for c in connections)
