"""What this machine has and lacks for the product, and how to get what is missing. Installs nothing."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal

from pipeline.apps.work_folders import unwritable
from pipeline.config import RunConfig
from pipeline.domain.values import Value
from pipeline.environments.browser import SharedBrowser, find_browser
from pipeline.errors import EnvironmentFault

_DISTRIBUTION = "tasksieve"
_LITTLE, _TOO_LITTLE = 2_000_000_000, 200_000_000
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
_CJK = ("*cjk*", "*CJK*", "*wqy*", "*SourceHan*", "*DroidSansFallback*")
_OLDEST_PYTHON, _OLDEST_SQLITE = (3, 11), (3, 35)


class Finding(Value):
    """One thing that was looked at."""

    name: str
    state: Literal["ok", "warning", "missing"]
    detail: str
    remedy: str = ""
    """How to get it; empty when nothing is to be done."""


class Examination(Value):
    """All findings; ``ok`` when nothing that is needed is missing."""

    ok: bool
    findings: tuple[Finding, ...]


async def examine(config: RunConfig, only_browser: bool = False) -> Examination:
    """Look at everything, or only try to launch the browser."""
    findings = [await browser()]
    if not only_browser:
        findings = [python(), environments(), packages(), sqlite(), *findings, fonts()]
        findings += [writable("runs directory", config.runs), writable("cache directory", config.home)]
        findings.append(disk(config.runs))
    return Examination(ok=all(f.state != "missing" for f in findings), findings=tuple(findings))


def python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    """Whether the interpreter is new enough."""
    shown = ".".join(map(str, version))
    if version[:2] >= _OLDEST_PYTHON:
        return Finding(name="Python", state="ok", detail=shown)
    return Finding(name="Python", state="missing", detail=shown, remedy="Install Python 3.11 or newer.")


def environments() -> Finding:
    """Whether virtual environments can be made; every application gets one."""
    if all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        return Finding(name="venv", state="ok", detail="virtual environments can be made")
    remedy = "On Debian and Ubuntu: apt-get install python3-venv."
    return Finding(name="venv", state="missing", detail="the module venv or ensurepip is missing", remedy=remedy)


def packages() -> Finding:
    """Whether every package that we declare is installed."""
    try:
        missing = sorted(_missing(metadata.requires(_DISTRIBUTION) or []))
    except metadata.PackageNotFoundError:
        missing = [_DISTRIBUTION]
    if not missing:
        return Finding(name="packages", state="ok", detail="all installed")
    return Finding(
        name="packages",
        state="missing",
        detail=f"not installed: {', '.join(missing)}",
        remedy=f"Install them: pip install {' '.join(missing)}.",
    )


def sqlite() -> Finding:
    """Whether SQLite is new enough and can copy a database that is in use."""
    version = sqlite3.sqlite_version
    if sqlite3.sqlite_version_info[:2] >= _OLDEST_SQLITE and hasattr(sqlite3.Connection, "backup"):
        return Finding(name="SQLite", state="ok", detail=f"{version}, with online backup")
    remedy = "Use a Python that is built with SQLite 3.35 or newer."
    return Finding(name="SQLite", state="missing", detail=version, remedy=remedy)


async def browser() -> Finding:
    """Whether a browser is found and really starts; one without its system libraries does not."""
    remedy = (
        "Run 'playwright install --with-deps chromium', or install your distribution's Chromium "
        "(Debian: apt-get install chromium), or set TASKSIEVE_CHROMIUM to the path of one."
    )
    try:
        found = await find_browser()
        if found is None:
            return Finding(name="browser", state="missing", detail="no Chromium was found", remedy=remedy)
        async with SharedBrowser() as shared:
            await shared.release(await shared.new_context())
    except EnvironmentFault as error:
        return Finding(name="browser", state="missing", detail=str(error), remedy=remedy)
    return Finding(name="browser", state="ok", detail=f"{found.path} ({found.origin})")


def fonts() -> Finding:
    """Whether pictures can show Chinese, Japanese and Korean text; only a warning."""
    if not sys.platform.startswith("linux"):
        return Finding(name="fonts", state="ok", detail="those of the system")
    roots = [Path(root).expanduser() for root in _FONTS]
    hit = next((path for root in roots for pattern in _CJK for path in root.rglob(pattern)), None)
    if hit:
        return Finding(name="fonts", state="ok", detail=f"CJK: {hit.name}")
    return Finding(
        name="fonts",
        state="warning",
        detail="no font for Chinese, Japanese and Korean; such text is blank in pictures",
        remedy="On Debian and Ubuntu: apt-get install fonts-noto-cjk.",
    )


def writable(name: str, directory: Path) -> Finding:
    """Whether files can be made in a directory, or the directory itself can be made."""
    if reason := unwritable(directory):
        detail = f"{directory} cannot be written: {reason}"
        remedy = f"See that {str(directory)!r} can be made and written, or name another."
        return Finding(name=name, state="missing", detail=detail, remedy=remedy)
    return Finding(name=name, state="ok", detail=str(directory.absolute()))


def disk(directory: Path) -> Finding:
    """Free space where runs are kept."""
    free = shutil.disk_usage(_nearest_existing(directory)).free
    state: Literal["ok", "warning", "missing"]
    state = "missing" if free < _TOO_LITTLE else "warning" if free < _LITTLE else "ok"
    remedy = "" if state == "ok" else "Free some space; 2 GB are comfortable. 'tasksieve runs prune' removes pictures."
    return Finding(name="disk", state=state, detail=f"{free / 1e9:.1f} GB free", remedy=remedy)


def _missing(requirements: list[str]) -> Iterator[str]:
    for line in requirements:
        requirement, _, marker = line.partition(";")
        if "extra" in marker:
            continue
        name = requirement.split("[")[0]
        for sign in "<>=!~ (":
            name = name.split(sign)[0]
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            yield name


def _nearest_existing(directory: Path) -> Path:
    place = directory.expanduser().absolute()
    while not os.path.exists(place):  # unlike a path's own, false for a name that no folder can have
        place = place.parent
    return place
