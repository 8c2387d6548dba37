"""The version of this product, as installed."""

from __future__ import annotations

from importlib.metadata import version


def tool_version() -> str:
    """Version of the installed package."""
    return version("tasksieve")
