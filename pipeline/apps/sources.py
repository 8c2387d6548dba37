"""All state sources of a profile together: one snapshot, one way back. Blocks; instances have a thread for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import assert_never

from pipeline.apps import files_source, sqlite_source
from pipeline.apps.profile import AppProfile, StateSource
from pipeline.domain.state import StateSnapshot, Table


def read(sources: Sequence[StateSource], data: Path, frozen: bool = False) -> StateSnapshot:
    """Everything that the sources hold; databases before files. ``frozen`` promises that nobody writes (a template)."""
    tables: dict[str, Table] = {}
    for source in sorted(sources, key=lambda s: s.kind, reverse=True):
        match source.kind:
            case "sqlite":
                tables |= sqlite_source.read(source, data, frozen)
            case "files":
                tables |= files_source.read(source, data)
            case "none":
                pass
            case _:
                assert_never(source)
    return StateSnapshot(tables)


def put_back(sources: Sequence[StateSource], template: Path, data: Path) -> bool:
    """Make the live data equal to the template's; True when a file had to be written or removed."""
    touched = False
    for source in sources:
        match source.kind:
            case "sqlite":
                sqlite_source.put_back(source, template, data)
            case "files":
                touched = bool(files_source.put_back(source, template, data)) or touched
            case "none":
                pass
            case _:
                assert_never(source)
    return touched


def settle(sources: Sequence[StateSource], data: Path) -> None:
    """Fold write-ahead logs into their files; the application must have ended."""
    for source in sources:
        if source.kind == "sqlite":
            sqlite_source.settle(source, data)


def content_hash(profile: AppProfile, snapshot: StateSnapshot) -> str:
    """Fingerprint of a snapshot without what seeding fills at random, so that it is the same on every machine."""
    return StateSnapshot({n: t for n, t in snapshot.tables.items() if not _random(profile, n)}).fingerprint


def caches(profile: AppProfile, changed: Sequence[str]) -> bool:
    """True when one of the changed tables is one that the application is known to cache (``reset.restart_when``)."""
    return any(files_source.matches(name, profile.reset.restart_when) for name in changed)


def changed_tables(before: StateSnapshot, after: StateSnapshot) -> tuple[str, ...]:
    """Names of tables that differ, sorted; empty exactly when the fingerprints are equal."""
    names = set(before.tables) | set(after.tables)
    return tuple(sorted(name for name in names if before.tables.get(name) != after.tables.get(name)))


def _random(profile: AppProfile, name: str) -> bool:
    for source in profile.state:
        match source.kind:
            case "sqlite":
                if name in {source.prefix + table for table in source.ignore_in_hash}:
                    return True
            case "files":
                inside = name.removeprefix(f"file:{source.root}/")
                if inside != name and files_source.matches(inside, source.ignore_in_hash):
                    return True
            case "none":
                pass
            case _:
                assert_never(source)
    return False
