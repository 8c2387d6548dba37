"""A first profile for an application nobody described yet: what was found out, written as commented TOML."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from pipeline.apps.profile import Command
from pipeline.domain.values import squeezed


@dataclass(frozen=True)
class SignInSketch:
    """The sign-in form as a person sees it: accessible names of its controls."""

    path: str
    username: str
    password: str
    submit: str


@dataclass(frozen=True)
class Sketch:
    """What was found out; empty fields were not, and are written as comments to fill in."""

    name: str
    title: str = ""
    url: str = ""
    """Of an application that already runs; otherwise it is started from a folder."""
    home: str = "/"
    folder: str = ""
    """Project folder that is copied into the data directory."""
    packages: tuple[str, ...] = ()
    start: Command = ()
    env: tuple[tuple[str, str], ...] = ()
    databases: tuple[str, ...] = ()
    """SQLite files, relative to the folder."""
    uploads: tuple[str, ...] = ()
    """Folders of files that belong to the data, relative to the folder."""
    documents: tuple[str, ...] = ()
    sign_in: SignInSketch | None = None
    notes: tuple[str, ...] = ()
    """What could not be found out, each one sentence."""


def name_from(text: str) -> str:
    """A profile name made of any text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "app"


def written(sketch: Sketch) -> str:
    """The profile's text; always valid TOML, and a profile that can be read wherever nothing is left to fill in."""
    lines = [
        f"# App profile of {squeezed(sketch.title or sketch.name)}. Try it with: tasksieve apps check FILE",
        *(f"# NOTE: {squeezed(note)}" for note in sketch.notes),
        f"name = {_text(sketch.name)}",
        f"title = {_text(sketch.title or sketch.name)}",
        f"home = {_text(sketch.home)}                 # where a task starts",
    ]
    lines += _running(sketch) if sketch.url else _started(sketch)
    lines += _signing_in(sketch)
    lines += [] if sketch.url else _state(sketch)
    return "\n".join(lines) + "\n"


def _running(sketch: Sketch) -> list[str]:
    return [
        f"url = {_text(sketch.url)}          # it already runs: nothing is started, nothing can be reset,",
        "disposable = false             # and nothing is changed; only questions and ways to places become tasks",
        f"documents = {_texts(sketch.documents)}",
        "allowed_origins = []           # beside its own origin, such as that of its pictures",
    ]


def _started(sketch: Sketch) -> list[str]:
    command = _texts(sketch.start) if sketch.start else '["FILL IN: the program that serves it at 127.0.0.1:{port}"]'
    env = "{ " + ", ".join(f"{k} = {_text(v)}" for k, v in sketch.env) + " }" if sketch.env else "{}"
    return [
        "disposable = true              # nobody misses this data, so that it may be changed; else set false",
        f"documents = {_texts(sketch.documents)}",
        "",
        "[install]                      # packages for an environment of the application's own",
        f"packages = {_texts(sketch.packages)}",
        "",
        "[seed]",
        f"folder = {_text(sketch.folder)}  # copied once; every instance works on a copy of its own",
        '# command = ["{python}", "seed.py"]   # run once in {data}, to fill it',
        "",
        "[start]                        # runs in {data}, stays in the foreground, listens on 127.0.0.1 at {port}",
        f"command = {command}",
        f"env = {env}",
        "",
        "[ready]",
        f"path = {_text(sketch.home)}",
    ]


def _signing_in(sketch: Sketch) -> list[str]:
    form = sketch.sign_in
    if form is None:
        return ["", "# [sign_in] was not found; without it tasks are done as nobody."]
    return [
        "",
        "[sign_in]                      # controls by their accessible names",
        f"path = {_text(form.path)}",
        f'username = {{ role = "textbox", name = {_text(form.username)} }}',
        f'password = {{ role = "textbox", name = {_text(form.password)} }}',
        f'submit = {{ role = "button", name = {_text(form.submit)} }}',
        'signed_in = { text = "{user}" }      # only a signed-in page shows it; `apps check` names better signs',
        "# The first user is the one that tasks use; passwords are never written here.",
        'users = [{ name = "admin", password = "env:APP_PASSWORD" }]',
    ]


def _state(sketch: Sketch) -> list[str]:
    lines: list[str] = []
    for path in sketch.databases:
        lines += [
            "",
            "[[state]]                      # read after every run, put back before the next",
            'kind = "sqlite"',
        ]
        lines.append(f"path = {_text(path)}")
    for root in sketch.uploads:
        lines += ["", "[[state]]", 'kind = "files"', f"root = {_text(root)}"]
    if not sketch.databases:
        lines += ["", "[[state]]                      # no SQLite file was found: tasks are verified by looking alone"]
        lines.append('kind = "none"')
    return lines


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)  # TOML's basic strings escape as JSON's do


def _texts(values: tuple[str, ...]) -> str:
    return "[" + ", ".join(_text(v) for v in values) + "]"
