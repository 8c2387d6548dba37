"""What ``doctor`` finds out."""

from __future__ import annotations

import tempfile
from collections import namedtuple
from pathlib import Path

import pytest

from pipeline.config import RunConfig
from pipeline.errors import BrowserFault
from pipeline.report import machine


@pytest.fixture
def config(tmp_path):
    return RunConfig(runs=tmp_path / "runs", home=tmp_path / "cache")


async def no_browser():
    return None


async def test_a_missing_browser_is_said_with_the_way_to_get_one(config, monkeypatch):
    monkeypatch.setattr(machine, "find_browser", no_browser)
    found = await machine.examine(config)
    (browser,) = [f for f in found.findings if f.name == "browser"]
    assert not found.ok
    assert browser.state == "missing"
    assert "playwright install" in browser.remedy


async def test_a_browser_that_does_not_start_counts_as_missing(monkeypatch):
    async def refuses():
        raise BrowserFault("It does not start.")

    monkeypatch.setattr(machine, "find_browser", refuses)
    assert (await machine.browser()).detail == "It does not start."


async def test_only_the_browser_is_looked_at_when_asked(config, monkeypatch):
    monkeypatch.setattr(machine, "find_browser", no_browser)
    assert [f.name for f in (await machine.examine(config, only_browser=True)).findings] == ["browser"]


def test_an_old_python_is_missing_a_newer_one():
    assert machine.python((3, 10, 4)).state == "missing"
    assert machine.python((3, 14, 0)).state == "ok"


def test_a_package_that_is_declared_and_not_installed_is_named(monkeypatch):
    declared = ["no-such-distribution>=1", "rich[x]>=2", 'pytest-none; extra == "dev"']
    monkeypatch.setattr(machine.metadata, "requires", lambda _: declared)
    assert machine.packages().detail == "not installed: no-such-distribution"


@pytest.mark.parametrize(("free", "state"), [(10**8, "missing"), (10**9, "warning"), (10**10, "ok")])
def test_little_space_warns_and_too_little_fails(free, state, tmp_path, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda _: usage(10**11, 0, free))
    assert machine.disk(tmp_path / "runs").state == state


def test_a_directory_that_cannot_be_written_is_missing(tmp_path, monkeypatch):
    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    found = machine.writable("runs directory", tmp_path / "runs")
    assert (found.state, "Permission denied" in found.detail) == ("missing", True)


def test_a_file_in_the_way_of_a_directory_is_told(tmp_path):
    (tmp_path / "runs").write_text("")
    assert machine.writable("runs directory", tmp_path / "runs" / "deep").state == "missing"


@pytest.mark.parametrize("name", ["n" * 300, "null\0"])
def test_a_name_that_no_folder_can_have_is_told(tmp_path, name):
    assert machine.writable("cache directory", tmp_path / name / "deep").state == "missing"
    assert machine.disk(tmp_path / name).detail.endswith("free")


def test_a_directory_is_told_by_its_whole_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert machine.writable("runs directory", Path("runs")).detail == str(tmp_path / "runs")


def test_nothing_is_made_by_looking(tmp_path):
    machine.writable("runs directory", tmp_path / "deep" / "runs")
    assert list(tmp_path.iterdir()) == []
