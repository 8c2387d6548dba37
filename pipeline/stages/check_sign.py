"""Proof of the sign that a user is signed in: the start page shows it to every user, and to nobody else."""

from __future__ import annotations

from pipeline.domain.consequences import signs_out
from pipeline.domain.observation import Observation
from pipeline.domain.routes import canonical
from pipeline.live.workbench import Workbench

_TOLD = 6
"""Elements that are offered as better signs."""


async def sign_that_fails(bench: Workbench) -> str | None:
    """One sentence of what is wrong with ``sign_in.signed_in``, None where it holds.

    Raises:
        EnvironmentFault: the start page could not be shown.
    """
    profile = bench.profile
    assert profile.sign_in is not None  # only profiles with users come here
    sign, home = profile.sign_in.signed_in, canonical(profile.home)
    stranger = await bench.arrive("", home)
    for user in profile.user_names:
        seen = await bench.arrive(user, home)
        if not sign.stands_in(seen, user):
            return f"{home} does not show {sign.in_words(user)} to {user!r}; {_better(seen, stranger)}"
        if sign.stands_in(stranger, user):
            return (
                f"{home} shows {sign.in_words(user)} to a visitor who is not signed in, too; {_better(seen, stranger)}"
            )
    return None


def _better(seen: Observation, stranger: Observation) -> str:
    """What only the signed-in user is shown; the way out is the best sign of being in."""
    both = _usable(stranger)
    found = sorted(_usable(seen).items(), key=lambda item: not item[1])
    only = [f"{role} {name!r}" for (role, name), _ in found if (role, name) not in both]
    if only:
        return f"only a signed-in user has: {', '.join(only[:_TOLD])}"
    return "a visitor is shown the same there; sessions have to be kept in the data, since instances are started anew"


def _usable(seen: Observation) -> dict[tuple[str, str], bool]:
    """Links and buttons by role and name, and whether they sign out."""
    return {(e.role, e.name[:60]): signs_out(e) for e in seen.elements if e.role in ("link", "button") and e.name}
