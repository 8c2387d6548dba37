"""Pictures and run directories."""

from __future__ import annotations

import hashlib

import pytest

from pipeline.errors import RunFault, UserError
from storage.pictures import PictureStore, PruneResult
from storage.rundir import RunDirectory


def test_a_picture_lies_at_the_address_of_its_content(tmp_path):
    pictures = PictureStore(tmp_path)
    address = pictures.put(b"jpeg")
    digest = hashlib.sha256(b"jpeg").hexdigest()
    assert address == f"sha256/{digest[:2]}/{digest[2:]}.jpg"
    assert pictures.path(address).read_bytes() == b"jpeg"
    assert pictures.put(b"jpeg") == address
    assert len([p for p in tmp_path.rglob("*") if p.is_file()]) == 1


def test_a_torn_picture_is_written_again(tmp_path):
    pictures = PictureStore(tmp_path)
    path = pictures.path(pictures.put(b"jpeg"))
    path.write_bytes(b"jp")
    pictures.put(b"jpeg")
    assert path.read_bytes() == b"jpeg"


@pytest.mark.parametrize("address", ["", "../../etc/passwd", "sha256/ab/../../x.jpg", "/etc/passwd"])
def test_only_addresses_lead_to_files(tmp_path, address):
    with pytest.raises(UserError, match="no address"):
        PictureStore(tmp_path).path(address)


def test_prune_removes_what_nothing_refers_to(tmp_path):
    pictures = PictureStore(tmp_path)
    kept, dropped = pictures.put(b"kept"), pictures.put(b"dropped")
    torn = pictures.path(dropped).parent / "x.part"
    torn.write_bytes(b"to")
    stranger = tmp_path / "sha256" / "notes.txt"
    stranger.write_text("mine")
    assert pictures.prune({kept}) == PruneResult(removed=2, kept=1, freed_bytes=9)
    assert pictures.path(kept).exists() and stranger.exists()
    assert not pictures.path(dropped).exists() and not torn.exists()
    assert pictures.prune({kept}) == PruneResult(removed=0, kept=1, freed_bytes=0)


def test_prune_spares_pictures_made_since_a_moment(tmp_path):
    pictures = PictureStore(tmp_path)
    made = pictures.path(pictures.put(b"young")).stat().st_mtime
    assert pictures.prune(set(), made_before=made).kept == 1
    assert pictures.prune(set(), made_before=made + 1).removed == 1


def test_pruning_nothing_is_no_mistake(tmp_path):
    assert PictureStore(tmp_path / "none").prune(set()) == PruneResult()


def test_a_run_directory_has_a_place_for_everything(tmp_path):
    directory = RunDirectory(tmp_path, "first")
    directory.make()
    directory.make()
    assert directory.log.parent == directory.checkpoints.parent == tmp_path / "first"
    assert directory.checkpoints.name == "checkpoints.sqlite"
    assert directory.pictures == tmp_path / "pictures" and directory.pictures.is_dir()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-x", "x" * 101, "a\nb", "pictures"])
def test_a_name_that_is_no_folder_is_refused(tmp_path, name):
    with pytest.raises(UserError, match="run name"):
        RunDirectory(tmp_path, name)


def test_a_place_that_cannot_hold_it_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be made"):
        RunDirectory(tmp_path / "file", "first").make()


def test_too_little_space_ends_the_run_in_time(tmp_path):
    directory = RunDirectory(tmp_path / "not" / "there", "first")
    directory.ensure_space(1)
    with pytest.raises(RunFault, match=r"free .*and resume"):
        directory.ensure_space(1 << 60)
