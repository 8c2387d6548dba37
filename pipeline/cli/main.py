"""Entry point of the command ``tasksieve``: small, so that Ctrl-C finds it listening while all else is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line that this process was started with, and exit with its code."""
    try:
        from pipeline.cli.streams import make_usable

        make_usable()
        from pipeline.cli.commands import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = _stopped()
    sys.exit(code)


def _stopped() -> int:
    """What an interrupted command tells, without what may not be imported yet."""
    from pipeline.cli.streams import Forgiving, OutputFault, write_out

    Forgiving(sys.stderr).write("Interrupted.\n")
    if "--json" in sys.argv:
        try:
            write_out('{"error": "Interrupted.", "exit": 130}\n')
        except OutputFault:
            return 1
    return 130
