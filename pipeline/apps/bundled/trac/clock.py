"""The pinned clock of this process. Must be installed before anything of Trac is imported."""

import os
import sys
import time
from datetime import datetime

_real_time = time.time


def install(tick):
    """Start at TASKSIEVE_CLOCK (ISO 8601) and tick on, or with ``tick`` false stand still; without it do nothing."""
    text = os.environ.get("TASKSIEVE_CLOCK")
    if not text:
        return
    if "trac" in sys.modules:
        raise RuntimeError("the clock must be installed before Trac is imported")
    pinned = datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    began = _real_time()

    def pinned_time():
        return pinned + (_real_time() - began if tick else 0.0)

    # Everything in Trac and waitress asks time.time, or one of Trac's two names for it.
    time.time = pinned_time
    import trac.util.datefmt as datefmt

    datefmt.time_now = pinned_time
    datefmt.datetime_now = lambda tz=None: datetime.fromtimestamp(pinned_time(), tz)
