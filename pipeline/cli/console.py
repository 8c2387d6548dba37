"""The only home of rich: printing to people, JSON to programs, and the two progress displays.

Results go to stdout, everything else to stderr. Nothing here decides what is shown; that is the commands' and
``blocks``' business.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel
from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from pipeline.cli.blocks import Block, Grid, Lines
from pipeline.cli.pace import Pace, in_one_line
from pipeline.cli.streams import Forgiving, write_out
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.values import UNPRINTABLE, printable

_UNBOUNDED = 100_000
"""Width of tables where no terminal gives one: a row is one line, for other programs to cut and count."""

_EVERY = 2.0
"""Seconds between two plain progress lines of one phase."""


def show(blocks: Sequence[Block]) -> None:
    """Print blocks to stdout, one blank line between them.

    Raises:
        OutputFault: standard output cannot take them.
    """
    out = _console(Forgiving(sys.stdout))  # rich would flush; what fails is told by write_out
    with out.capture() as captured:
        for number, block in enumerate(blocks):
            if number:
                out.print()
            match block:
                case Grid():
                    _heading(out, block.title)
                    out.print(_table(block) if block.rows else Text("none", style="dim"))
                case Lines():
                    _heading(out, block.title)
                    for line in block.lines:
                        out.print(_text(line), soft_wrap=True)
    text = captured.get()
    # no padding for programs that read on
    write_out(text if out.is_terminal else "".join(f"{line.rstrip()}\n" for line in text.splitlines()))


def _heading(out: Console, title: str) -> None:
    # Not the table's own title, which would be broken to the table's width.
    if title:
        out.print(_text(title, style="bold"), soft_wrap=True)


def emit(value: BaseModel | dict[str, Any]) -> None:
    """Print one JSON object on one line to stdout; nothing may follow it.

    Raises:
        OutputFault: standard output cannot take it.
    """
    data = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    narrow = (sys.stdout.encoding or "utf-8").lower().replace("-", "") != "utf8"
    line = json.dumps(data, ensure_ascii=narrow)
    write_out(UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", line) + "\n")


def note(text: str) -> None:
    """Say something to the person on stderr."""
    _console(Forgiving(sys.stderr)).print(_text(text), soft_wrap=True)


@contextmanager
def display(clock: Callable[[], float]) -> Iterator[Sink]:
    """A sink that shows progress on stderr: live on a terminal, plain lines elsewhere. ``clock`` is monotonic."""
    console = _console(Forgiving(sys.stderr))
    if not console.is_terminal:
        yield PlainDisplay(note, clock)
        return
    # Standard output stays free for results, and nothing else may be redirected into the live region.
    with Live(console=console, refresh_per_second=4, redirect_stdout=False, transient=False) as live:
        shown = LiveDisplay(live, clock)
        try:
            yield shown
        finally:
            shown.rest()


class PlainDisplay:
    """Lines at most every two seconds, and one whenever the phase changes."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float]) -> None:
        self._write, self._clock = write, clock
        self._pace = Pace()
        self._last = float("-inf")
        self._phase = ""

    def __call__(self, event: Progress, /, **fields: Any) -> None:
        now = self._clock()
        self._pace.saw(event, now)
        if event.phase != self._phase or now - self._last >= _EVERY:
            self._phase, self._last = event.phase, now
            self._write(in_one_line(event, self._pace, now))


class LiveDisplay:
    """One line that is rewritten in place; a finished phase stays above it."""

    def __init__(self, live: Live, clock: Callable[[], float]) -> None:
        self._live, self._clock = live, clock
        self._pace = Pace()
        self._line, self._phase = "", ""

    def __call__(self, event: Progress, /, **fields: Any) -> None:
        now = self._clock()
        if self._phase not in ("", event.phase):
            self._live.console.print(_text(self._line, style="dim"))
        self._pace.saw(event, now)
        self._phase, self._line = event.phase, in_one_line(event, self._pace, now)
        self._live.update(Spinner("line", _text(self._line)))

    def rest(self) -> None:
        """Leave the last line standing, without the sign of being at work."""
        self._live.update(_text(self._line))


def _text(text: str, style: str = "") -> Text:
    """Text of pages, logs and people as it may be shown: nothing in it commands the terminal."""
    return Text(printable(text), style=style)


def _table(grid: Grid) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in grid.columns:
        table.add_column(Text(name), justify="right" if name in grid.numbers else "left", overflow="fold")
    for row in grid.rows:
        table.add_row(*(_text(" ".join(cell.splitlines())) for cell in row))
    return table


def _console(stream: Any) -> Console:
    """Made anew each time: tests and redirections replace the streams."""
    terminal = stream.isatty()
    width = None if terminal or os.environ.get("COLUMNS") else _UNBOUNDED
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False)
