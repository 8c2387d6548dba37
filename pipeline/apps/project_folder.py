"""Looking at a project's folder: how it is probably started, and where its data lies. Reads only, runs nothing."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pipeline.apps.profile import LEFT_OUT, Command
from pipeline.apps.sketch import Sketch, name_from
from pipeline.apps.sqlite_source import is_sqlite
from pipeline.errors import UserError

_UPLOADS = ("media", "uploads", "files", "attachments")
_MOST_FILES = 20_000


def sketch_of_folder(folder: Path) -> Sketch:
    """What the folder tells.

    Raises:
        UserError: it is no folder, or holds nothing.
    """
    if not os.path.isdir(folder):  # unlike Path's own, it takes a name of any length
        raise UserError(f"{str(folder)!r} is no folder; give a project's folder or a URL (http://…).")
    folder = folder.resolve()
    if next(_files(folder), None) is None:
        raise UserError(f"The folder {str(folder)!r} holds no files; give a project's folder or a URL.")
    python = _own_python(folder)
    start, env, kind = _start(folder, python)
    packages = () if python else _packages(folder)
    notes = [] if start else ["How it is started was not found out; fill in start.command."]
    if kind == "django" and not python and not any(p.lower().startswith("django") for p in packages):
        packages = (*packages, "Django")
    return Sketch(
        name=name_from(folder.name),
        title=folder.name,
        folder=str(folder),
        packages=packages,
        start=start,
        env=env,
        databases=tuple(sorted(p.relative_to(folder).as_posix() for p in _files(folder) if is_sqlite(p))),
        uploads=tuple(name for name in _UPLOADS if (folder / name).is_dir()),
        documents=tuple(str(p) for p in sorted(folder.glob("README*")))[:3],
        notes=tuple(notes),
    )


def _files(folder: Path) -> Iterator[Path]:
    """Files of the project, its tools' own folders left out; a folder without end is read in part."""
    left = _MOST_FILES
    waiting = [folder]
    while waiting and left:
        for path in sorted(waiting.pop().iterdir()):
            if path.is_symlink() or path.name in LEFT_OUT or path.name == "node_modules":
                continue
            if path.is_dir():
                waiting.append(path)
            else:
                left -= 1
                yield path
                if not left:
                    return


def _own_python(folder: Path) -> str:
    found = (folder / name / "bin" / "python" for name in (".venv", "venv", "env"))
    return next((str(p) for p in found if p.exists()), "")


def _start(folder: Path, python: str) -> tuple[Command, tuple[tuple[str, str], ...], str]:
    """Command, environment and kind of project; empty where nothing is known."""
    run = python or "{python}"
    if (folder / "manage.py").is_file():
        return (run, "manage.py", "runserver", "--noreload", "127.0.0.1:{port}"), (), "django"
    for path in sorted(folder.glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        if made := re.search(r"^(\w+)\s*=\s*(Flask|FastAPI|Starlette)\(", text, re.MULTILINE):
            target = f"{path.stem}:{made[1]}"
            if made[2] == "Flask":
                return (run, "-m", "flask", "--app", target, "run", "--port", "{port}"), (), "flask"
            return (run, "-m", "uvicorn", target, "--port", "{port}"), (), "asgi"
    if "start" in _npm_scripts(folder):
        return ("npm", "start"), (("PORT", "{port}"), ("HOST", "127.0.0.1")), "node"
    return (), (), ""


def _npm_scripts(folder: Path) -> dict[str, str]:
    try:
        scripts = json.loads((folder / "package.json").read_text(encoding="utf-8")).get("scripts", {})
    except (OSError, ValueError, AttributeError):
        return {}
    return scripts if isinstance(scripts, dict) else {}


def _packages(folder: Path) -> tuple[str, ...]:
    """Requirement lines of requirements.txt, else of pyproject.toml."""
    listed = folder / "requirements.txt"
    if listed.is_file():
        lines = (
            line.split("#")[0].strip() for line in listed.read_text(encoding="utf-8", errors="replace").splitlines()
        )
        return tuple(line for line in lines if line and not line.startswith("-"))
    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    found = project.get("project", {}).get("dependencies", [])
    return tuple(str(line) for line in found) if isinstance(found, list) else ()
