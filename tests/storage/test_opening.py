"""What may be opened as a catalogue, and what is said when it may not."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from catalogue_samples import clock, draft, run_info
from sqlalchemy import create_engine

from pipeline.errors import CatalogueError
from storage import rows_drafts, rows_explorations, rows_runs, schema
from storage.address import catalogue_path
from storage.store import Store

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


async def opened(place, **more) -> None:
    async with await Store.open(str(place), clock=clock, **more):
        pass


async def refused(place, match: str, **more) -> None:
    with pytest.raises(CatalogueError, match=match) as caught:
        await opened(place, **more)
    assert str(place) in str(caught.value)


async def test_a_url_and_a_path_name_the_same_file(tmp_path):
    assert catalogue_path(f"sqlite:///{tmp_path}/c.db") == catalogue_path(f"{tmp_path}/c.db") == tmp_path / "c.db"
    assert catalogue_path("sqlite:///runs/c.db") == Path("runs/c.db")


@pytest.mark.parametrize(
    "given", ["", "postgresql://host/db", "sqlite://", "sqlite:////a?mode=ro", ":memory:", "file:x.db", "~nobody-x/c"]
)
def test_anything_but_a_path_is_refused_by_name(given):
    with pytest.raises(CatalogueError) as caught:
        catalogue_path(given)
    assert repr(given) in str(caught.value)


async def test_folders_are_made_for_a_new_catalogue(tmp_path):
    await opened(tmp_path / "a" / "b" / "c.db")
    assert (tmp_path / "a" / "b" / "c.db").is_file()


async def test_a_missing_catalogue_is_not_made_unless_wanted(tmp_path):
    await refused(tmp_path / "c.db", "no catalogue", create=False)
    assert not list(tmp_path.iterdir())


async def test_a_directory_is_refused(tmp_path):
    await refused(tmp_path, "directory")


async def test_a_file_that_is_no_database_is_refused_and_untouched(tmp_path):
    place = tmp_path / "notes.txt"
    place.write_text("not a database " * 200)
    before = place.read_bytes()
    await refused(place, "not a SQLite database")
    assert place.read_bytes() == before


async def test_a_database_of_another_program_is_refused_and_untouched(tmp_path):
    place = tmp_path / "foreign.db"
    with sqlite3.connect(place) as raw:
        raw.execute("CREATE TABLE runs (name TEXT)")
    raw.close()
    before = place.read_bytes()
    await refused(place, "another program")
    assert place.read_bytes() == before


async def test_a_newer_catalogue_is_refused(tmp_path):
    await opened(tmp_path / "c.db")
    change(tmp_path / "c.db", "UPDATE alembic_version SET version_num = '9999'")
    await refused(tmp_path / "c.db", r"'9999', newer.*upgrade tasksieve")


async def test_a_catalogue_without_revision_is_damaged(tmp_path):
    await opened(tmp_path / "c.db")
    change(tmp_path / "c.db", "DELETE FROM alembic_version")
    await refused(tmp_path / "c.db", "damaged")


async def test_a_damaged_catalogue_is_told(tmp_path):
    place = tmp_path / "c.db"
    await opened(place)
    data = bytearray(place.read_bytes())
    data[100:4096] = b"\x5a" * 3996
    place.write_bytes(data)
    await refused(place, "damaged")


async def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    await refused(tmp_path / "file" / "c.db", "cannot be written")
    await refused("/proc/c.db", "cannot be written")
    await refused(tmp_path / ("n" * 300), "cannot be written")


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """Says of the folder that it may not be written."""
    monkeypatch.setattr("os.access", lambda place, mode: mode != os.W_OK)
    return tmp_path


async def test_a_closed_place_is_read_and_left_as_it_is(tmp_path, request):
    async with await Store.open(str(tmp_path / "c #1.db"), clock=clock) as store:
        await store.create_run(run_info("first"))
    request.getfixturevalue("closed")
    async with await Store.open(str(tmp_path / "c #1.db"), clock=clock, create=False, reading=True) as store:
        assert [run.name for run in await store.runs()] == ["first"]
        assert [p.name for p in tmp_path.iterdir()] == ["c #1.db"]


async def test_a_closed_place_shows_what_a_writer_has_there_just_now(tmp_path, request):
    async with await Store.open(str(tmp_path / "c.db"), clock=clock) as writer:
        await writer.create_run(run_info("first"))
        request.getfixturevalue("closed")
        async with await Store.open(str(tmp_path / "c.db"), clock=clock, create=False, reading=True) as store:
            assert [run.name for run in await store.runs()] == ["first"]


async def test_an_empty_log_in_a_closed_place_holds_nothing(tmp_path, request):
    await opened(tmp_path / "c.db")
    (tmp_path / "c.db-wal").touch()
    request.getfixturevalue("closed")
    await opened(tmp_path / "c.db", create=False, reading=True)
    assert {p.name for p in tmp_path.iterdir()} == {"c.db", "c.db-wal"}


async def test_a_log_that_cannot_be_read_in_a_closed_place_is_told(tmp_path, request, monkeypatch):
    await opened(tmp_path / "c.db")
    request.getfixturevalue("closed")

    def refuses(*_):
        with sqlite3.connect("file:/nowhere/c.db?mode=ro", uri=True) as raw:
            return raw

    monkeypatch.setattr("storage.opening.open_raw", refuses)
    await refused(tmp_path / "c.db", "copy all of", create=False, reading=True)


async def test_a_closed_place_is_no_place_to_write(tmp_path, request):
    await opened(tmp_path / "c.db")
    request.getfixturevalue("closed")
    await refused(tmp_path / "c.db", "may not be written", create=False)


async def test_an_older_catalogue_in_a_closed_place_is_told(tmp_path, request):
    await opened(tmp_path / "c.db")
    change(tmp_path / "c.db", f"UPDATE alembic_version SET version_num = '{schema.REVISIONS[0]}'")
    request.getfixturevalue("closed")
    await refused(tmp_path / "c.db", "an older version", create=False, reading=True)


async def test_an_empty_file_becomes_a_catalogue(tmp_path):
    (tmp_path / "c.db").touch()
    await opened(tmp_path / "c.db")
    await opened(tmp_path / "c.db", create=False)


def change(place: Path, statement: str) -> None:
    with sqlite3.connect(place) as raw:
        raw.execute(statement)
    raw.close()


def dump(place: Path) -> str:
    """The schema as SQLite keeps it, in a stable order."""
    with sqlite3.connect(place) as raw:
        found = raw.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY tbl_name, type DESC, name")
        text = "".join(f"{sql};\n" for (sql,) in found)
    raw.close()
    return text


async def test_the_final_schema_is_pinned(tmp_path):
    """On a wanted change: add a migration, then write the new dump to schema.sql."""
    await opened(tmp_path / "c.db")
    assert dump(tmp_path / "c.db") == (HERE / "schema.sql").read_text()


async def test_migrations_and_rows_agree(tmp_path):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    await opened(tmp_path / "c.db")
    metadata = rows_runs.SQLModel.metadata
    assert rows_drafts.SQLModel.metadata is metadata is rows_explorations.SQLModel.metadata
    engine = create_engine(f"sqlite:///{tmp_path}/c.db")
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    engine.dispose()


def test_every_migration_is_known_numbered_and_shipped():
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS))
    found = [s.revision for s in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(found)) == schema.REVISIONS == tuple(f"{n + 1:04}" for n in range(len(found)))
    globs = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["storage"]
    files = [p.relative_to(ROOT / "storage").as_posix() for p in schema.MIGRATIONS.rglob("*.py")]
    assert len(files) == 1 + len(found)
    assert all(any(fnmatch(f, g) for g in globs) for f in files)


@pytest.fixture
def next_version(tmp_path, monkeypatch):
    """A version of ours with one migration more."""
    later = tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, later)
    (later / "versions" / "v_next.py").write_text(
        f"from alembic import op\nrevision = 'next'\ndown_revision = {schema.REVISIONS[-1]!r}\n"
        "def upgrade():\n    op.execute('ALTER TABLE runs ADD COLUMN colour TEXT')\n"
    )
    monkeypatch.setattr(schema, "MIGRATIONS", later)
    monkeypatch.setattr(schema, "REVISIONS", (*schema.REVISIONS, "next"))
    return later


async def old_catalogue(place: Path) -> None:
    async with await Store.open(str(place), clock=clock) as store:
        await store.create_run(run_info())
        await store.add_drafts("first", [draft(0)])


async def test_an_older_catalogue_is_migrated_with_a_copy_beside_it(tmp_path, request):
    place, revision = tmp_path / "c.db", schema.REVISIONS[-1]
    await old_catalogue(place)
    request.getfixturevalue("next_version")
    async with await Store.open(str(place), clock=clock) as store:
        assert [r.draft for r in await store.drafts("first")] == [draft(0)]
    assert "colour" in dump(place)
    copy = schema.backup_path(place, revision)
    assert copy.name == f"c.db.{revision}.bak"
    assert dump(copy) == (HERE / "schema.sql").read_text()
    assert not list(tmp_path.glob("*.tmp"))


async def test_a_failing_migration_leaves_the_older_catalogue_whole(tmp_path, request):
    place = tmp_path / "c.db"
    await old_catalogue(place)
    later = request.getfixturevalue("next_version") / "versions" / "v_next.py"
    later.write_text(later.read_text() + "    raise ZeroDivisionError\n")
    with pytest.raises(ZeroDivisionError):
        await opened(place)
    assert dump(place) == (HERE / "schema.sql").read_text()


async def test_it_opens_from_another_directory_without_settings_of_alembic(tmp_path):
    code = (
        "import asyncio, datetime\nfrom storage.store import Store\n"
        "async def main():\n"
        "    async with await Store.open('runs/c.db', clock=datetime.datetime.now) as s: print(await s.runs())\n"
        "asyncio.run(main())"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, timeout=60)
    assert (done.stdout, done.stderr) == (b"[]\n", b"")


def test_what_the_command_line_imports_first_loads_no_database_library():
    code = (
        "import sys, storage, storage.address, storage.records, storage.pictures, storage.rundir\n"
        "print([m for m in ('sqlalchemy', 'sqlmodel', 'alembic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60)
    assert done.stdout == b"[]\n"


async def test_many_may_open_a_new_catalogue_at_once(tmp_path):
    stores = await asyncio.gather(*(Store.open(str(tmp_path / "c.db"), clock=clock) for _ in range(6)))
    await asyncio.gather(*(s.create_run(run_info(f"run{i}")) for i, s in enumerate(stores)))
    assert len(await stores[0].runs()) == 6
    await asyncio.gather(*(s.close() for s in stores))
