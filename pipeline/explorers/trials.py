"""Carrying out a trial: the same form at least twice with different values, once on a perturbed state."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from pipeline.domain.exploration import Execution
from pipeline.domain.forms import FormReading
from pipeline.domain.plausible import plausible
from pipeline.domain.routes import canonical
from pipeline.domain.state import RowChange, RowMask, StateDiff, masked
from pipeline.explorers.executing import Attempt, execute
from pipeline.explorers.learning import Lesson, learn
from pipeline.explorers.units import Result, Site, Trial
from pipeline.live.workbench import Workbench


async def trial(bench: Workbench, unit: Trial, user: str, app: str, masks: tuple[RowMask, ...], today: date) -> Result:
    """Execute the trial and learn its feature; ends early when the first submission does nothing.

    Raises:
        EnvironmentFault: something broke around it; the unit is to be tried again.
    """
    first_site, second_site = unit.sites[0], unit.sites[-1]
    attempts: list[Attempt] = []

    async def once(site: Site, label: str, reset: bool = True) -> Attempt:
        def chooser(reading: FormReading) -> dict[str, str]:
            return chosen(reading, unit, label, today)

        return await execute(bench, unit, site, chooser, user, reset)

    async def disturbed(site: Site) -> Attempt:
        await once(site, "third")
        return _masked(await once(second_site, "second", reset=False), masks)

    first = await once(first_site, "first")
    attempts.append(_masked(first, masks))
    lesson = Lesson(problem=_idle(attempts[0], unit))
    if not lesson.problem:
        attempts.append(_masked(await once(second_site, "second"), masks))
        gone = _consumes(attempts[0])
        if not gone or first_site != second_site:
            attempts.append(await disturbed(first_site if gone else second_site))
        if not gone and first_site != second_site and once_only(attempts[-2].changes, attempts[-1].changes):
            attempts[-1] = await disturbed(first_site)
        if _settled(attempts):
            attempts.pop()
        lesson = learn(unit, attempts, app, bench.start)
    executions = tuple(_execution(a, number == 2) for number, a in enumerate(attempts))
    return Result(
        key=unit.key,
        kind="trial",
        actions=sum(a.actions for a in attempts) + (attempts[0].actions if len(attempts) > 1 else 0),
        feature=lesson.feature,
        executions=executions,
        problem=lesson.problem,
        follow_ups=lesson.follow_ups,
    )


def chosen(reading: FormReading, unit: Trial, label: str, today: date) -> dict[str, str]:
    """A value for every parameter of the trial; other labels give other values."""
    values = dict(unit.pinned)
    for parameter in reading.parameters:
        if parameter.key not in unit.parameters:
            continue
        order = {"first": 0, "second": 1, "third": 2}[label]
        rng = random.Random(f"{unit.key} {parameter.key}")
        drawn = [plausible(parameter, rng, today) for _ in range(12)]
        distinct = list(dict.fromkeys(d for d in drawn if d))
        if distinct:
            values[parameter.key] = distinct[order % len(distinct)]
    return values


def _masked(attempt: Attempt, masks: tuple[RowMask, ...]) -> Attempt:
    kept = tuple(c for c in attempt.changes if not masked(c, masks))
    return replace(attempt, changes=kept)


def _idle(attempt: Attempt, unit: Trial) -> str:
    """Why the first submission teaches nothing; a form that only leads somewhere teaches where."""
    if attempt.problem:
        return attempt.problem
    if attempt.end.status is not None and attempt.end.status >= 400:
        return f"answered with status {attempt.end.status}"
    if attempt.changes:
        return ""
    leads = canonical(attempt.end.location) != canonical(attempt.site.location)
    return "" if leads and unit.parameters else "changed nothing"


def _consumes(attempt: Attempt) -> bool:
    """Whether the thing worked on is gone afterwards, so that the same place cannot be used twice."""
    return any(c.change == "removed" for c in attempt.changes)


def once_only(changes: Sequence[RowChange], again: Sequence[RowChange]) -> bool:
    """Whether what happened the first time does not happen again: a thing can be liked or closed once."""
    made = {(c.table, c.change) for c in again}
    return bool(changes) and (
        not again or any((c.table, c.change) not in made for c in changes if c.change != "changed")
    )


def _settled(attempts: Sequence[Attempt]) -> bool:
    """Whether the last execution found everything as it was to be, and so tells nothing of what changes.

    Rows that came or went are another matter: their ids look constant until an execution runs on a changed state.
    """
    *others, last = attempts
    return len(others) > 1 and not last.changes and all(c.change == "changed" for a in others for c in a.changes)


def _execution(attempt: Attempt, perturbed: bool) -> Execution:
    headings = attempt.end.headings()
    return Execution(
        values=dict(attempt.values),
        entity_key=attempt.site.key or attempt.site.row,
        diff=StateDiff(changes=attempt.changes),
        end_location=attempt.end.location,
        end_heading=headings[0].name if headings else "",
        perturbed=perturbed,
        error=attempt.problem,
    )
