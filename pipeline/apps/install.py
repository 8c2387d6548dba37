"""The application's own virtual environment: made once per set of packages, shared by every run of this user.

Never installs anything into the environment that tasksieve itself runs in.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from pipeline.apps.lock import exclusive
from pipeline.apps.processes import Child, Owner, child_environment, start_child
from pipeline.apps.profile import AppProfile
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import fingerprint
from pipeline.errors import AppFault, boundary

_MARKER = "installed.json"
"""Written last: an environment without it is half made and is made again. Environments cannot be renamed into place."""
_OURS_ONLY = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_TARGET", "PIP_PREFIX", "PIP_USER")
"""Variables that would bend the new environment towards ours."""


@dataclass(frozen=True)
class AppHome:
    """Where an application's programs are."""

    python: Path
    """Interpreter of its environment."""
    files: Path
    """Folder of the profile's own files."""
    key: str
    """Hash of packages and Python version."""


async def install(profile: AppProfile, cache_root: Path, sink: Sink) -> AppHome:
    """The application's environment under ``cache_root``, made when it is not there yet.

    Raises:
        AppFault: a package cannot be installed; the sentence holds the installer's last line and the log's path.
    """
    key = environment_key(profile)
    if not profile.install.packages:
        return AppHome(Path(sys.executable), profile.files, key)
    folder = (cache_root / "environments" / f"{profile.name}-{key}").resolve()
    home = AppHome(folder / "bin" / "python", profile.files, key)
    if is_installed(profile, cache_root):
        return home
    folder.parent.mkdir(parents=True, exist_ok=True)
    async with exclusive(folder.with_suffix(".lock"), profile.install.timeout):
        if not is_installed(profile, cache_root):  # another process may have made it meanwhile
            with boundary(f"installing {profile.name}"):
                await _make(profile, folder, home, cache_root, sink)
    return home


def is_installed(profile: AppProfile, cache_root: Path) -> bool:
    """True when nothing needs to be downloaded."""
    folder = cache_root / "environments" / f"{profile.name}-{environment_key(profile)}"
    # The interpreter is a link to the machine's own, which may have been removed since.
    return not profile.install.packages or ((folder / _MARKER).is_file() and (folder / "bin" / "python").exists())


def environment_key(profile: AppProfile) -> str:
    """Hash of packages and Python version."""
    return fingerprint([sorted(profile.install.packages), list(sys.version_info[:3])], 12)


async def _make(profile: AppProfile, folder: Path, home: AppHome, cache_root: Path, sink: Sink) -> None:
    packages = list(profile.install.packages)
    sink(Progress(phase="install", message=f"installing {profile.title or profile.name}: {' '.join(packages)}"))
    log = folder.with_suffix(".log")
    log.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    owner = Owner.here(cache_root)
    await _run([sys.executable, "-m", "venv", str(folder)], log, owner, profile)
    pip = [str(home.python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--quiet"]
    await _run([*pip, *packages], log, owner, profile)
    marker = folder / f"{_MARKER}.new"
    marker.write_text(json.dumps({"packages": packages, "python": sys.version.split()[0]}), encoding="utf-8")
    marker.replace(folder / _MARKER)
    sink(Progress(phase="install", message=f"installed {profile.title or profile.name}"))


async def _run(command: list[str], log: Path, owner: Owner, profile: AppProfile) -> None:
    # The installer needs the machine's own settings: proxies, indexes, certificates.
    env = {name: value for name, value in os.environ.items() if name not in _OURS_ONLY} | child_environment(owner)
    child = start_child(command, env, log, log.parent)
    try:
        code = await child.wait(profile.install.timeout)
    finally:
        await child.end()
    if code != 0:
        reason = f"Installing {profile.name} failed: {_useful_line(child)}; correct install.packages (log: {log})."
        raise AppFault(reason, "install.packages")


def _useful_line(child: Child) -> str:
    lines = child.log.read_text(encoding="utf-8", errors="replace").splitlines()
    errors = [line.strip() for line in lines if line.startswith("ERROR")]
    return (errors[-1].removeprefix("ERROR: ") if errors else child.last_line() or "no output").rstrip(".")
