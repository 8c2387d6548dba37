"""The template: an application's seeded data, made once per set of inputs, warmed, hashed and frozen by a rename.

A template that is half made does not exist; one whose content no longer matches its hash is made again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.apps import sources
from pipeline.apps.install import AppHome, environment_key
from pipeline.apps.lock import exclusive
from pipeline.apps.processes import Owner
from pipeline.apps.profile import LEFT_OUT, AppProfile
from pipeline.apps.profile_file import password_from_environment
from pipeline.apps.server import Server, write_private
from pipeline.domain.environment import SessionState
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.state import StateSnapshot
from pipeline.domain.values import fingerprint
from pipeline.errors import AppFault, boundary

FORMAT = 2
"""Raised whenever templates of an older version can no longer be used."""

Warm = Callable[[str, Mapping[str, str]], Awaitable[Mapping[str, SessionState]]]
"""Given the base URL and the passwords by user: sign in every user, crawl once, return the sessions by user."""

_LONGEST = 1800.0
"""Seconds to wait for another process that is making the same template."""


@dataclass(frozen=True)
class Template:
    """A frozen, seeded, warmed data directory and what belongs to it."""

    path: Path
    """Folder with ``data``; for an application that already runs there is none."""
    template_hash: str
    """SHA-256 of what the state sources hold, without what is random by nature."""
    base_url: str
    """Where the application answered while the sessions were saved."""
    sessions: Mapping[str, SessionState] = field(default_factory=dict, repr=False)
    """Signed-in sessions by user; secret."""
    passwords: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Passwords by user; secret."""
    snapshot: StateSnapshot = field(default_factory=StateSnapshot, repr=False)

    @property
    def data(self) -> Path:
        """The frozen data directory; never started upon, only copied."""
        return self.path / "data"


async def make_template(profile: AppProfile, home: AppHome, root: Path, warm: Warm, sink: Sink) -> Template:
    """The template below ``root``, reused when it is there and whole, else made.

    Raises:
        AppFault: the application could not be seeded, started or stopped.
        RunFault: the disk is full.
        ProfileError: a command cannot be run, or a password's variable is not set.
    """
    if not profile.resettable:
        return await _already_running(profile, home, root, warm)
    folder = (root / "templates" / profile.name / inputs_key(profile)).resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    async with exclusive(folder.with_suffix(".lock"), _LONGEST):
        if (found := _load(profile, folder)) is not None:
            return found
        shutil.rmtree(folder, ignore_errors=True)
        for left in folder.parent.glob(f".{folder.name}-*"):  # of a process that was killed: we hold the lock
            shutil.rmtree(left, ignore_errors=True)
        sink(Progress(phase="start", message=f"making the template of {profile.title or profile.name}"))
        building = folder.parent / f".{folder.name}-{secrets.token_hex(4)}"
        try:
            with boundary(f"making the template of {profile.name}"):
                await _build(profile, home, building, Owner.here(root), warm)
                building.rename(folder)
        finally:
            shutil.rmtree(building, ignore_errors=True)
        template = _load(profile, folder)
    if template is None:
        raise AppFault(f"The template of {profile.name} at {folder} cannot be read back; its disk may be failing.")
    return template


def inputs_key(profile: AppProfile) -> str:
    """Hash of everything that a template is made from."""
    return fingerprint([FORMAT, profile.key, environment_key(profile), _own_files(profile)])


def template_hash(profile: AppProfile, snapshot: StateSnapshot) -> str:
    """What tells one template from another on every machine: the application's version and its seeded data.

    Data that cannot be read is told apart by what it was made from.
    """
    if not profile.observable:
        return inputs_key(profile)
    software = [profile.version, sorted(profile.install.packages), _own_files(profile)]
    return fingerprint([sources.content_hash(profile, snapshot), software], 64)


