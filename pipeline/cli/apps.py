"""``tasksieve apps``: the bundled applications; installing one, and checking a profile by using it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pipeline.cli.options import App, ConfigFile, Debug, Json, settings

group = typer.Typer(help="List, install and check applications.", invoke_without_command=True, rich_markup_mode=None)


@group.callback()
def apps(ctx: typer.Context, as_json: Json = False, debug: Debug = False, config: ConfigFile = None) -> int:
    """List the bundled applications, or install or check one."""
    if ctx.invoked_subcommand:
        return 0
    from pipeline.apps.install import is_installed
    from pipeline.apps.profile_file import bundled_profiles, load_profile
    from pipeline.cli.blocks import Grid
    from pipeline.cli.console import emit, show

    home = settings(config).home
    profiles = [load_profile(name) for name in bundled_profiles()]
    installed = {p.name: is_installed(p, home) for p in profiles}
    if as_json:
        keys = ("name", "title", "version", "licence", "disposable")
        emit({"apps": [{k: getattr(p, k) for k in keys} | {"installed": installed[p.name]} for p in profiles]})
        return 0
    rows = tuple((p.name, p.title, p.version, p.licence, "yes" if installed[p.name] else "no") for p in profiles)
    show([Grid("", ("NAME", "TITLE", "VERSION", "LICENCE", "INSTALLED"), rows)])
    return 0


@group.command("install")
def install(app: App, as_json: Json = False, debug: Debug = False, config: ConfigFile = None) -> int:
    """Install an application and make its template."""
    from pipeline.cli.console import emit, note
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress
    from pipeline.stages.prepare import prepare_app

    loaded = settings(config)
    with progress(loaded, app=app) as sink:
        prepared = run_to_end(lambda _: prepare_app(app, loaded, sink), say=note).value
    if as_json:
        emit({"app": prepared.profile.name, "template_hash": prepared.template.template_hash})
    else:
        note(f"{prepared.profile.title or prepared.profile.name} is installed and ready.")
    return 0


@group.command("check")
def check(
    app: Annotated[str, typer.Argument(metavar="NAME|FILE", help="Bundled app profile, or path of a TOML file.")],
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
) -> int:
    """Check a profile by using it.

    Starts the application, resets it twice, signs in and stops it; says which line of the profile to fix.
    """
    from pipeline.cli.console import emit, note
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress
    from pipeline.stages.check_app import check_app

    loaded = settings(config)
    with progress(loaded, app=app) as sink:
        findings = run_to_end(lambda _: check_app(loaded, app, sink), say=note).value
    for finding in findings:
        note(str(finding))
    if as_json:
        kept = [{"key": f.key, "line": f.line, "problem": f.problem} for f in findings]
        emit({"app": app, "ok": not findings, "findings": kept})
    elif not findings:
        note(f"{app} {_what_it_does(app)}.")
    return 1 if findings else 0


def _what_it_does(app: str) -> str:
    """What was proven of an application without findings."""
    from pipeline.apps.profile_file import load_profile

    profile = load_profile(app)
    resets = "resets truly" if profile.resettable and profile.observable else ""
    signs_in = "signs in" if profile.user_names else ""
    return ", ".join(part for part in ("starts", resets, signs_in) if part) + " and stops"


@group.command("new")
def new(
    target: Annotated[str, typer.Argument(metavar="URL|DIR", help="A running application, or a project's folder.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the profile; guessed if left out.")] = "",
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it; NAME.toml if left out.")] = None,
    as_json: Json = False,
    debug: Debug = False,
    config: ConfigFile = None,
) -> int:
    """Write a first, commented profile for an application.

    A URL is looked at with the browser; a folder is read, started as it probably is started, and then looked at.
    """
    import os

    from pipeline.cli.console import emit, note
    from pipeline.cli.interrupt import run_to_end
    from pipeline.cli.reporting import progress
    from pipeline.errors import UserError, named_by_the_user
    from pipeline.stages.new_app import new_profile

    def refuse_present(file: Path) -> None:
        if os.path.exists(file):  # unlike Path's own, it takes a name of any length
            raise UserError(f"{str(file)!r} is there already; name another with --out.")

    loaded = settings(config)
    if out:
        refuse_present(out)
    with progress(loaded) as sink:
        made = run_to_end(lambda _: new_profile(loaded, target, name, sink), say=note).value
    file = out or Path(f"{made.name}.toml")
    refuse_present(file)
    with named_by_the_user(file):
        file.write_text(made.text, encoding="utf-8")
    for missing in made.notes:
        note(f"Warning: {missing}")
    if as_json:
        emit({"profile": str(file), "name": made.name, "notes": list(made.notes)})
    else:
        first = "fill in what says FILL IN" if "FILL IN" in made.text else "read it"
        note(f"{file} is written; {first}, then try it with: tasksieve apps check {file}")
    return 0
