"""Proof of the sign that a user is signed in: the start page shows it to every user, and to nobody else."""

from __future__ import annotations

from pipeline.apps.profile_sign_in import User
from pipeline.apps.server import password_advice
from pipeline.domain.consequences import signs_out
from pipeline.domain.observation import Observation
from pipeline.domain.routes import canonical
from pipeline.errors import AppFault
from pipeline.live.workbench import Workbench

_SAME = "a visitor is shown the same there"
_TOLD = 6
"""Elements that are offered as better signs."""


async def sign_that_fails(bench: Workbench) -> str | None:
    """One sentence of what is wrong with ``sign_in.signed_in``, None where it holds.

    Raises:
        EnvironmentFault: the start page could not be shown, or the application broke at it.
    """
    profile = bench.profile
    assert profile.sign_in is not None  # only profiles with users come here
    sign, home = profile.sign_in.signed_in, canonical(profile.home)
    stranger = await bench.arrive("", home)
    for account in profile.sign_in.users:
        user = account.name
        seen = await bench.arrive(user, home)
        if not sign.stands_in(seen, user):
            if (seen.status or 0) >= 500:
                raise AppFault(f"The application broke: {home} answers {seen.status} to {user!r}.")
            better = _better(seen, stranger) or _never_in(account)
            return f"{home} does not show {sign.in_words(user)} to {user!r}; {better}"
        if sign.stands_in(stranger, user):
            better = _better(seen, stranger) or _SAME
            return f"{home} shows {sign.in_words(user)} to a visitor who is not signed in, too; {better}"
    return None


def _better(seen: Observation, stranger: Observation) -> str:
    """What only the signed-in user is shown, if anything; the way out is the best sign of being in."""
    both = _usable(stranger)
    found = sorted(_usable(seen).items(), key=lambda item: not item[1])
    only = [f"{role} {name!r}" for (role, name), _ in found if (role, name) not in both]
    if only:
        return f"only a signed-in user has: {', '.join(only[:_TOLD])}"
    return ""


def _never_in(account: User) -> str:
    """Why a user may be no more than a visitor."""
    return (
        f"{_SAME}: the sign-in was refused without the form being shown again ({password_advice(account)}), "
        "or sessions are not kept in the data, which they have to be, since instances are started anew"
    )


def _usable(seen: Observation) -> dict[tuple[str, str], bool]:
    """Links and buttons by role and name, and whether they sign out."""
    return {(e.role, e.name[:60]): signs_out(e) for e in seen.elements if e.role in ("link", "button") and e.name}
