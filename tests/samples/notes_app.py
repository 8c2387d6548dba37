"""The small Notes application of tests/data/apps: warming it, making its template, and a running copy of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pipeline.apps.install import AppHome, install
from pipeline.apps.instance import AppInstance
from pipeline.apps.profile import AppProfile
from pipeline.apps.template import Template, make_template
from pipeline.domain.environment import SessionState
from pipeline.domain.progress import nowhere
from pipeline.net.http import Client

NOTES = Path(__file__).parents[1] / "data" / "apps" / "notes.toml"

Bend = Callable[..., AppProfile]
Launch = Callable[[AppProfile], Any]


class Running:
    """A started Notes instance and a client."""

    def __init__(self, instance: AppInstance, client: Client) -> None:
        self.instance = instance
        self.client = client

    async def get(self, path: str) -> str:
        return (await self.client.get(self.instance.base_url + path)).text


async def warm(base_url: str, passwords: Mapping[str, str]) -> dict[str, SessionState]:
    """Leaves one random row a user, as a real sign-in does."""
    for _ in passwords:
        async with Client([base_url]) as client:
            await client.get(base_url + "/login")
    return {user: SessionState(user, {"origins": [{"origin": base_url, "value": "t" * 8}]}) for user in passwords}


async def made(profile: AppProfile, root: Path) -> tuple[Template, AppHome]:
    home = await install(profile, root, nowhere)
    return await make_template(profile, home, root, warm, nowhere), home
