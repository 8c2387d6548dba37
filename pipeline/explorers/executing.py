"""One execution of a form: arrive, bring it into reach, fill it in, submit, and see what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pipeline.domain.action import Action, Check, Click
from pipeline.domain.forms import FormReading, read_forms
from pipeline.domain.observation import Observation
from pipeline.domain.script import choose
from pipeline.domain.state import RowChange, StateSnapshot
from pipeline.explorers.units import Site, Trial
from pipeline.live.workbench import Workbench


@dataclass(frozen=True)
class Attempt:
    """What one execution did; ``problem`` says why it counts for nothing."""

    site: Site
    values: Mapping[str, str]
    reading: FormReading | None
    arrived: Observation
    """What was on screen when the form was found."""
    end: Observation
    before: StateSnapshot
    changes: tuple[RowChange, ...] = ()
    actions: int = 0
    problem: str = ""
    done: tuple[Action, ...] = field(default=())


Chooser = Callable[[FormReading], Mapping[str, str]]
"""Given the form as it stands on this page, a value for every parameter."""


async def execute(
    bench: Workbench, unit: Trial, site: Site, chooser: Chooser, user: str, reset: bool = True
) -> Attempt:
    """Submit the form once, from a reset or on the state as it is.

    Raises:
        EnvironmentFault: something broke around it.
    """
    seen = await (bench.fresh(user, site.location) if reset else bench.arrive(user, site.location))
    actions = 1
    prelude = await bench.perform(unit.prelude)
    actions += len(prelude.steps)
    seen = prelude.steps[-1].after if prelude.steps else seen
    reading = find_form(seen, unit)
    before = bench.start if reset else await bench.state()
    problem = "" if reading else "the form is not there"
    done: list[Action] = []
    values: Mapping[str, str] = {}
    end = seen
    if reading is not None:
        values = chooser(reading)
        done, problem = _script(unit, site, reading, values)
        if not problem:
            trajectory = await bench.perform(done, watched=False)
            actions += len(trajectory.steps)
            end = trajectory.steps[-1].after
            last = trajectory.steps[-1].outcome
            problem = f"{last.problem}: {last.detail}"[:200] if last.problem else ""
    await bench.require_signed_in()
    changes = bench.changes(before, await bench.state()).changes if bench.profile.observable else ()
    return Attempt(site, values, reading, seen, end, before, changes, actions, problem, tuple(done))


def find_form(seen: Observation, unit: Trial) -> FormReading | None:
    """The form of the trial on this page: the same structure, or one that has all that the trial needs."""
    needed = {*unit.parameters, *(k for k, _ in unit.pinned)}
    usable = [
        r
        for r in read_forms(seen)
        if needed <= {p.key for p in r.parameters}
        and unit.submit in {s.name for s in r.submits}
        and (not unit.pick_field or unit.pick_field in {p.field for p in r.picks})
    ]
    same = [r for r in usable if r.key == unit.form]
    found = [r for r in same or usable if unit.leads_to in ("", r.leads_to(seen.location))]
    return found[0] if len(found) == 1 else None


def _script(unit: Trial, site: Site, reading: FormReading, values: Mapping[str, str]) -> tuple[list[Action], str]:
    by_key = {p.key: p for p in reading.parameters}
    actions: list[Action] = []
    if unit.pick_field:
        pick = next((p for p in reading.picks if p.field == unit.pick_field), None)
        target = dict(pick.targets).get(site.row) if pick else None
        if target is None:
            return [], f"no row {site.row!r} to pick"
        actions.append(Check(target=target))
    for key, value in values.items():
        if key not in by_key:
            return [], f"no control {key!r}"
        actions.append(choose(by_key[key], value))
    submit = next((s for s in reading.submits if s.name == unit.submit), None)
    if submit is None:
        return [], f"no button {unit.submit!r}"
    return [*actions, Click(target=submit.target, dialog="accept")], ""
