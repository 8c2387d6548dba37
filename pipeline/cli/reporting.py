"""Where a command's progress goes: the display, and for a run its log; both from one place, with secrets taken out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.cli.console import display
from pipeline.cli.options import now
from pipeline.cli.runlog import RunLog
from pipeline.domain.progress import Progress, Sink
from pipeline.domain.redact import Redactor
from pipeline.errors import ProfileError

if TYPE_CHECKING:
    from pipeline.config import RunConfig


@contextmanager
def progress(config: RunConfig, *, run: str = "", app: str = "") -> Iterator[Sink]:
    """A sink for one command that works with applications, whose home is looked at before anything is made.

    With ``run`` named, events are kept in ``runs/<run>/log.jsonl`` as well.

    Raises:
        UserError: the home of applications cannot be written, or the log of the run.
    """
    from pipeline.apps.work_folders import refuse_unwritable

    refuse_unwritable(config.home)
    with ExitStack() as stack:
        sinks: list[Sink] = [stack.enter_context(display(time.monotonic))]
        if run:
            from storage.rundir import RunDirectory

            log = RunLog(RunDirectory(config.runs, run).log, now, lambda: redactor(config.home, app))
            sinks.append(stack.enter_context(log))

        def tell(event: Progress, /, **fields: Any) -> None:
            for sink in sinks:
                sink(event, **fields)

        yield tell


def redactor(home: Path, app: str = "") -> Redactor:
    """Knows every secret that is kept below ``home``, and those that the app's profile takes from the environment."""
    from pipeline.apps.kept_secrets import kept_secrets, secrets_from_environment
    from pipeline.apps.profile_file import load_profile

    try:
        named = secrets_from_environment(load_profile(app)) if app else frozenset()
    except ProfileError:
        named = frozenset()
    return Redactor(kept_secrets(home) | named)
