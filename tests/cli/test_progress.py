"""Progress without a terminal, its pace, and the log's file."""

from __future__ import annotations

import io
import json
import re

import finished_run as sample
import pytest
from rich.console import Console
from rich.live import Live

from pipeline.cli.blocks import Grid, Lines
from pipeline.cli.console import LiveDisplay, PlainDisplay, emit, note, show
from pipeline.cli.pace import Pace, in_one_line, in_words
from pipeline.cli.runlog import RunLog
from pipeline.domain.progress import Progress
from pipeline.domain.redact import Redactor


def prove(done: int, **more) -> Progress:
    return Progress(phase="prove", done=done, total=30, **more)


def test_plain_lines_come_at_most_every_two_seconds():
    lines, now = [], [0.0]
    shown = PlainDisplay(lines.append, lambda: now[0])
    for tenth in range(50):
        now[0] = tenth / 10
        shown(prove(tenth))
    assert len(lines) == 3


def test_a_new_phase_is_said_at_once():
    lines = []
    shown = PlainDisplay(lines.append, lambda: 0.0)
    shown(Progress(phase="explore", message="looking"))
    shown(prove(0))
    assert lines == ["explore · looking", "prove 0/30"]


def test_a_terminal_keeps_one_line_for_each_finished_phase():
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    with Live(console=console, auto_refresh=False) as live:
        shown = LiveDisplay(live, lambda: 0.0)
        for done in range(5):
            shown(Progress(phase="explore", done=done))
        shown(prove(1))
        shown.rest()
    plain = [line for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", console.file.getvalue()).split("\n") if line]
    assert plain[0].startswith("explore 4")
    assert plain[-1].startswith("prove 1/30")


def test_a_line_holds_counts_rate_and_time_left():
    pace = Pace()
    pace.saw(prove(0), 100.0)
    line = in_one_line(prove(10, counts={"accepted": 8, "near_misses": 2}), pace, 160.0)
    assert line == "prove 10/30 · accepted 8, near misses 2 · 10.0/min · about 2 min left"


def test_no_rate_is_guessed_from_too_little():
    pace = Pace()
    pace.saw(prove(0), 0.0)
    assert pace.per_minute(prove(3), 1.0) is None
    assert pace.seconds_left(prove(0), 60.0) is None


def test_the_rate_of_a_resumed_run_counts_only_what_was_done_now():
    pace = Pace()
    pace.saw(prove(20), 0.0)
    assert pace.per_minute(prove(25), 60.0) == 5.0


@pytest.mark.parametrize(("seconds", "words"), [(5, "5 s"), (89, "89 s"), (200, "3 min"), (4800, "1 h 20 min")])
def test_durations_read_as_people_say_them(seconds, words):
    assert in_words(seconds) == words


def log(path):
    return RunLog(path, sample.clock, lambda: Redactor(["hunter2"]))


def test_a_torn_last_line_does_not_eat_the_next_record(tmp_path):
    path = tmp_path / "run" / "log.jsonl"
    path.parent.mkdir()
    path.write_text('{"phase": "explore"}\n{"pha')
    with log(path) as kept:
        kept(prove(1))
    first, torn, last = path.read_text().splitlines()
    assert (json.loads(first)["phase"], torn, json.loads(last)["done"]) == ("explore", '{"pha', 1)


def test_an_error_is_logged_without_secrets_and_goes_on(tmp_path):
    with pytest.raises(ValueError, match="hunter2"), log(tmp_path / "log.jsonl"):
        raise ValueError("hunter2 is wrong")
    record = json.loads((tmp_path / "log.jsonl").read_text())
    assert (record["error"], record["message"]) == ("ValueError", "••• is wrong")


def test_a_longer_secret_leaves_no_rest_of_itself():
    assert Redactor(["abcd", "abcdefgh"]).clean("x abcdefgh y") == "x ••• y"


def test_a_very_short_secret_is_not_searched_for():
    assert not Redactor(["abc"]).holds_secret("abc")


def test_a_long_message_is_cut_with_a_sign_of_it():
    line = in_one_line(prove(0, message="long " * 100), Pace(), 0.0)
    assert line.endswith("…") and len(line) < 160


HOSTILE = "Pay \x1b[2J\x1b]0;owned\x07\x9b31m \u202etxt.exe"


def test_text_of_pages_commands_no_terminal(capsys):
    show([Lines(HOSTILE, (HOSTILE,)), Grid(HOSTILE, ("A",), ((HOSTILE + "\nnext",),))])
    note(HOSTILE)
    emit({"title": HOSTILE})
    out, err = capsys.readouterr()
    assert not set("\x1b\x07\x9b\u202e") & set(out + err)
    assert json.loads(out.splitlines()[-1]) == {"title": HOSTILE}
