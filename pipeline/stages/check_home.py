"""Proof of the place where tasks start: whoever does them finds a page there, not an error."""

from __future__ import annotations

from pipeline.domain.routes import canonical
from pipeline.live.workbench import Workbench


async def home_that_fails(bench: Workbench) -> str | None:
    """One sentence of what is wrong with ``home`` for the user of tasks, None where it holds.

    Raises:
        EnvironmentFault: the start page could not be shown.
    """
    user = next(iter(bench.profile.user_names), "")
    home = canonical(bench.profile.home)
    status = (await bench.arrive(user, home)).status or 0
    who = f"{user!r}" if user else "a visitor"
    return f"{home} answers {status} to {who}, and every task would start there" if status >= 400 else None
