"""What ``tasksieve`` can be asked for, in a table; the one place where errors become sentences and exit codes.

0 done; 1 done but something failed, or fell short of the count; 2 the user's mistake; 130 interrupted.
"""

from __future__ import annotations

import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pipeline.cli import (
    apps,
    bench,
    doctor,
    explore,
    export,
    generate,
    replay,
    report,
    review,
    runs,
    show,
    tasks,
    verify,
)
from pipeline.cli.interrupt import Interrupted
from pipeline.cli.streams import Forgiving, OutputFault, write_out
from pipeline.errors import TasksieveError, UserError

DONE, FAILED, MISTAKE, STOPPED = 0, 1, 2, 130
LONGEST = 1200
"""Letters of a sentence."""


class _Commands(TyperGroup):
    """The table of commands; an interruption comes out of it as one, where typer would return a mere code."""

    def make_context(self, *given: Any, **more: Any) -> Any:  # the class of a context is private to typer
        with _interruptions():
            return super().make_context(*given, **more)

    def invoke(self, ctx: Any) -> Any:
        with _interruptions():
            return super().invoke(ctx)


@contextmanager
def _interruptions() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted from error


app = typer.Typer(
    cls=_Commands,
    help="Turn a running application into proven tasks for GUI agents.",
    add_completion=False,
    rich_markup_mode=None,  # plain help starts faster and reads the same everywhere
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(apps.group, name="apps")
app.command("explore")(explore.explore)
app.command("generate")(generate.generate)
app.add_typer(runs.group, name="runs")
app.command("report")(report.report)
app.command("tasks")(tasks.tasks)
app.command("show")(show.show)
app.command("replay")(replay.replay)
app.command("verify")(verify.verify)
app.add_typer(review.group, name="review")
app.add_typer(export.group, name="export")
app.command("doctor")(doctor.doctor)
app.add_typer(bench.group, name="bench")


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"tasksieve {version('tasksieve')}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Turn a running application into proven tasks for GUI agents."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code, never raises what a user could cause."""
    asked = list(arguments) or ["--help"]
    try:
        return _run(asked)
    except OutputFault as error:  # nothing more can be told there
        if str(error):
            _tell(str(error))
        return FAILED


def _run(asked: Sequence[str]) -> int:
    try:
        _stand_somewhere()
        code = app(asked, prog_name="tasksieve", standalone_mode=False)
    except typer.TyperException as error:
        return _say(asked, _usage(asked, error), error.exit_code)
    except UserError as error:
        return _say(asked, str(error), MISTAKE)
    except TasksieveError as error:
        return _say(asked, str(error), FAILED)
    except (Interrupted, KeyboardInterrupt, typer.Abort) as error:
        return _say(asked, f"Interrupted. {error}".strip(), STOPPED)
    except OutputFault:
        raise
    except Exception as error:  # the last line of defence: a person gets a sentence, the file gets the rest
        write_out("")  # what a library printed may be what could not be written
        return _say(asked, _unexpected(asked, error), FAILED)
    return code if isinstance(code, int) else DONE


def _stand_somewhere() -> None:
    try:
        Path.cwd()
    except OSError as error:
        raise UserError("The current folder is gone; change to another one and try again.") from error


def _say(asked: Sequence[str], sentence: str, code: int) -> int:
    _tell(sentence)
    if "--json" in asked:
        from pipeline.cli.console import emit

        emit({"error": sentence, "exit": code})
    return code


def _tell(sentence: str) -> None:
    from pipeline.domain.values import printable

    err = Forgiving(sys.stderr)
    told = printable(sentence.rstrip())
    if len(told) > LONGEST:  # what was given may be of any length, and is repeated
        told = f"{told[: LONGEST // 2]}…{told[-LONGEST // 2 :]}"
    err.write(told + "\n")
    err.flush()


def _usage(asked: Sequence[str], error: typer.TyperException) -> str:
    complaint = " ".join(error.format_message().split()).rstrip(".").replace("Input should", "it should")
    complaint = complaint.partition(", unable to")[0] + _given(error)
    context = getattr(error, "ctx", None)
    if hasattr(error, "option_name") and context is not None and context.parent is None:
        return f"{complaint.rstrip('?')}; options of a command stand behind it, as in 'tasksieve runs --json'."
    command = getattr(context, "command_path", "tasksieve")
    hint = "" if complaint.endswith("?") else "."
    return f"{complaint}{hint} See '{command} --help'."


def _given(error: typer.TyperException) -> str:
    """The value that could not be read, where only the validation below knows it."""
    found = getattr(error.__cause__, "errors", None)
    return f", not {found()[0]['input']!r}" if found else ""


def _unexpected(asked: Sequence[str], error: Exception) -> str:
    if "--debug" in asked:
        sys.stderr.write("".join(traceback.format_exception(error)))
    where = _keep(error)
    return (
        f"Something unexpected went wrong ({type(error).__name__}: {_first_line(error)}); the traceback is in {where}."
    )


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n", 1)[0][:200] or "no message"


def _keep(error: Exception) -> Path:
    """Append the traceback to ``errors.log``, in ``runs`` where that can be written."""
    text = "".join(traceback.format_exception(error))
    try:
        from pipeline.cli.options import now, settings
        from pipeline.cli.reporting import redactor

        config = settings(None)
        text = f"{now().isoformat()}\n{redactor(config.home).clean(text)}\n"
        path = config.runs / "errors.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", errors="replace") as out:
            out.write(text)
    except (OSError, TasksieveError):
        handle, name = tempfile.mkstemp(prefix="tasksieve-", suffix=".log")
        with open(handle, "w", encoding="utf-8", errors="replace") as out:
            out.write(text)
        return Path(name)
    return path
