"""Write a first profile: look at a running application, or at a project's folder and then at what it starts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from pipeline.apps.install import install
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner, child_environment
from pipeline.apps.profile import AppProfile, origin_of
from pipeline.apps.profile_file import load_profile
from pipeline.apps.project_folder import sketch_of_folder
from pipeline.apps.sketch import SignInSketch, Sketch, name_from, written
from pipeline.apps.template import make_template
from pipeline.config import RunConfig
from pipeline.domain.consequences import signs_in
from pipeline.domain.environment import SessionState, Surroundings
from pipeline.domain.observation import Element, Observation
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.routes import canonical
from pipeline.domain.values import squeezed
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.web import WebEnvironment
from pipeline.errors import AppFault, EnvironmentFault, UserError
from pipeline.live.locations import absolute, without_origin
from pipeline.stages.opening import work_directory

_TYPED = ("text", "email", "search")
_USUAL = ("/login", "/admin/", "/accounts/login/", "/user/login/", "/signin", "/users/sign_in")
"""Where applications have their sign-in form when their home page does not lead to it."""


@dataclass(frozen=True)
class NewProfile:
    """A first profile."""

    name: str
    text: str
    """TOML; the notes stand in it as comments."""
    notes: tuple[str, ...] = ()
    """What could not be found out, each one sentence on one line."""


async def new_profile(config: RunConfig, target: str, name: str, sink: Sink) -> NewProfile:
    """A profile for a URL or a folder, and what could not be found out.

    Raises:
        UserError: the target is neither a URL nor a folder.
        AppFault: nothing answers at the URL.
        BrowserFault: there is no browser to look with.
    """
    if not target.strip():
        raise UserError(f"{target!r} names nothing; give a URL, or a project's folder.")
    if origin_of(target):
        base = origin_of(target)
        path = urlsplit(target).path or "/"
        sink(Progress(phase="start", message=f"looking at {base}"))
        sketch = Sketch(name_from(name or urlsplit(target).hostname or ""), url=base, home=path)
        return _new(await _seen_at(config, sketch, base))
    if "://" in target:
        raise UserError(f"{target!r} is no http or https address; give one, or a project's folder.")
    sketch = sketch_of_folder(Path(target))
    sketch = replace(sketch, name=name_from(name) if name else sketch.name)
    return _new(await _started(config, sketch, sink) if sketch.start else sketch)


def _new(sketch: Sketch) -> NewProfile:
    return NewProfile(sketch.name, written(sketch), tuple(map(squeezed, sketch.notes)))


async def _started(config: RunConfig, sketch: Sketch, sink: Sink) -> Sketch:
    """The sketch after the project was started and looked at; as it was, with a note, where that failed."""
    owner = Owner.here(config.home)
    place = work_directory(config, owner)
    with tempfile.TemporaryDirectory(prefix="tasksieve-new-") as folder:
        file = Path(folder) / f"{sketch.name}.toml"
        file.write_text(written(replace(sketch, sign_in=None)), encoding="utf-8")
        profile: AppProfile = load_profile(str(file))
        try:
            home = await install(profile, config.home, sink)
            template = await make_template(profile, home, Path(folder), _nobody, sink)
            async with AppInstance(template, profile, home, place, owner) as instance:
                return await _seen_at(config, sketch, instance.base_url)
        except EnvironmentFault as fault:
            return replace(sketch, notes=(*sketch.notes, f"It was not seen running: {fault}"))
        finally:
            shutil.rmtree(place, ignore_errors=True)


async def _nobody(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
    """Nobody is signed in yet: how that is done is being found out."""
    return {}


async def _seen_at(config: RunConfig, sketch: Sketch, base: str) -> Sketch:
    """Title and sign-in form, as the browser shows them to a stranger."""
    owner = Owner.here(config.home)
    around = Surroundings(allowed_origins=(origin_of(base),), read_only=True)
    async with SharedBrowser(child_environment(owner)) as browser:
        web = WebEnvironment(browser, around)
        try:
            first = without_origin(await _first_page(web, absolute(sketch.home, base)), base)
            sketch = replace(sketch, title=first.title or sketch.title)
            if form := _sign_in_form(first):
                return replace(sketch, sign_in=form)
            linked = [e.leads_to for e in first.elements if signs_in(e)][:3]
            for location in dict.fromkeys([*linked, *_USUAL]):
                shown = without_origin(await web.begin(None, absolute(location, base)), base)
                if form := _sign_in_form(shown):
                    return replace(sketch, sign_in=form)
        finally:
            await web.close()
    return sketch


async def _first_page(web: WebEnvironment, location: str) -> Observation:
    try:
        return await web.begin(None, location)
    except EnvironmentFault as fault:
        if "ERR_CONNECTION_REFUSED" not in str(fault):
            raise
        raise AppFault(f"Nothing answers at {location}; start the application first.") from fault


def _sign_in_form(seen: Observation) -> SignInSketch | None:
    """The form with one password and a text before it; None where there is none, or it is one to register with."""
    secrets = [e for e in seen.elements if e.control is not None and e.control.kind == "password"]
    if len(secrets) != 1 or secrets[0].control is None:
        return None
    members = [e for e in seen.elements if e.control is not None and e.control.form == secrets[0].control.form]
    before = members[: members.index(secrets[0])]
    typed = [e for e in before if e.control is not None and e.control.kind in _TYPED]
    buttons = [e for e in members if e.control is not None and e.control.kind in ("submit", "button")]
    if not typed or not buttons:
        return None
    names = (_called(typed[-1]), _called(secrets[0]), buttons[0].name)
    return SignInSketch(canonical(seen.location), *names) if all(names) else None


def _called(element: Element) -> str:
    control = element.control
    return element.name or (control.label if control else "") or (control.field if control else "")
