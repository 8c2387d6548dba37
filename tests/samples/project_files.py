"""The files of the project, for tests about the project itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


_MADE = {"__pycache__", "runs", "build", "dist"}


def tracked() -> list[Path]:
    """Files that git knows; where this is no checkout, all files but those that tools made."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]
    return [p for p in sorted(ROOT.rglob("*")) if p.is_file() and not _is_made(p.relative_to(ROOT).parts)]


def _is_made(parts: tuple[str, ...]) -> bool:
    return bool(_MADE & set(parts)) or any(p.startswith(".") or p.endswith(".egg-info") for p in parts)
