"""Options that several commands share, and the settings they add up to. Imports nothing heavy before it is needed."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.errors import UserError

if TYPE_CHECKING:
    from pipeline.config import RunConfig
    from storage.store import Store

DEFAULT_APP = "trac"
"""The bundled application that is measured where none is named; the only one that stands in code."""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line on stdout.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show the traceback of an unexpected error.")]
ConfigFile = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Settings as TOML.")]
Catalogue = Annotated[
    str | None, typer.Option("--catalogue", metavar="URL", help="Path of the catalogue, or sqlite:///path.")
]
App = Annotated[str, typer.Argument(metavar="APP", help="Name of a bundled app profile, or path of a TOML file.")]


def settings(config: Path | None, **flags: object) -> RunConfig:
    """Defaults, file, environment and flags, merged.

    Raises:
        UserError: something in them cannot be used.
    """
    from pipeline.config import load_config

    return load_config(config, os.environ, flags)


def now() -> datetime:
    """The machine's clock; the one place of the command line that reads it."""
    return datetime.now(UTC)


async def existing_catalogue(config: RunConfig, reading: bool = False) -> Store:
    """The catalogue, which has to be there, and writable unless it is only for ``reading``; close it after use.

    Raises:
        CatalogueError: there is none, or it cannot be used.
    """
    from storage.store import Store

    return await Store.open(config.catalogue, clock=now, create=False, reading=reading)


def names_something(given: str | None) -> str | None:
    """Refuse a list without a name, which would otherwise ask for everything.

    Raises:
        UserError: says what to give.
    """
    if given is not None and not comma_list(given):
        raise UserError(f"{given!r} names nothing; give names with commas between them, or leave the option out.")
    return given


def comma_list(text: str) -> tuple[str, ...]:
    """``a,b`` as its parts, blanks and empty parts dropped."""
    return tuple(part.strip() for part in text.split(",") if part.strip())
