"""Instances: isolation, true resets, restarts where the application caches, and faults that say so."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from notes_app import Bend, Launch, made

from pipeline.apps import server
from pipeline.apps.instance import AppInstance
from pipeline.apps.processes import Owner
from pipeline.domain.state import diff
from pipeline.errors import AppFault, ProfileError, RunFault


async def test_two_instances_never_see_each_other(notes: Bend, launch: Launch) -> None:
    one, two = await launch(notes()), await launch(notes())
    await one.get("/add?text=tea")
    assert one.instance.port != two.instance.port
    assert "tea" in await one.get("/")
    assert "tea" not in await two.get("/")
    assert (await two.instance.snapshot()).fingerprint == two.instance.template.snapshot.fingerprint


async def test_a_reset_restores_rows_and_files_while_the_application_runs(notes: Bend, launch: Launch) -> None:
    running = await launch(notes())
    await running.get("/add?text=tea")
    await running.get("/setting?name=notes.ini&line=size=20")
    await running.get("/setting?name=more.ini&line=new=1")
    changes = diff(running.instance.template.snapshot, await running.instance.snapshot()).changes
    assert {c.table for c in changes} == {"note", "file:settings/notes.ini", "file:settings/more.ini"}
    after = await running.instance.reset()
    assert after.fingerprint == running.instance.template.snapshot.fingerprint
    assert not (running.instance.workdir / "data/settings/more.ini").exists()
    assert await running.get("/") == "milk bread old"
    assert running.instance.restarts == 0


async def test_a_change_to_a_table_that_is_cached_makes_the_reset_a_restart(notes: Bend, launch: Launch) -> None:
    running = await launch(notes())
    assert "new" in await running.get("/cache?word=new")
    await running.instance.reset()
    assert running.instance.restarts == 1
    assert await running.get("/") == "milk bread old"


async def test_without_restart_when_the_cache_would_survive(notes: Bend, launch: Launch) -> None:
    """The control of the test before: it is the restart that clears the cache, not the fingerprint."""
    running = await launch(notes(reset={"restart_when": []}))
    await running.get("/cache?word=new")
    assert (await running.instance.reset()).fingerprint == running.instance.template.snapshot.fingerprint
    assert await running.get("/") == "milk bread new"


async def test_mode_restart_replaces_the_whole_directory(notes: Bend, launch: Launch) -> None:
    running = await launch(notes(reset={"mode": "restart"}))
    stray = running.instance.workdir / "data" / "stray.txt"
    stray.write_text("left by somebody")
    port = running.instance.port
    await running.instance.reset()
    assert not stray.exists()
    assert running.instance.port == port


async def test_data_that_cannot_be_read_is_put_back_as_a_whole(notes: Bend, launch: Launch) -> None:
    running = await launch(notes(state=[{"kind": "none"}]))
    await running.get("/add?text=tea")
    await running.instance.reset()
    assert await running.get("/") == "milk bread old"


async def test_a_full_disk_is_a_fault_of_the_run(
    notes: Bend, launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template, home = await made(notes(), tmp_path / "root")

    def full(old: str, new: str) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)
    with pytest.raises(RunFault, match="free some space"):
        await AppInstance(template, notes(), home, tmp_path / "run", Owner.here(tmp_path)).start()


async def test_commands_save_and_bring_back_what_lies_outside_the_data(
    notes: Bend, launch: Launch, tmp_path: Path
) -> None:
    """As a container or a database server of its own needs it; here the outside is a folder."""
    outside = tmp_path / "outside"
    outside.write_text("seeded")
    copy = "import shutil,sys; shutil.copy(sys.argv[1], sys.argv[2])"
    reset = {
        "snapshot": ["{python}", "-c", copy, str(outside), "{data}/saved"],
        "restore": ["{python}", "-c", copy, "{data}/saved", str(outside)],
    }
    running = await launch(notes(reset=reset))
    outside.write_text("changed")
    await running.instance.reset()
    assert outside.read_text() == "seeded"


async def test_a_dead_application_is_started_again_by_the_next_reset(notes: Bend, launch: Launch) -> None:
    running = await launch(notes())
    await running.client.get(running.instance.base_url + "/die")
    for _ in range(200):
        if not running.instance.alive:
            break
        await asyncio.sleep(0.01)
    assert not running.instance.alive
    await running.instance.reset()
    assert running.instance.alive
    assert await running.get("/") == "milk bread old"


async def test_a_state_that_keeps_differing_is_a_fault(notes: Bend, launch: Launch) -> None:
    with pytest.raises(AppFault, match=r"differs from its template after a reset, in: file:settings/busy\.ini"):
        await launch(notes(start={"env": {"NOTES": "restless"}}, reset={"mode": "restart"}))


async def test_an_application_that_exits_at_once_is_named_with_its_last_line(notes: Bend, launch: Launch) -> None:
    with pytest.raises(AppFault, match=r"ended with 1 before it was ready.*the licence file is missing"):
        await launch(notes(start={"env": {"NOTES": "exits"}}))


async def test_an_application_that_never_becomes_ready_is_given_up_in_time(notes: Bend, launch: Launch) -> None:
    with pytest.raises(AppFault, match=r"not ready within 8 s; it answers 503 instead of 200"):
        await launch(notes(start={"env": {"NOTES": "never"}, "timeout": 8}))


async def test_a_command_that_does_not_exist_is_the_profile_s_mistake(notes: Bend, launch: Launch) -> None:
    with pytest.raises(ProfileError, match=r"'no-such-program' cannot be run.*start\.command of notes"):
        await launch(notes(start={"command": ["no-such-program"]}))


async def test_a_failing_seed_names_its_key(notes: Bend, launch: Launch) -> None:
    with pytest.raises(AppFault, match=r"seed\.command of notes failed with 1"):
        await launch(notes(seed={"command": ["{python}", "-c", "raise SystemExit(1)"]}))


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which somebody else listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


async def test_a_port_in_use_leads_to_another_port(
    notes: Bend, launch: Launch, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = iter([taken_port])
    free_port = server.free_port
    monkeypatch.setattr(server, "free_port", lambda: next(offered, None) or free_port())
    running = await launch(notes())
    assert running.instance.port != taken_port
    assert await running.get("/") == "milk bread old"


async def test_a_port_that_is_never_free_is_told_with_what_the_command_has_to_do(
    notes: Bend, launch: Launch, taken_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "free_port", lambda: taken_port)
    with pytest.raises(AppFault, match=rf"(?s)in use.*{taken_port}.*listen on \{{port\}}") as told:
        await launch(notes())
    assert told.value.key == "start.command"


async def test_another_application_answering_on_the_port_is_not_taken_for_ours(
    notes: Bend, launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await launch(notes())
    template, home = await made(notes(), tmp_path / "root")
    offered = iter([first.instance.port])
    free_port = server.free_port
    monkeypatch.setattr(server, "free_port", lambda: next(offered, None) or free_port())
    second = AppInstance(template, notes(), home, tmp_path / "second", Owner.here(tmp_path))
    async with second:
        assert second.port != first.instance.port


async def test_stopping_leaves_no_process_and_no_data(notes: Bend, launch: Launch) -> None:
    running = await launch(notes())
    pid = running.instance._server._child.pid
    await running.instance.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert not (running.instance.workdir / "data").exists()
    assert not (running.instance.workdir / "passwords.json").exists()


async def test_an_application_that_ignores_the_request_to_end_is_forced(notes: Bend, launch: Launch) -> None:
    stubborn = "import signal,runpy,sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); sys.argv=sys.argv[1:]; "
    stubborn += "runpy.run_path(sys.argv[0], run_name='__main__')"
    command = ["{python}", "-c", stubborn, "{files}/app.py", "serve", "{data}", "{port}"]
    running = await launch(notes(start={"command": command}))
    child = running.instance._server._child
    await child.end(grace=0.1)
    assert child.exit_code == -signal.SIGKILL


async def test_sessions_are_moved_to_the_instance_s_own_origin(notes: Bend, launch: Launch) -> None:
    running = await launch(notes())
    session = running.instance.session("ada")
    assert session.stored["origins"][0]["origin"] == running.instance.base_url
    assert running.instance.session("nobody") is None


async def test_passwords_reach_the_application_by_a_private_file_only(notes: Bend, launch: Launch) -> None:
    running = await launch(notes())
    file = running.instance.workdir / "passwords.json"
    assert file.stat().st_mode & 0o777 == 0o600
    environ = Path(f"/proc/{running.instance._server._child.pid}/environ").read_text()
    assert running.instance.template.passwords["ada"] not in environ


async def test_our_secrets_are_not_inherited(notes: Bend, launch: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-applications")
    running = await launch(notes())
    environ = Path(f"/proc/{running.instance._server._child.pid}/environ").read_text()
    assert "sk-not-for-applications" not in environ


async def test_an_application_that_already_runs_is_reached_but_never_reset(notes: Bend, launch: Launch) -> None:
    there = await launch(notes())
    plain = {"seed": None, "start": None, "state": (), "clock": None}
    profile = notes().model_copy(update={**plain, "url": there.instance.base_url})
    running = await launch(profile)
    await running.get("/add?text=tea")
    assert not profile.resettable
    assert (await running.instance.reset()).tables == {}
    assert "tea" in await there.get("/")
