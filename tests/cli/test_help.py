"""Every help text is pinned; ``TASKSIEVE_WRITE_GOLDENS=1 pytest tests/cli/test_help.py`` writes them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from pipeline.cli.commands import app
from pipeline.config import RunConfig

GOLDENS = Path(__file__).parents[1] / "data" / "cli"


def command_lines(command: Any = None, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    command = command or typer.main.get_command(app)
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from command_lines(below, (*path, name))


ALL = list(command_lines())


def options_of(path: tuple[str, ...]) -> set[str]:
    command = typer.main.get_command(app)
    for name in path:
        command = command.commands[name]
    return {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_reads_as_pinned(path, tasksieve):
    golden = GOLDENS / f"help{''.join('-' + name for name in path)}.txt"
    shown = tasksieve(*path, "--help")
    if os.environ.get("TASKSIEVE_WRITE_GOLDENS"):
        golden.write_text(shown.out, encoding="utf-8")
    assert shown.code == 0
    assert shown.out == golden.read_text(encoding="utf-8")


def test_no_golden_is_left_over():
    expected = {f"help{''.join('-' + name for name in path)}.txt" for path in command_lines()}
    assert {p.name for p in GOLDENS.glob("help*.txt")} == expected


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_command_takes_json_and_debug(path):
    groups = ((), ("review",), ("export",), ("bench",))
    assert path in groups or {"--json", "--debug", "--config"} <= options_of(path)


@pytest.mark.parametrize("option", ["count", "seed", "workers", "explore_actions"])
def test_defaults_stand_in_the_help_as_they_are(option):
    command = typer.main.get_command(app).commands["generate"]
    [told] = [p.help for p in command.params if p.name == option]
    assert told.endswith(f"({RunConfig.model_fields[option].default}).")
