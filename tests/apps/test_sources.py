"""State sources: keys, cells, consistency, and putting back exactly what was there."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.apps import files_source, sources, sqlite_source
from pipeline.apps.profile import FilesState, SqliteState
from pipeline.domain.state import StateSnapshot, diff
from pipeline.errors import AppFault

DB = SqliteState(kind="sqlite", path="app.db")
FILES = FilesState(kind="files", root="etc")


def database(folder: Path, *statements: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "app.db")) as db, db:
        for statement in statements:
            db.execute(statement)
    return folder


@pytest.mark.parametrize(
    ("ddl", "key"),
    [
        ("CREATE TABLE t (a TEXT, b INTEGER, PRIMARY KEY (b, a))", ("b", "a")),
        ("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT UNIQUE)", ("a",)),
        ("CREATE TABLE t (a TEXT NOT NULL UNIQUE, b INTEGER)", ("a",)),
        ("CREATE TABLE t (a TEXT, b INTEGER)", ("rowid",)),
        ("CREATE TABLE t (a TEXT PRIMARY KEY, b INTEGER) WITHOUT ROWID", ("a",)),
    ],
)
def test_rows_are_keyed_by_primary_key_else_unique_index_else_rowid(tmp_path: Path, ddl: str, key: tuple[str]) -> None:
    data = database(tmp_path, ddl, "INSERT INTO t (a, b) VALUES ('1', 2)")
    assert sqlite_source.read(DB, data)["t"].key_columns == key


def test_a_unique_index_over_empty_cells_does_not_tell_rows_apart(tmp_path: Path) -> None:
    data = database(tmp_path, "CREATE TABLE t (a TEXT UNIQUE)", "INSERT INTO t VALUES (NULL), (NULL)")
    table = sqlite_source.read(DB, data)["t"]
    assert table.key_columns == ("rowid",)
    assert len(table.rows) == 2


def test_a_partial_or_computed_index_is_no_key(tmp_path: Path) -> None:
    data = database(
        tmp_path,
        "CREATE TABLE t (a TEXT NOT NULL, b TEXT NOT NULL)",
        "CREATE UNIQUE INDEX i ON t (a) WHERE b = 'x'",
        "CREATE UNIQUE INDEX j ON t (lower(b))",
    )
    assert sqlite_source.read(DB, data)["t"].key_columns == ("rowid",)


def test_bytes_are_shown_by_their_hash_and_broken_text_is_still_text(tmp_path: Path) -> None:
    data = database(
        tmp_path,
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b)",
        "INSERT INTO t VALUES (1, x'0001'), (2, CAST(x'ff41' AS TEXT))",
    )
    rows = sqlite_source.read(DB, data)["t"].rows
    assert rows[(1,)]["b"] == "sha256:" + hashlib.sha256(b"\x00\x01").hexdigest()
    assert rows[(2,)]["b"] == "\ufffdA"


def test_ignored_tables_and_sqlite_s_own_are_left_out(tmp_path: Path) -> None:
    data = database(tmp_path, "CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)", "CREATE TABLE noise (a)")
    assert set(sqlite_source.read(DB.model_copy(update={"ignore": ("noise",)}), data)) == {"t"}


def test_names_with_quotes_are_read(tmp_path: Path) -> None:
    data = database(tmp_path, 'CREATE TABLE "a ""b""; --" ("c ""d""" TEXT PRIMARY KEY)')
    assert sqlite_source.read(DB, data)['a "b"; --'].key_columns == ('c "d"',)


def test_what_is_in_the_write_ahead_log_is_read_and_put_back(tmp_path: Path) -> None:
    template = database(tmp_path / "template", "CREATE TABLE t (a INTEGER PRIMARY KEY)", "INSERT INTO t VALUES (1)")
    data = database(tmp_path / "live")
    sqlite_source.put_back(DB, template, data)
    with closing(sqlite3.connect(data / "app.db")) as live:
        live.execute("PRAGMA journal_mode=WAL")
        with live:
            live.execute("INSERT INTO t VALUES (2)")
        assert set(sqlite_source.read(DB, data)["t"].rows) == {(1,), (2,)}
        sqlite_source.put_back(DB, template, data)
        assert live.execute("SELECT a FROM t").fetchall() == [(1,)]
    assert set(sqlite_source.read(DB, data)["t"].rows) == {(1,)}


def test_a_reset_also_undoes_new_tables_and_columns(tmp_path: Path) -> None:
    template = database(tmp_path / "template", "CREATE TABLE t (a INTEGER PRIMARY KEY)")
    data = database(tmp_path / "live", "CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "CREATE TABLE u (a)")
    sqlite_source.put_back(DB, template, data)
    assert StateSnapshot(sqlite_source.read(DB, data)) == StateSnapshot(sqlite_source.read(DB, template))


def test_a_missing_or_foreign_file_is_an_application_fault(tmp_path: Path) -> None:
    with pytest.raises(AppFault, match=r"no file 'app\.db' in the application's data folder, nor any other SQLite"):
        sqlite_source.read(DB, tmp_path)
    database(tmp_path / "var", "CREATE TABLE t (a)")
    with pytest.raises(AppFault, match=r"no file 'app\.db' .*; its SQLite files are: var/app\.db"):
        sqlite_source.read(DB, tmp_path)
    (tmp_path / "app.db").write_text("this is no database, and long enough to be looked at as one " * 20)
    with pytest.raises(AppFault, match=r"The file 'app\.db' is not a SQLite database"):
        sqlite_source.read(DB, tmp_path)


def test_a_lock_that_stays_is_an_application_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_source, "BUSY", 0.05)
    template = database(tmp_path / "template", "CREATE TABLE t (a)")
    data = database(tmp_path / "live", "CREATE TABLE t (a)")
    with closing(sqlite3.connect(data / "app.db", isolation_level=None)) as live:
        live.execute("BEGIN EXCLUSIVE")
        with pytest.raises(AppFault, match="locked"):
            sqlite_source.put_back(DB, template, data)


