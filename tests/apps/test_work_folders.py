"""Folders of work: kept while their owner lives, removed by the next start when it is dead."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pipeline.apps.processes import Owner
from pipeline.apps.work_folders import sweep_folders, work_folder


def _made(root: Path, owner: Owner) -> Path:
    folder = work_folder(root, owner)
    (folder / "worker-0").mkdir(parents=True)
    (folder / "worker-0" / "passwords.json").write_text("{}")
    return folder


def test_what_a_dead_owner_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    here = Owner.here(tmp_path)
    mine, dead = _made(tmp_path, here), _made(tmp_path, replace(here, tag="gone", pid=999_999_999))
    stranger = tmp_path / "work" / "notes@home@2"
    stranger.mkdir()
    assert sweep_folders(tmp_path) == (dead.name,)
    assert (mine.exists(), dead.exists(), stranger.exists()) == (True, False, True)


def test_a_process_id_that_was_given_again_is_no_living_owner(tmp_path: Path) -> None:
    earlier = replace(Owner.here(tmp_path), started="1")
    _made(tmp_path, earlier)
    assert len(sweep_folders(tmp_path)) == 1


def test_where_nothing_was_worked_on_there_is_nothing_to_sweep(tmp_path: Path) -> None:
    assert sweep_folders(tmp_path) == ()
