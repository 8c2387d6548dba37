"""Installing: an environment of the application's own, made whole or made again, and failures that say why."""

from __future__ import annotations

import asyncio
import sys
import zipfile
from pathlib import Path

import pytest
from notes_app import Bend

from pipeline.apps.install import install, is_installed
from pipeline.domain.progress import nowhere
from pipeline.errors import AppFault


@pytest.fixture
def wheel(tmp_path: Path) -> str:
    """A requirement that needs no network: a wheel made on the spot."""
    path = tmp_path / "riverbank_demo-1.0-py3-none-any.whl"
    about = "riverbank_demo-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("riverbank_demo.py", "ANSWER = 42\n")
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: riverbank-demo\nVersion: 1.0\n")
        archive.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{about}/RECORD", "")
    return str(path)


async def test_packages_go_into_an_environment_of_their_own_once(notes: Bend, wheel: str, tmp_path: Path) -> None:
    profile = notes(install={"packages": [wheel]})
    assert not is_installed(profile, tmp_path)
    one, two = await asyncio.gather(install(profile, tmp_path, nowhere), install(profile, tmp_path, nowhere))
    assert one == two
    assert is_installed(profile, tmp_path)
    assert one.python.is_relative_to(tmp_path)
    assert list(one.python.parents[1].rglob("riverbank_demo.py"))
    with pytest.raises(ImportError):
        __import__("riverbank_demo")

    # Half an environment, as a killed installation leaves it, is made again.
    (one.python.parents[1] / "installed.json").unlink()
    next(one.python.parents[1].rglob("riverbank_demo.py")).unlink()
    again = await install(profile, tmp_path, nowhere)
    assert list(again.python.parents[1].rglob("riverbank_demo.py"))


async def test_a_package_that_does_not_exist_is_named_with_the_installer_s_reason(notes: Bend, tmp_path: Path) -> None:
    profile = notes(install={"packages": [str(tmp_path / "no-such-1.0-py3-none-any.whl")]})
    with pytest.raises(AppFault, match=r"Installing notes failed: .*no-such.*correct install\.packages"):
        await install(profile, tmp_path, nowhere)
    assert not is_installed(profile, tmp_path)


async def test_without_packages_the_running_interpreter_is_used(notes: Bend, tmp_path: Path) -> None:
    home = await install(notes(), tmp_path, nowhere)
    assert home.python == Path(sys.executable)
    assert list(tmp_path.iterdir()) == []