def _own_files(profile: AppProfile) -> list[list[str]]:
    """Files beside the profile and in the project's folder, each with the hash of its content.

    Raises:
        AppFault: there is no such folder.
    """
    folders = [profile.files] if profile.source else []
    if profile.seed_folder is not None:
        folders.append(_existing(profile.seed_folder))
    return [
        [path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not LEFT_OUT & set(path.relative_to(folder).parts)
    ]


async def _build(profile: AppProfile, home: AppHome, folder: Path, owner: Owner, warm: Warm) -> None:
    (folder / "data").mkdir(parents=True)
    passwords = _passwords(profile, {})
    server = Server(profile, home, folder, owner)
    server.keep_passwords(passwords)
    if profile.seed_folder is not None:
        _copy_folder(profile.seed_folder, folder / "data")
    if profile.seed and profile.seed.command:
        await server.run(profile.seed.command, profile.seed.timeout, "seed.command")
    try:
        await server.start()
        with server.telling_its_log():
            sessions = await warm(server.base_url, passwords)
        if missing := [user for user in profile.user_names if user not in sessions]:
            raise AppFault(f"{missing[0]!r} of {profile.name} could not be signed in.", "sign_in")
        if profile.reset.snapshot:
            await server.run(profile.reset.snapshot, profile.reset.timeout, "reset.snapshot")
    finally:
        await server.stop()
    sources.settle(profile.state, folder / "data")
    generated = {user: word for user, word in passwords.items() if user in _generated(profile)}
    write_private(folder / "passwords.json", json.dumps(generated))
    stored = {user: session.stored for user, session in sessions.items()}
    write_private(folder / "sessions.json", json.dumps(stored))
    snapshot = sources.read(profile.state, folder / "data", frozen=True)
    about = {
        "base_url": server.base_url,
        "template_hash": template_hash(profile, snapshot),
        "fingerprint": snapshot.fingerprint,
    }
    write_private(folder / "template.json", json.dumps(about))


def _copy_folder(source: Path, data: Path) -> None:
    """The project without its tools' own folders; links are copied as links.

    Raises:
        AppFault: it is not there, or cannot be read.
    """
    try:
        shutil.copytree(
            _existing(source), data, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*LEFT_OUT)
        )
    except (OSError, shutil.Error) as error:
        raise AppFault(f"seed.folder {str(source)!r} cannot be copied: {error}.", "seed.folder") from error


def _existing(folder: Path) -> Path:
    """The same.

    Raises:
        AppFault: there is none.
    """
    if not os.path.isdir(folder):  # unlike Path's own, it takes a name of any length
        raise AppFault(f"seed.folder {str(folder)!r} is no folder.", "seed.folder")
    return folder


def _load(profile: AppProfile, folder: Path) -> Template | None:
    """The template in a folder; None when there is none, or when anything about it is not whole."""
    try:
        about = json.loads((folder / "template.json").read_text(encoding="utf-8"))
        stored = json.loads((folder / "sessions.json").read_text(encoding="utf-8"))
        generated = json.loads((folder / "passwords.json").read_text(encoding="utf-8"))
        snapshot = sources.read(profile.state, folder / "data", frozen=True)
        whole = snapshot.fingerprint == about["fingerprint"] and set(_generated(profile)) <= set(generated)
    except (OSError, ValueError, KeyError, AppFault):
        return None
    if not whole:
        return None
    sessions = {user: SessionState(user, session) for user, session in stored.items()}
    passwords = _passwords(profile, generated)
    return Template(folder, about["template_hash"], about["base_url"], sessions, passwords, snapshot)


async def _already_running(profile: AppProfile, home: AppHome, root: Path, warm: Warm) -> Template:
    server = Server(profile, home, root, Owner.here(root))
    passwords = _passwords(profile, {})
    try:
        await server.start()
    finally:
        await server.stop()
    sessions = await warm(server.base_url, passwords)
    return Template(root, profile.key, server.base_url, dict(sessions), passwords)


def _generated(profile: AppProfile) -> tuple[str, ...]:
    users = profile.sign_in.users if profile.sign_in else ()
    return tuple(user.name for user in users if user.password == "generated")


def _passwords(profile: AppProfile, generated: Mapping[str, str]) -> dict[str, str]:
    """Passwords by user: read from the environment, taken from what was generated before, or generated now."""
    made = {user: generated.get(user) or secrets.token_urlsafe(12) for user in _generated(profile)}
    users = profile.sign_in.users if profile.sign_in else ()
    return {user.name: made.get(user.name) or password_from_environment(user) for user in users}
