"""A directory of files as a state source: read as tables, put back by copying only what differs. Blocks."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from pipeline.apps.profile import FilesState
from pipeline.domain.state import Row, RowKey, Table
from pipeline.domain.values import clean_text

TEXT_LIMIT = 65_536
"""Bytes up to which a text file is shown line by line."""


def read(source: FilesState, data: Path) -> dict[str, Table]:
    """One table a file, named ``file:<root>/<path>``; a missing root holds no files."""
    tables = (_table(f"file:{source.root}/{name}", data / source.root / name) for name in _names(source, data))
    return {table.name: table for table in tables if table is not None}


def put_back(source: FilesState, template: Path, data: Path) -> tuple[str, ...]:
    """Make the files equal to the template's; returns the paths that were written or removed, relative to the root."""
    old, live = template / source.root, data / source.root
    wanted, present = set(_names(source, template)), set(_names(source, data))
    touched = []
    for name in sorted(present - wanted):
        (live / name).unlink()
        touched.append(name)
    for name in sorted(wanted):
        if name not in present or not _equal(old / name, live / name):
            _replace(old / name, live / name)
            touched.append(name)
    if present - wanted:
        _remove_empty(live, old)
    return tuple(touched)


def matches(name: str, patterns: Sequence[str]) -> bool:
    """True when a path with ``/`` matches one of the globs; ``**`` crosses directories, ``*`` does not."""
    return any(_compiled(pattern).fullmatch(name) for pattern in patterns)


def _names(source: FilesState, data: Path) -> Iterator[str]:
    root = data / source.root
    for folder, _, files in os.walk(root):
        for file in files:
            name = Path(folder, file).relative_to(root).as_posix()
            if matches(name, source.include) and not matches(name, source.ignore):
                yield name


def _table(name: str, path: Path) -> Table | None:
    try:
        # A link is what it points to by name: following it could leave the data directory.
        content = b"link:" + os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
    except FileNotFoundError:  # removed between listing and reading
        return None
    if len(content) <= TEXT_LIMIT and b"\x00" not in content:
        try:
            return _lines(name, content.decode("utf-8"))
        except UnicodeDecodeError:
            pass
    row: Row = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
    return Table(name, ("sha256",), {(row["sha256"],): row})


def _lines(name: str, text: str) -> Table:
    seen: Counter[str] = Counter()
    rows: dict[RowKey, Row] = {}
    for line in clean_text(text).split("\n"):
        seen[line] += 1
        rows[(line, seen[line])] = {"line": line, "nth": seen[line]}
    return Table(name, ("line", "nth"), rows)


def _equal(one: Path, other: Path) -> bool:
    if one.is_symlink() or other.is_symlink():
        return one.is_symlink() and other.is_symlink() and os.readlink(one) == os.readlink(other)
    return one.stat().st_size == other.stat().st_size and one.read_bytes() == other.read_bytes()


def _replace(old: Path, live: Path) -> None:
    """Swap in whole files, so that the application never reads half of one; the time is new, so that it notices."""
    live.parent.mkdir(parents=True, exist_ok=True)
    fresh = live.with_name(f".{live.name}.tasksieve")
    if old.is_symlink():
        fresh.symlink_to(os.readlink(old))
    else:
        shutil.copyfile(old, fresh)
        shutil.copymode(old, fresh)
    fresh.replace(live)


def _remove_empty(live: Path, old: Path) -> None:
    for folder, _, _ in os.walk(live, topdown=False):
        path = Path(folder)
        if path != live and not any(path.iterdir()) and not (old / path.relative_to(live)).is_dir():
            path.rmdir()


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile(re.sub(r"\*\*/|\*\*|\*|\?|[^*?]+", lambda m: parts.get(m[0], re.escape(m[0])), pattern))
