"""First profiles: of a running site, of a project that can be started, of one that nobody knows how to start."""

from __future__ import annotations

import re
import sqlite3
import sys
from pathlib import Path

import pytest
from page_server import PageServer

from pipeline.apps.profile_file import load_profile
from pipeline.apps.server import free_port
from pipeline.config import RunConfig
from pipeline.domain.progress import nowhere
from pipeline.errors import AppFault, UserError
from pipeline.stages.new_app import new_profile

HOME = "<title>Ledger</title><h1>Ledger</h1><a href=/accounts/login>Log in</a>"
FORM = (
    "<form method=post><label>User name <input name=u></label><label>Secret word <input type=password name=p></label>"
    "<button>Enter</button></form>"
)
MANAGE = f"""
import http.server, sys
PAGES = {{"/": {HOME!r}, "/accounts/login": {FORM!r}}}
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("content-type", "text/html"); self.end_headers()
        self.wfile.write(PAGES.get(self.path, "").encode())
    def log_message(self, *_): pass
host, port = sys.argv[3].split(":")
http.server.ThreadingHTTPServer((host, int(port)), Handler).serve_forever()
"""


async def _read(text: str, folder: Path):
    file = folder / "made.toml"
    file.write_text(text)
    return load_profile(str(file))


async def test_a_running_site_is_described_by_what_a_stranger_sees(pages: PageServer, tmp_path: Path) -> None:
    pages.html("/accounts/login", FORM)
    new = await new_profile(RunConfig(home=tmp_path / "home"), pages.html("/ledger", HOME), "ledger", nowhere)
    made = await _read(new.text, tmp_path)
    assert (made.name, made.url, made.home, made.disposable) == ("ledger", pages.origin, "/ledger", False)
    assert made.sign_in is not None and made.sign_in.path == "/accounts/login"
    form = made.sign_in
    assert (form.username.name, form.password.name, form.submit.name) == ("User name", "Secret word", "Enter")


async def test_a_form_that_the_home_page_does_not_lead_to_is_looked_for(pages: PageServer, tmp_path: Path) -> None:
    pages.html("/admin/", FORM)
    home = pages.html("/", "<title>Shop window</title><p>Nothing to see.</p>")
    new = await new_profile(RunConfig(home=tmp_path / "home"), home, "window", nowhere)
    made = await _read(new.text, tmp_path)
    assert made.sign_in is not None and made.sign_in.path == "/admin"


def _project(folder: Path) -> Path:
    """A project with a database, and an interpreter of its own, so that nothing has to be installed."""
    (folder / "data").mkdir(parents=True)
    (folder / "manage.py").write_text(MANAGE)
    (folder / "README.md").write_text("Ledger\n")
    with sqlite3.connect(folder / "data" / "ledger.sqlite3") as db:
        db.execute("CREATE TABLE entry (id INTEGER PRIMARY KEY)")
    db.close()
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(Path(sys.executable))
    return folder


async def test_a_project_is_started_and_looked_at(tmp_path: Path) -> None:
    project = _project(tmp_path / "Ledger 2")
    new = await new_profile(RunConfig(home=tmp_path / "home"), str(project), "", nowhere)
    made = await _read(new.text, tmp_path)
    assert (new.name, new.notes) == ("ledger-2", ())
    assert (made.name, made.title, made.seed_folder) == ("ledger-2", "Ledger", project)
    assert made.start is not None and made.start.command[1:4] == ("manage.py", "runserver", "--noreload")
    assert [s.model_dump()["path"] for s in made.state if s.kind == "sqlite"] == ["data/ledger.sqlite3"]
    assert made.documents == (str(project / "README.md"),)
    assert made.sign_in is not None and made.sign_in.username.name == "User name"


async def test_a_project_that_does_not_start_is_described_all_the_same(tmp_path: Path) -> None:
    project = _project(tmp_path / "ledger")
    (project / "manage.py").write_text("raise SystemExit('no settings')")
    new = await new_profile(RunConfig(home=tmp_path / "home"), str(project), "", nowhere)
    assert len(new.notes) == 1 and new.notes[0].startswith("It was not seen running: ")
    assert "no settings" in new.notes[0] and "\n" not in new.notes[0]
    assert f"# NOTE: {new.notes[0]}" in new.text
    assert (await _read(new.text, tmp_path)).start is not None


async def test_what_could_not_be_found_out_is_said_in_the_profile(tmp_path: Path) -> None:
    project = tmp_path / "odd"
    project.mkdir()
    with pytest.raises(UserError, match="holds no files"):
        await new_profile(RunConfig(home=tmp_path / "home"), str(project), "", nowhere)
    (project / "notes.txt").write_text("Started by hand.")
    text = (await new_profile(RunConfig(home=tmp_path / "home"), str(project), "", nowhere)).text
    assert "NOTE: How it is started was not found out" in text and "FILL IN" in text


@pytest.mark.parametrize("target", ["/no/such/folder", "ftp://example.org", "http://[", "x" * 5000, "", " "])
async def test_what_is_neither_a_site_nor_a_folder_is_refused(target: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=re.escape(repr(target))):
        await new_profile(RunConfig(home=tmp_path / "home"), target, "", nowhere)


async def test_an_address_where_nothing_answers_is_told_so(pages: PageServer, tmp_path: Path) -> None:
    closed = f"http://127.0.0.1:{free_port()}/"
    with pytest.raises(AppFault, match="Nothing answers at"):
        await new_profile(RunConfig(home=tmp_path / "home"), closed, "ledger", nowhere)
