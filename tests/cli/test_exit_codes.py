"""Exit codes, and the one sentence that goes with each mistake."""

from __future__ import annotations

import os

import pytest

from pipeline.cli import main
from pipeline.errors import AppFault, CatalogueError, RunFault

MISTAKES = {
    ("generat", "trac"): "Did you mean 'generate'?",
    ("generate", "trac", "--cuont", "3"): "--cuont",
    ("generate", "trac", "--count", "x"): "valid integer",
    ("generate", "trac", "--count", "0"): "count is 0",
    ("generate", "trac", "--workers", "0"): "workers is 0",
    ("generate", "trac", "--operations", "crate"): "'crate'",
    ("generate",): "Name an application",
    ("generate", "trak"): "did you mean 'trac'",
    ("generate", "trac", "--run", "../up"): "'../up'",
    ("generate", "nowhere.toml"): "'nowhere.toml'",
    ("generate", "--resume", "gone"): "There is no catalogue",
    ("report", "gone"): "There is no catalogue",
    ("replay", "gone"): "There is no catalogue",
    ("generate", "trac", "--count", "many"): "it should be a valid integer",
    ("report",): "RUN",
    ("report", "gone", "--catalogue", "postgres://x"): "'postgres://x'",
    ("report", "gone", "--config", "no.toml"): "'no.toml'",
    ("tasks", "--limit", "0"): "--limit",
    ("tasks", "--operation", "fly"): "There is no operation 'fly'; there are create",
    ("review",): "Missing command",
    ("report", "gone", "--catalogue", "postgres://ada:hunter2@x/y"): "'postgres://ada:•••@x/y'",
    ("generate", "trac", "--run", "x" * 5000): "x…; it may hold up to 100 letters",
    ("bench", "crash", "--kills", "0"): "--kills",
    ("verify", "4f2a", "--app", "trac"): "Name either tasks by their ids",
    ("--count", "3", "generate", "trac"): "options of a command stand behind it",
    ("verify", "--clock", "soon"): "'soon' is no time to move by",
}


@pytest.mark.parametrize("arguments", MISTAKES, ids=lambda a: " ".join(a)[:60])
def test_a_mistake_is_one_sentence_and_exit_2(arguments, tasksieve, here):
    ran = tasksieve(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert MISTAKES[arguments] in ran.err
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.err
    assert not (here / "runs").exists()


def test_an_unknown_run_names_the_nearest(tasksieve, catalogue):
    ran = tasksieve("report", "frist")
    assert ran.code == 2
    assert "'frist'" in ran.err
    assert "first" in ran.err


@pytest.mark.parametrize("text", ['runs = "/dev/null"', "x = " + "[" * 5000])
def test_settings_that_cannot_be_used_are_a_mistake(text, tasksieve, here):
    (here / "settings.toml").write_text(text)
    ran = tasksieve("generate", "trac", "--config", "settings.toml")
    assert (ran.code, ran.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    "command",
    [
        ("generate", "trac"),
        ("explore", "trac"),
        ("verify",),
        ("replay", "4f2a"),
        ("apps", "install", "trac"),
        ("apps", "check", "trac"),
        ("bench", "reset"),
        ("bench", "crash"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nowhere"])
def test_a_home_that_cannot_be_written_is_told_before_anything_is_made(command, place, tasksieve, here, monkeypatch):
    (here / "file").touch()
    monkeypatch.setenv("TASKSIEVE_HOME", place)
    ran = tasksieve(*command)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"'{place}', which cannot be written" in ran.err
    assert "TASKSIEVE_HOME" in ran.err
    assert not (here / "runs").exists()


@pytest.mark.parametrize(
    "command", ["tasks", "report first", "runs", "review list", "export jsonl out", "apps"], ids=lambda c: c
)
def test_reading_asks_for_no_home(command, tasksieve, here, catalogue, monkeypatch):
    (here / "file").touch()
    monkeypatch.setenv("TASKSIEVE_HOME", "file")
    assert tasksieve(*command.split()).code == 0


def test_settings_that_would_never_end_are_not_read(tasksieve, here):
    os.mkfifo(here / "settings.toml")
    ran = tasksieve("tasks", "--config", "settings.toml")
    assert (ran.code, "is no file" in ran.err) == (2, True)


def test_what_was_given_is_repeated_in_part_only(tasksieve, catalogue):
    assert len(tasksieve("show", "x" * 5000).err) < 1500


@pytest.mark.parametrize("place", ["/dev/null/x", "dangling", "/proc/nowhere"])
def test_an_export_to_a_place_that_cannot_be_is_a_mistake(place, tasksieve, here, catalogue):
    (here / "dangling").symlink_to(here / "no" / "where")
    ran = tasksieve("export", "jsonl", place)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert place in ran.err


def test_an_empty_file_is_no_catalogue_to_read(tasksieve, here):
    (here / "mine.db").touch()
    ran = tasksieve("tasks", "--catalogue", "mine.db")
    assert ran.code == 2
    assert "is empty" in ran.err
    assert (here / "mine.db").read_bytes() == b""


def test_a_foreign_catalogue_is_a_mistake_and_stays_as_it_was(tasksieve, here):
    (here / "mine.db").write_text("mine")
    ran = tasksieve("tasks", "--catalogue", "mine.db")
    assert ran.code == 2
    assert "mine.db" in ran.err
    assert (here / "mine.db").read_text() == "mine"


@pytest.mark.parametrize(("error", "code"), [(CatalogueError("No."), 2), (RunFault("No."), 1), (AppFault("No."), 1)])
def test_our_errors_are_their_sentence(error, code, tasksieve, fake_module):
    async def examine(*_):
        raise error

    fake_module("pipeline.report.machine", examine=examine)
    ran = tasksieve("doctor")
    assert (ran.code, ran.err) == (code, "No.\n")


@pytest.fixture
def broken(fake_module):
    async def examine(*_):
        raise KeyError("some key")

    fake_module("pipeline.report.machine", examine=examine)


def test_an_unexpected_error_is_a_sentence_and_its_traceback_is_in_a_file(broken, tasksieve, here):
    ran = tasksieve("doctor")
    assert ran.code == 1
    assert ran.err.count("\n") == 1
    assert "KeyError" in ran.err
    assert "runs/errors.log" in ran.err
    assert "Traceback" in (here / "runs" / "errors.log").read_text()


def test_debug_shows_the_traceback(broken, tasksieve):
    assert "Traceback" in tasksieve("doctor", "--debug").err


def test_an_interrupted_command_is_130_and_says_so(tasksieve, fake_module):
    async def examine(*_):
        raise KeyboardInterrupt

    fake_module("pipeline.report.machine", examine=examine)
    ran = tasksieve("doctor", "--json")
    assert (ran.code, ran.err) == (130, "Interrupted.\n")
    assert ran.json == {"error": "Interrupted.", "exit": 130}


def test_an_interruption_while_everything_is_imported_is_told_as_well(fake_module, monkeypatch, capsys):
    def interrupt(name):
        raise KeyboardInterrupt

    fake_module("pipeline.cli.commands", __getattr__=interrupt)
    monkeypatch.setattr("sys.argv", ["tasksieve", "tasks", "--json"])
    with pytest.raises(SystemExit) as ended:
        main.main()
    assert ended.value.code == 130
    assert capsys.readouterr() == ('{"error": "Interrupted.", "exit": 130}\n', "Interrupted.\n")


def test_no_command_shows_the_help(tasksieve):
    ran = tasksieve()
    assert ran.code == 0
    assert "generate" in ran.out
