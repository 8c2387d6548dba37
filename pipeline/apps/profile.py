"""App profiles as values: what one TOML file may say about an application, and nothing it may do.

Reading files and turning mistakes into sentences is ``profile_file``; this module refuses to touch the disk.
Placeholders in commands and environment values are ``{port} {data} {files} {python}`` and are filled in one pass.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from pipeline.apps.profile_sign_in import Place, SignIn
from pipeline.domain.values import Value, fingerprint

LEFT_OUT = frozenset({".git", ".hg", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache", ".pytest_cache"})
"""Folders of a project that are no part of its application's data."""

PLACEHOLDERS = ("port", "data", "files", "python")
"""The only names that may stand in braces in a command or an environment value."""

Command = tuple[str, ...]
"""A program and its arguments; never a shell line."""

Seconds = Annotated[float, Field(gt=0, le=86_400)]
"""A deadline: up to a day."""

_IN_BRACES = re.compile(r"\{([^{}]*)\}")


def fill(text: str, values: Mapping[str, str]) -> str:
    """Fill placeholders in one pass, so that a value that holds braces is never filled again."""
    return _IN_BRACES.sub(lambda found: values[found.group(1)], text)


def _known_placeholders(text: str) -> str:
    unknown = [name for name in _IN_BRACES.findall(text) if name not in PLACEHOLDERS]
    if unknown:
        known = " ".join("{" + name + "}" for name in PLACEHOLDERS)
        raise ValueError(f"has an unknown placeholder {{{unknown[0]}}}; only {known} exist")
    return text


def _settable(name: str) -> str:
    if not name or "=" in name:
        raise ValueError(f"names an environment variable {name!r}; a name is not empty and holds no '='")
    return name


class _Commanded(Value):
    """A section with a command; an empty one cannot be run."""

    @field_validator("command", "snapshot", "restore", check_fields=False)
    @classmethod
    def _runnable(cls, command: Command) -> Command:
        return tuple(_known_placeholders(part) for part in command)


class Install(Value):
    """What goes into the application's own virtual environment."""

    packages: tuple[str, ...] = ()
    """Requirement lines such as ``Name==1.6``; empty means that ``{python}`` is the running interpreter."""
    timeout: Seconds = 600
    """Seconds until the installation is given up."""


class Seed(_Commanded):
    """How the data directory is filled, once, when the template is made."""

    folder: str = ""
    """Folder, absolute or beside the profile, whose content is copied into ``{data}`` first."""
    command: Command = ()
    """Run with a ``{data}`` that holds nothing else; must be deterministic."""
    timeout: Seconds = 120
    """Seconds until seeding is given up."""

    @model_validator(mode="after")
    def _does_something(self) -> Self:
        if not self.folder and not self.command:
            raise ValueError("needs a command, or a folder to copy")
        return self


class Start(_Commanded):
    """How one instance is started. It must stay in the foreground and listen on 127.0.0.1 at ``{port}`` only."""

    command: Command = Field(min_length=1)
    """Program and arguments."""
    env: dict[str, str] = Field(default_factory=dict)
    """Further environment variables; a value ``env:NAME`` is taken from our own environment."""
    timeout: Seconds = 30
    """Seconds from start to ready, after which the instance is given up."""

    @field_validator("env")
    @classmethod
    def _env_placeholders(cls, env: dict[str, str]) -> dict[str, str]:
        return {_settable(name): _known_placeholders(text) for name, text in env.items()}


class Ready(Value):
    """How to see that the application answers."""

    path: Place = "/"
    """Path asked with GET; must change nothing in the application."""
    status: int = Field(default=200, ge=100, le=599)
    """Expected response status."""
    text: str = ""
    """Text that the answer must hold; empty accepts any."""


class SqliteState(Value):
    """A SQLite file that holds the application's data."""

    kind: Literal["sqlite"]
    path: str
    """Path of the file inside the data directory."""
    ignore: tuple[str, ...] = ()
    """Tables left out of snapshots; a reset puts them back all the same."""
    ignore_in_hash: tuple[str, ...] = ()
    """Tables left out of the template's content hash only, because seeding fills them at random."""
    prefix: str = ""
    """Put before table names, for profiles with several databases."""

    @field_validator("path")
    @classmethod
    def _inside(cls, path: str) -> str:
        return _inside_data(path)


class FilesState(Value):
    """A directory whose files are part of the application's data."""

    kind: Literal["files"]
    root: str
    """Directory inside the data directory."""
    include: tuple[str, ...] = ("**",)
    """Globs relative to ``root``; ``**`` crosses directories, ``*`` does not."""
    ignore: tuple[str, ...] = ()
    """Globs relative to ``root`` of files that are neither read nor put back."""
    ignore_in_hash: tuple[str, ...] = ()
    """Globs of files left out of the template's content hash only."""

    @field_validator("root")
    @classmethod
    def _inside(cls, root: str) -> str:
        return _inside_data(root)


class NoState(Value):
    """Says openly that the data cannot be read: tasks are then verified by probes alone."""

    kind: Literal["none"]


StateSource = Annotated[SqliteState | FilesState | NoState, Field(discriminator="kind")]


