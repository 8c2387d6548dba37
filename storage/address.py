"""Where a catalogue is: turns what the user gave into a path, or says what is wrong with it. Opens nothing."""

from __future__ import annotations

import re
from pathlib import Path

from pipeline.errors import CatalogueError

DEFAULT_CATALOGUE = "runs/catalogue.db"
"""Under the current directory."""

_PREFIX = "sqlite:///"
_PASSWORD = re.compile(r"(://[^/@:]*:)[^/@]*(@)")
"""In the address of another kind of database."""


def catalogue_path(given: str) -> Path:
    """The file that a path or ``sqlite:///path`` names.

    Raises:
        CatalogueError: anything else.
    """
    text = given.removeprefix(_PREFIX)
    if not text.strip() or "://" in text or text == ":memory:" or text.startswith(("file:", "sqlite:")):
        told = _PASSWORD.sub(r"\1•••\2", given)
        raise CatalogueError(f"The catalogue {told!r} is not usable; give a file path or {_PREFIX}PATH.")
    if "\x00" in text or (text != given and "?" in text):
        raise CatalogueError(f"The catalogue {given!r} is not usable; give {_PREFIX}PATH without options.")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise CatalogueError(f"The catalogue {given!r} names a home folder that is not there; give a path.") from error
