"""The house stays as it was drawn: few things at the top, small files, small functions, no drawer names."""

from __future__ import annotations

import ast

import pytest
from project_files import ROOT, tracked

TOP = {
    *("pyproject.toml", "README.md", "pipeline", "prompts", "storage", "tests", "runs"),
    *("CHANGELOG.md", "LICENSE", "Makefile"),
}
DRAWERS = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "handler", "handlers"}


SOURCES = sorted(p for p in tracked() if p.suffix == ".py" and p.relative_to(ROOT).parts[0] != "tests")


def test_nothing_new_lies_at_the_top():
    found = {p.relative_to(ROOT).parts[0] for p in tracked()}
    assert {name for name in found if not name.startswith(".")} <= TOP


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_are_small(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno + 1 > 45
    ]
    assert long == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_say_what_they_are(path):
    assert path.stem not in DRAWERS
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.name == "__init__.py"


def test_the_package_itself_imports_nothing():
    tree = ast.parse((ROOT / "pipeline" / "__init__.py").read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