def write(folder: Path, name: str, content: bytes) -> None:
    path = folder / "etc" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def test_a_text_file_is_a_table_of_lines(tmp_path: Path) -> None:
    write(tmp_path, "a.ini", b"x = 1\ny = 2\nx = 1\n")
    table = files_source.read(FILES, tmp_path)["file:etc/a.ini"]
    assert table.key_columns == ("line", "nth")
    assert set(table.rows) == {("x = 1", 1), ("y = 2", 1), ("x = 1", 2), ("", 1)}


@pytest.mark.parametrize("content", [b"\x00\x01", b"\xff\xfe", b"a" * 65_537])
def test_other_files_are_one_row_with_hash_and_size(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, "a.bin", content)
    rows = files_source.read(FILES, tmp_path)["file:etc/a.bin"].rows
    assert list(rows.values()) == [{"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}]


def test_a_changed_setting_shows_as_one_line_gone_and_one_come(tmp_path: Path) -> None:
    write(tmp_path, "a.ini", b"x = 1\ny = 2\n")
    before = StateSnapshot(files_source.read(FILES, tmp_path))
    write(tmp_path, "a.ini", b"x = 1\ny = 3\n")
    changes = diff(before, StateSnapshot(files_source.read(FILES, tmp_path))).changes
    assert [(c.change, c.key["line"]) for c in changes] == [("removed", "y = 2"), ("added", "y = 3")]


def test_only_what_differs_is_written_and_extra_files_and_folders_go(tmp_path: Path) -> None:
    template, data = tmp_path / "template", tmp_path / "live"
    for folder in (template, data):
        write(folder, "same.ini", b"1")
        write(folder, "deep/changed.ini", b"1")
    write(data, "deep/changed.ini", b"2")
    write(data, "new/extra.ini", b"1")
    write(template, "lost.ini", b"1")
    inode = (data / "etc/same.ini").stat().st_ino
    assert files_source.put_back(FILES, template, data) == ("new/extra.ini", "deep/changed.ini", "lost.ini")
    assert (data / "etc/same.ini").stat().st_ino == inode
    assert not (data / "etc/new").exists()
    assert files_source.read(FILES, data) == files_source.read(FILES, template)
    assert files_source.put_back(FILES, template, data) == ()


def test_ignored_files_are_neither_read_nor_touched(tmp_path: Path) -> None:
    source = FilesState(kind="files", root="etc", ignore=("*.log", "cache/**"))
    template, data = tmp_path / "template", tmp_path / "live"
    write(template, "a.ini", b"1")
    for name in ("a.ini", "app.log", "cache/deep/x"):
        write(data, name, b"1")
    assert set(files_source.read(source, data)) == {"file:etc/a.ini"}
    assert files_source.put_back(source, template, data) == ()
    assert (data / "etc/cache/deep/x").exists()


def test_a_link_is_never_followed_out_of_the_data(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not the application's")
    template, data = tmp_path / "template", tmp_path / "live"
    write(template, "a", b"1")
    write(data, "a", b"1")
    os.symlink(secret, data / "etc" / "b")
    assert "not the application's" not in str(files_source.read(FILES, data)["file:etc/b"].rows)
    files_source.put_back(FILES, template, data)
    assert secret.read_text() == "not the application's"


@pytest.mark.parametrize(
    ("pattern", "name", "hit"),
    [
        ("*.ini", "a.ini", True),
        ("*.ini", "b/a.ini", False),
        ("**/*.ini", "a.ini", True),
        ("**/*.ini", "b/c/a.ini", True),
        ("b/**", "b/c/d", True),
        ("a.ini", "axini", False),
        ("?.ini", "a.ini", True),
    ],
)
def test_globs_cross_directories_only_with_two_stars(pattern: str, name: str, hit: bool) -> None:
    assert files_source.matches(name, [pattern]) is hit


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.binary(max_size=6)), max_size=6), st.booleans())
@settings(max_examples=25, deadline=None)
def test_putting_back_makes_any_two_folders_equal(
    tmp_path_factory: pytest.TempPathFactory, files: list[tuple[str, bytes]], swap: bool
) -> None:
    base = tmp_path_factory.mktemp("files")
    template, data = base / "template", base / "live"
    for place, (name, content) in enumerate(files):
        write(template if (place % 2) ^ swap else data, name, content)
    files_source.put_back(FILES, template, data)
    assert files_source.read(FILES, template) == files_source.read(FILES, data)


def test_two_databases_are_kept_apart_by_their_prefix(tmp_path: Path) -> None:
    data = database(tmp_path, "CREATE TABLE t (a)")
    second = SqliteState(kind="sqlite", path="app.db", prefix="two.")
    assert set(sources.read([DB, second], data).tables) == {"t", "two.t"}
