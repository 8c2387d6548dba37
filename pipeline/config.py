"""Every default and limit of the product, and how they are overridden: file, then environment, then flags.

Owns ``RunConfig`` and ``GenerateRequest``. Refuses unknown keys and values out of range with one sentence that says
where the value came from. Reads nothing by itself: the environment is passed in, the file is named.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from platformdirs import user_cache_path
from pydantic import AfterValidator, Field, ValidationError

from pipeline.domain.feature import Operation
from pipeline.domain.values import Value
from pipeline.errors import UserError

PREFIX = "TASKSIEVE_"
"""Environment variables that set a value: the prefix and the key in capitals, such as ``TASKSIEVE_WORKERS``."""


RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
"""Names of runs, whole; each is a folder's name."""
PICTURES = "pictures"
"""Folder beside those of the runs, so that no run may have this name."""


def _run_name(name: str) -> str:
    if not RUN_NAME.fullmatch(name):
        raise ValueError(
            "it may hold up to 100 letters, digits, dots, dashes and underscores, the first no dot or dash"
        )
    return name


class RunConfig(Value):
    """Settings of one command; durations are seconds, 0 means no limit where that is said."""

    count: int = Field(default=30, ge=1, le=100_000)
    """Accepted tasks wanted."""
    seed: int = Field(default=7, ge=0, lt=2**32)
    """Decides values, order and wording."""
    workers: int = Field(default=2, ge=1, le=32)
    """App instances, each with a browser session of its own, that work side by side."""
    explore_actions: int = Field(default=1500, ge=1)
    """Budget of exploration, in actions."""
    explore_seconds: float = Field(default=0.0, ge=0)
    """Time cap of exploration, 0 for none; a run that it ended promises no equal repetition."""
    max_seconds: float = Field(default=0, ge=0)
    """Time cap of a whole run, 0 for none."""
    oracle_runs: int = Field(default=3, ge=1, le=20)
    """How often the oracle has to replay before a draft is accepted."""
    chunk: int = Field(default=12, ge=1)
    """Drafts that are proven between two points at which acceptance is settled."""
    wave: int = Field(default=8, ge=1)
    """Units of exploration between two points at which what was seen is saved."""
    max_drafts_factor: int = Field(default=6, ge=1)
    """Drafts per wanted task after which a run counts as exhausted."""
    max_attempts: int = Field(default=3, ge=1)
    """Attempts at a draft whose proof is unscored, before it stays so."""
    pictures: bool = True
    """Whether pictures of oracles and failing steps are kept."""
    catalogue: str = "runs/catalogue.db"
    """The catalogue: a path or ``sqlite:///path``."""
    runs: Path = Path("runs")
    """Directory of logs, checkpoints and pictures."""
    home: Path = Field(default_factory=lambda: user_cache_path("tasksieve"))
    """Cache of applications' environments and templates."""

    @property
    def picture_folder(self) -> Path:
        """Where pictures lie, named by their content; runs share it."""
        return self.runs / PICTURES


_LONGEST = 120
"""Letters of what was given that are repeated."""


class GenerateRequest(Value):
    """One ``generate``: what is asked for, beyond the settings."""

    app: str = Field(min_length=1)
    """Name of a bundled profile or path of a TOML file."""
    run: Annotated[str, AfterValidator(_run_name)]
    """Name of the run; a folder of this name holds its log."""
    count: int = Field(ge=1)
    seed: int = Field(ge=0)
    operations: tuple[Operation, ...] = ()
    """Only these operations; empty for all."""
    features: tuple[str, ...] = ()
    """Only features whose id or noun is one of these; empty for all."""
    resume: bool = False
    """Go on with the run of this name; otherwise the name must be new."""
    fresh: bool = False
    """Explore again, whatever is stored."""
    workers: int = Field(ge=1)
    explore_actions: int = Field(ge=1)
    explore_seconds: float = Field(default=0.0, ge=0)
    max_seconds: float = Field(default=0, ge=0)


def load_config(file: Path | None, environ: Mapping[str, str], flags: Mapping[str, object]) -> RunConfig:
    """Merge defaults, file, environment and flags (None: not given); the later wins.

    Raises:
        UserError: the file cannot be read, a key is unknown, or a value is out of range.
    """
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    known = RunConfig.model_fields
    for key, value in (_read(file) if file else {}).items():
        if key not in known:
            near = get_close_matches(key, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; known keys are {', '.join(sorted(known))}."
            raise UserError(f"Unknown key {key!r} in {str(file)!r}{hint}")
        values[key], origins[key] = value, f"in {str(file)!r}"
    for key in known:
        # Unknown variables with our prefix pass: children are tagged with some that are no settings.
        if environ.get(PREFIX + key.upper()):
            values[key], origins[key] = environ[PREFIX + key.upper()], f"from {PREFIX}{key.upper()}"
        if flags.get(key) is not None:
            values[key], origins[key] = flags[key], f"from --{key.replace('_', '-')}"
    try:
        return RunConfig.model_validate(values)
    except ValidationError as error:
        raise UserError(in_a_sentence(error, origins)) from error


def request(**values: object) -> GenerateRequest:
    """A request, checked.

    Raises:
        UserError: a value is out of range or not one of the known ones.
    """
    try:
        return GenerateRequest.model_validate(values)
    except ValidationError as error:
        raise UserError(in_a_sentence(error, {})) from error


def in_a_sentence(error: ValidationError, origins: Mapping[str, str]) -> str:
    """The first complaint of pydantic as a sentence that names the key, what was given and what would do."""
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else "value"
    origin = f" {origins[key]}" if key in origins else ""
    complaint = first["msg"].removeprefix("Value error, ").replace("Input should", "it should")
    complaint = complaint.partition(", unable to")[0]
    given = repr(first["input"])
    shown = given if len(given) <= _LONGEST else f"{given[:_LONGEST]}…"
    return f"{key} is {shown}{origin}; {complaint}."


def _read(file: Path) -> dict[str, Any]:
    try:
        if file.exists() and not file.is_file():
            raise UserError(f"The configuration {str(file)!r} is no file; name a TOML file.")
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"The configuration file {str(file)!r} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"The configuration file {str(file)!r} is not TOML: {error}.") from error
