"""Reading app profiles: finds the TOML file and turns every mistake in it into one sentence with file, line and key."""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pipeline.apps import profile as p
from pipeline.apps import profile_sign_in as sign
from pipeline.apps.profile import AppProfile
from pipeline.domain.values import Value
from pipeline.errors import ProfileError

_SECTIONS: dict[tuple[str, ...], type[Value]] = {
    (): AppProfile,
    ("clock",): p.Clock,
    ("install",): p.Install,
    ("ready",): p.Ready,
    ("reset",): p.Reset,
    ("seed",): p.Seed,
    ("sign_in",): sign.SignIn,
    ("sign_in", "password"): sign.Control,
    ("sign_in", "signed_in"): sign.Sign,
    ("sign_in", "submit"): sign.Control,
    ("sign_in", "username"): sign.Control,
    ("sign_in", "users"): sign.User,
    ("start",): p.Start,
    ("state", "files"): p.FilesState,
    ("state", "none"): p.NoState,
    ("state", "sqlite"): p.SqliteState,
}
"""Which keys each table of the file may hold; the path leaves out list positions, as pydantic's path names unions."""


def bundled_profiles() -> list[str]:
    """Names of the profiles that come with the package, sorted."""
    return sorted(path.stem for path in _bundled().glob("*.toml"))


def load_profile(name_or_path: str) -> AppProfile:
    """The profile of a bundled name, or of a path to a ``.toml`` file.

    Raises:
        ProfileError: no such profile, not TOML, or something in it cannot be used; one sentence.
    """
    path = _find(name_or_path)
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except OSError as error:
        raise ProfileError(f"{path}: cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        hint = "; a text stands in quotes, yes and no are true and false" if "Invalid value" in str(error) else ""
        raise ProfileError(f"{path}: is not valid TOML: {error}{hint}.") from error
    if nul := _nul_in(data):
        raise ProfileError(f"{_place(path, text, nul)}: {_dotted(nul)!r} holds a NUL character; take it out.")
    try:
        loaded = AppProfile.model_validate(data).loaded_from(path, text)
    except ValidationError as error:
        found = error.errors()
        # a key that is written wrong is also a key that is missing: the first is what to look at
        unknown = (e for e in found if e["type"] == "extra_forbidden")
        raise ProfileError(_sentence(path, text, next(unknown, found[0]))) from error
    if not _is_zone(loaded.timezone):
        said = f"'timezone' {loaded.timezone!r} is not known here; give one such as Europe/Berlin."
        raise ProfileError(f"{_place(path, text, ['timezone'])}: {said}")
    return loaded


def password_from_environment(user: sign.User) -> str:
    """The password that ``env:NAME`` points to.

    Raises:
        ProfileError: the variable is not set.
    """
    variable = user.password.removeprefix("env:")
    if not os.environ.get(variable):
        sentence = f"The password of user {user.name!r} is read from {variable}, which is not set; export it."
        raise ProfileError(sentence, "sign_in.users")
    return os.environ[variable]


def line_of(text: str, key: Sequence[str]) -> int | None:
    """Line (from 1) where a dotted key of the TOML text is set, or its table begins; None where neither is there."""
    table: list[str] = []
    nearest: int | None = None
    depth = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[\[?\s*([^\]]+?)\s*\]\]?", line):
            found = table = header.group(1).split(".")
        elif pair := re.match(r"\s*([A-Za-z0-9_.-]+)\s*=", line):
            found = [*table, *pair.group(1).split(".")]
            if found == list(key):
                return number
        else:
            continue
        if len(found) > depth and found == list(key)[: len(found)]:
            nearest, depth = number, len(found)
    return nearest


def _find(name_or_path: str) -> Path:
    if name_or_path.endswith(".toml"):
        path = Path(name_or_path)
        if not os.path.isfile(path):  # unlike Path's own, it takes a name of any length
            what = "that is no file" if os.path.lexists(path) else "there is no such file"
            raise ProfileError(f"{name_or_path!r}: {what}; give a path to an app profile.")
        return path.resolve()
    known = bundled_profiles()
    if name_or_path not in known:
        near = difflib.get_close_matches(name_or_path, known, n=1)
        hint = f"did you mean {near[0]!r}? Else" if near else f"known are {', '.join(known)}; else"
        raise ProfileError(f"{name_or_path!r} is no bundled app profile; {hint} give a path to a .toml file.")
    return _bundled() / f"{name_or_path}.toml"


def _bundled() -> Path:
    return Path(str(resources.files("pipeline.apps") / "bundled"))


def _sentence(path: Path, text: str, error: ErrorDetails) -> str:
    where = tuple(str(part) for part in error["loc"] if not isinstance(part, int))
    # A union's tag is no key of the file, so it is left out of what the user reads.
    shown = tuple(part for i, part in enumerate(where) if not (i == 1 and where[0] == "state"))
    place = _place(path, text, shown)
    key = _dotted(shown) or "the profile"
    if error["type"] == "extra_forbidden":
        return f"{place}: unknown key {key!r}; {_nearest(where)}."
    if error["type"] == "missing":
        return f"{place}: {key!r} is missing; add it."
    if error["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return f"{place}: {key!r} needs a kind of sqlite, files or none."
    # Only the message is printed: the input could be a password written by mistake.
    message = error["msg"].removeprefix("Value error, ")
    return f"{place}: {key!r} {message if error['type'] == 'value_error' else 'is wrong: ' + message}."


def _is_zone(name: str) -> bool:
    """Whether this machine knows the time zone; a machine without a list of them may not refuse any."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # no such zone; no path below the list; a folder of it
        return not available_timezones()
    return True


def _place(path: Path, text: str, key: Sequence[str]) -> str:
    line = line_of(text, key)
    return f"{path}, line {line}" if line else str(path)


def _dotted(key: Sequence[str]) -> str:
    return ".".join(key).replace("\0", "")


def _nul_in(data: dict[str, object]) -> tuple[str, ...]:
    """The key of a text with a NUL, which no command, variable or file's name can hold; empty where there is none."""
    waiting: list[tuple[tuple[str, ...], object]] = [((), data)]
    while waiting:  # dotted keys may be nested deeper than calls may
        key, value = waiting.pop()
        if isinstance(value, str) and "\0" in value:
            return key
        if isinstance(value, list):
            waiting += [(key, part) for part in value]
        elif isinstance(value, dict):
            waiting += [((*key, name), part) for name, inside in value.items() for part in (name, inside)]
    return ()


def _nearest(where: tuple[str, ...]) -> str:
    section = _SECTIONS.get(where[:-1])
    known = sorted(section.model_fields) if section else []
    near = difflib.get_close_matches(where[-1], known, n=1, cutoff=0.5)
    if near:
        return f"did you mean {near[0]!r}"
    elsewhere = [".".join((*table, where[-1])) for table, model in _SECTIONS.items() if where[-1] in model.model_fields]
    if elsewhere:
        return f"it belongs to {elsewhere[0]!r}"
    return f"known here are {', '.join(known)}"