class Clock(Value):
    """How the application's clock is pinned, and how that is proven."""

    env: Annotated[str, AfterValidator(_settable)]
    """Environment variable that the application takes its start instant from."""
    instant: str
    """ISO 8601 instant with offset at which the clock stands when the application starts; it ticks on from there."""
    proof: Literal["date-header", "page"] = "date-header"
    """``date-header``: the HTTP Date header shows the instant. ``page``: the page at ``path`` shows ``text``."""
    path: Place = "/"
    """Path asked for the proof."""
    text: str = ""
    """For ``page``: text that shows the pinned day."""

    @field_validator("instant")
    @classmethod
    def _with_offset(cls, instant: str) -> str:
        if datetime.fromisoformat(instant).tzinfo is None:
            raise ValueError("needs an offset, such as 2026-03-02T10:00:00Z")
        return instant

    @model_validator(mode="after")
    def _page_needs_text(self) -> Self:
        if self.proof == "page" and not self.text:
            raise ValueError("needs text when proof is 'page'")
        return self


class Reset(_Commanded):
    """How an instance is brought back to the template."""

    mode: Literal["online", "restart"] = "online"
    """``online`` puts rows and files back while the application runs; ``restart`` stops it and replaces everything."""
    restart_when: tuple[str, ...] = ()
    """Tables, or ``file:`` globs, whose change makes one reset a restart because the application caches them."""
    snapshot: Command = ()
    """Run once, while the seeded application runs, to save data that lies outside ``{data}`` into ``{data}``."""
    restore: Command = ()
    """Run at each reset (online: while it runs; restart: between stop and start) and before the first start."""
    timeout: Seconds = 60
    """Seconds for one snapshot or restore command."""


class AppProfile(Value):
    """One application: how it is started, reached, signed in to, reset and observed, and what may be done to it."""

    name: str
    """Short name, used on the command line and in folder names."""
    title: str = ""
    """Name shown to a person."""
    version: str = ""
    """Version of the application."""
    licence: str = ""
    """Licence of the application."""
    url: str = ""
    """Base URL of an application that already runs; then nothing is started and nothing can be reset."""
    home: Place = "/"
    """Path where a task starts."""
    allowed_origins: tuple[str, ...] = ()
    """Origins (``scheme://host:port``) that may be touched beside the application's own."""
    disposable: bool = False
    """True permits actions that change something: nobody misses this data."""
    documents: tuple[str, ...] = ()
    """Files (relative to ``{files}``) and URLs that describe the application."""
    locale: str = "en-US"
    """Locale of every session."""
    timezone: str = "UTC"
    """Time zone of the application and of every session."""
    install: Install = Install()
    seed: Seed | None = None
    start: Start | None = None
    ready: Ready = Ready()
    sign_in: SignIn | None = None
    state: tuple[StateSource, ...] = ()
    clock: Clock | None = None
    reset: Reset = Reset()

    _source: Path | None = PrivateAttr(default=None)
    _text: str = PrivateAttr(default="")

    @field_validator("name")
    @classmethod
    def _folder_name(cls, name: str) -> str:
        if not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,59}", name):
            raise ValueError("may hold up to 60 lower-case letters, digits, - and _")
        return name

    @field_validator("allowed_origins")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if origin_of(origin) != origin:
                raise ValueError(f"{origin!r} is not an origin such as https://host:443")
        return origins

    @field_validator("locale")
    @classmethod
    def _language_first(cls, locale: str) -> str:
        if not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", locale):
            raise ValueError(f"{locale!r} is no locale such as en-US")
        return locale

    @field_validator("url")
    @classmethod
    def _http(cls, url: str) -> str:
        if url and not origin_of(url):
            raise ValueError("must begin with http:// or https:// and name a host")
        return url.rstrip("/")

    @field_validator("install", "seed", "state", "clock", "reset")  # which run on what is written, not on defaults
    @classmethod
    def _only_where_started(cls, section: object, info: ValidationInfo) -> object:
        if info.data.get("url"):
            raise ValueError("has no effect on an application that already runs at a url; leave it out")
        return section

    @model_validator(mode="after")
    def _one_way_in(self) -> Self:
        if bool(self.url) == bool(self.start):
            raise ValueError("needs exactly one of [start] (we start the application) and url (it already runs)")
        return self

    @property
    def resettable(self) -> bool:
        """True when we start the application ourselves and can therefore put it back."""
        return self.start is not None

    @property
    def observable(self) -> bool:
        """True when at least one state source can be read."""
        return any(source.kind != "none" for source in self.state)

    @property
    def user_names(self) -> tuple[str, ...]:
        """Accounts in the profile's order; empty where nobody signs in."""
        return tuple(user.name for user in self.sign_in.users) if self.sign_in else ()

    @property
    def files(self) -> Path:
        """Folder beside the TOML file, of the same stem, whose files run inside the application."""
        return self._source.with_suffix("") if self._source else Path()

    @property
    def seed_folder(self) -> Path | None:
        """Folder that is copied into a new data directory, None where there is none."""
        if not self.seed or not self.seed.folder:
            return None
        return (self._source.parent if self._source else Path()) / self.seed.folder

    @property
    def source(self) -> Path | None:
        """The TOML file, None for a profile made in code."""
        return self._source

    @property
    def text(self) -> str:
        """The TOML text as read."""
        return self._text

    @property
    def key(self) -> str:
        """Hash of everything the profile says, the version of its files excluded."""
        return fingerprint(self)

    def origins(self, base_url: str) -> tuple[str, ...]:
        """The instance's own origin and the others that may be touched."""
        return tuple(dict.fromkeys((origin_of(base_url), *self.allowed_origins)))

    def loaded_from(self, source: Path, text: str) -> AppProfile:
        """Remember where the profile was read; returns itself."""
        self._source, self._text = source, text
        return self


def origin_of(url: str) -> str:
    """``scheme://host:port`` with the port always written; empty for anything that is not http or https."""
    try:
        parts = urlsplit(url)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port}"


def _inside_data(path: str) -> str:
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise ValueError("must lie inside the data directory")
    return path
