"""Templates: made once, private, whole or made again, and equal for equal inputs."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest
from notes_app import Bend, made, warm

from pipeline.apps import template as template_module
from pipeline.apps.install import install
from pipeline.apps.kept_secrets import template_secrets
from pipeline.apps.template import Template, inputs_key, make_template
from pipeline.domain.environment import SessionState
from pipeline.domain.progress import nowhere
from pipeline.errors import AppFault, ProfileError, RunFault


async def test_a_template_is_made_once_and_then_reused(notes: Bend, tmp_path: Path) -> None:
    first, _ = await made(notes(), tmp_path)
    stamp = (first.path / "template.json").stat().st_mtime_ns
    second, _ = await made(notes(), tmp_path)
    assert (second.path / "template.json").stat().st_mtime_ns == stamp
    assert second.passwords == first.passwords
    assert second.sessions == first.sessions
    assert second.snapshot.fingerprint == first.snapshot.fingerprint


async def test_what_is_random_by_nature_is_not_in_the_hash_but_in_the_snapshot(notes: Bend, tmp_path: Path) -> None:
    one, _ = await made(notes(), tmp_path / "one")
    two, _ = await made(notes(), tmp_path / "two")
    assert one.template_hash == two.template_hash
    assert one.snapshot.tables["session"] != two.snapshot.tables["session"]


async def test_a_template_whose_data_was_touched_is_made_again(notes: Bend, tmp_path: Path) -> None:
    first, _ = await made(notes(), tmp_path)
    (first.data / "settings" / "notes.ini").write_text("changed behind our back\n")
    second, _ = await made(notes(), tmp_path)
    assert "title = Notes" in (second.data / "settings" / "notes.ini").read_text()


async def test_a_half_made_template_is_never_used(notes: Bend, tmp_path: Path) -> None:
    first, _ = await made(notes(), tmp_path)
    (first.path / "template.json").unlink()
    second, _ = await made(notes(), tmp_path)
    assert (second.path / "template.json").exists()


async def test_reading_a_template_leaves_no_files_beside_its_database(notes: Bend, tmp_path: Path) -> None:
    template, _ = await made(notes(), tmp_path)
    assert sorted(path.name for path in template.data.iterdir()) == ["notes.db", "settings"]


async def test_data_that_cannot_be_read_is_told_apart_by_what_it_was_made_from(notes: Bend, tmp_path: Path) -> None:
    blind = {"state": [{"kind": "none"}]}
    one, _ = await made(notes(**blind), tmp_path)
    two, _ = await made(notes(**blind, seed={"timeout": 99}), tmp_path)
    assert one.template_hash != two.template_hash


async def test_a_full_disk_is_a_fault_of_the_run_and_leaves_nothing_half_made(
    notes: Bend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, text: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    home = await install(notes(), tmp_path, nowhere)
    monkeypatch.setattr(template_module, "write_private", full)
    with pytest.raises(RunFault, match="free some space"):
        await make_template(notes(), home, tmp_path, warm, nowhere)
    assert list((tmp_path / "templates" / "notes").glob("*/")) == []


@pytest.mark.parametrize("folder", ["nowhere", "x" * 5000], ids=["missing", "endless"])
async def test_a_folder_to_copy_that_is_none_is_named_by_its_key(notes: Bend, tmp_path: Path, folder: str) -> None:
    with pytest.raises(AppFault, match="is no folder") as told:
        await made(notes(seed={"folder": folder}), tmp_path)
    assert told.value.key == "seed.folder"


async def test_other_inputs_make_another_template(notes: Bend) -> None:
    assert inputs_key(notes()) != inputs_key(notes(timezone="Asia/Tokyo"))
    assert inputs_key(notes()) == inputs_key(notes())


async def test_secrets_lie_in_private_files_and_in_no_representation(notes: Bend, tmp_path: Path) -> None:
    template, _ = await made(notes(), tmp_path)
    for name in ("passwords.json", "sessions.json"):
        assert (template.path / name).stat().st_mode & 0o777 == 0o600
    assert template.passwords["ada"] not in repr(template)
    assert "t" * 8 not in repr(template)


def test_what_pages_are_read_without_is_what_looks_like_a_secret() -> None:
    stored = {"cookies": [{"value": "f4daf91a0944a4de"}, {"value": "en"}], "origins": [{"value": "a longer setting 1"}]}
    template = Template(
        Path(), "hash", "http://x", {"ada": SessionState("ada", stored)}, {"ada": "k3y-of-ada", "bob": "default"}
    )
    assert template_secrets(template) == {"f4daf91a0944a4de", "k3y-of-ada"}


async def test_a_user_who_was_not_signed_in_is_a_fault(notes: Bend, tmp_path: Path) -> None:
    async def nobody(base_url: str, passwords: object) -> dict[str, object]:
        return {}

    home = await install(notes(), tmp_path, nowhere)
    with pytest.raises(AppFault, match="'ada' of notes could not be signed in"):
        await make_template(notes(), home, tmp_path, nobody, nowhere)
    assert list((tmp_path / "templates" / "notes").glob("*/")) == []


async def test_a_password_from_the_environment_is_used_and_never_stored(
    notes: Bend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in = {"users": [{"name": "ada", "password": "env:NOTES_PASSWORD"}]}
    monkeypatch.setenv("NOTES_PASSWORD", "correct horse battery")
    template, _ = await made(notes(sign_in=sign_in), tmp_path)
    assert template.passwords == {"ada": "correct horse battery"}
    assert not any(b"correct horse" in path.read_bytes() for path in template.path.rglob("*") if path.is_file())


async def test_another_value_of_a_password_signs_nobody_in_anew_until_the_template_is_removed(
    notes: Bend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = notes(sign_in={"users": [{"name": "ada", "password": "env:NOTES_PASSWORD"}]})
    monkeypatch.setenv("NOTES_PASSWORD", "correct horse battery")
    first, _ = await made(profile, tmp_path)
    monkeypatch.setenv("NOTES_PASSWORD", "another word")
    second, _ = await made(profile, tmp_path)
    assert (second.sessions, second.snapshot.fingerprint) == (first.sessions, first.snapshot.fingerprint)
    shutil.rmtree(tmp_path / "templates" / "notes")
    third, _ = await made(profile, tmp_path)
    assert third.snapshot.fingerprint != first.snapshot.fingerprint, "nobody signed in anew"


async def test_a_password_variable_that_is_not_set_is_named(notes: Bend, tmp_path: Path) -> None:
    sign_in = {"users": [{"name": "ada", "password": "env:NOTES_NO_SUCH"}]}
    home = await install(notes(), tmp_path, nowhere)
    with pytest.raises(ProfileError, match="NOTES_NO_SUCH, which is not set"):
        await make_template(notes(sign_in=sign_in), home, tmp_path, warm, nowhere)
