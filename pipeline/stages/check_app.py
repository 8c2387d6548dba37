"""Check an app profile by using it, the interface included."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from pipeline.apps.check import Finding, Look, check
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner, child_environment
from pipeline.apps.profile import AppProfile
from pipeline.apps.profile_file import load_profile
from pipeline.apps.work_folders import sweep_home
from pipeline.config import RunConfig
from pipeline.domain.progress import Sink
from pipeline.environments.browser import SharedBrowser
from pipeline.environments.web import WebEnvironment
from pipeline.live.pool import surroundings
from pipeline.live.workbench import Workbench
from pipeline.stages.check_home import home_that_fails
from pipeline.stages.check_reset import left_behind
from pipeline.stages.check_sign import sign_that_fails
from pipeline.stages.opening import work_directory
from pipeline.stages.prepare import warmer


async def check_app(config: RunConfig, name_or_path: str, sink: Sink) -> list[Finding]:
    """Everything about the profile that does not hold; empty when all does.

    Raises:
        ProfileError: the profile cannot be read at all.
    """
    profile = load_profile(name_or_path)
    sweep_home(config.home)
    owner = Owner.here(config.home)
    browser = SharedBrowser(child_environment(owner))

    def through_a_browser(look: Callable[[Workbench], Awaitable[str | None]]) -> Look:
        async def looked(instance: AppInstance) -> str | None:
            async with _bench(profile, instance, browser) as bench:
                return await look(bench)

        return looked

    looks = {"home": through_a_browser(home_that_fails)}
    if profile.sign_in is not None:
        looks["sign_in.signed_in"] = through_a_browser(sign_that_fails)
    if profile.disposable and profile.resettable:
        looks["reset.restart_when"] = through_a_browser(left_behind)
    folder = work_directory(config, owner)
    try:
        async with browser:
            return await check(profile, config.home, folder, warmer(profile, owner, sink), looks, sink)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def _bench(profile: AppProfile, instance: AppInstance, browser: SharedBrowser) -> AsyncIterator[Workbench]:
    sessions = {u: s for u in profile.user_names if (s := instance.session(u)) is not None}
    environment = WebEnvironment(browser, surroundings(profile, instance.base_url))
    try:
        yield Workbench(profile, instance, environment, sessions)
    finally:
        await environment.close()
