"""The wheel holds everything that runs, and works from another directory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from project_files import ROOT, tracked

PACKAGES = ("pipeline", "storage", "prompts")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """Built from a copy, so that nothing is left in the checkout."""
    source = tmp_path_factory.mktemp("source")
    for path in tracked():
        target = source / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    done = subprocess.run(
        [*command, "--disable-pip-version-check", "--wheel-dir", str(out), str(source)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    (built,) = out.glob("*.whl")
    return built


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {p.relative_to(ROOT).as_posix() for p in tracked() if p.relative_to(ROOT).parts[0] in PACKAGES}
    assert expected - inside == set()


def test_nothing_else_is_in_the_wheel(wheel):
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_the_unpacked_wheel_runs_from_another_directory(wheel, tmp_path):
    """Dependencies come from here; the code comes from the wheel alone."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import pipeline; assert 'site' in pipeline.__file__; "
        "from pipeline.cli.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "site"), "apps", "--json"],
        cwd=tmp_path,
        env={**os.environ, "TASKSIEVE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert '"name": "trac"' in done.stdout


@pytest.mark.e2e
def test_the_wheel_installs_into_an_empty_environment(wheel, tmp_path):
    """Dependencies are fetched as a user's installer does."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True, timeout=120)
    pip = [str(tmp_path / "venv" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--quiet", "--no-input"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel)], check=True, timeout=600)
    done = subprocess.run(
        [str(tmp_path / "venv" / "bin" / "tasksieve"), "apps", "--json"],
        cwd=tmp_path,
        env={**os.environ, "TASKSIEVE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert '"name": "trac"' in done.stdout
