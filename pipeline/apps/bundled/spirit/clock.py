"""The pinned clock of this process. Must be installed before anything of Spirit is imported."""

import os
import sys
import time
from datetime import datetime, timezone

_real_time = time.time


class Clock:
    """Starts at an instant and ticks on, or with ``tick`` false stands until it is moved."""

    def __init__(self, instant, tick):
        self.instant = instant
        self.began = _real_time()
        self.tick = tick

    def seconds(self):
        return self.instant + (_real_time() - self.began if self.tick else 0.0)

    def move(self, moment):
        """Stand at another moment, an aware datetime."""
        self.instant = moment.timestamp()

    def now(self, tz=None):
        return datetime.fromtimestamp(self.seconds(), tz)


class _Datetime(datetime):
    """For modules that ask ``datetime.now`` instead of Django."""

    clock = None

    @classmethod
    def now(cls, tz=None):
        return cls.clock.now(tz)


def install(tick):
    """Pin this process to TASKSIEVE_CLOCK (ISO 8601); without it the real time goes on. Returns the clock."""
    if "spirit" in sys.modules:
        raise RuntimeError("the clock must be installed before Spirit is imported")
    text = os.environ.get("TASKSIEVE_CLOCK")
    instant = datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() if text else _real_time()
    clock = _Datetime.clock = Clock(instant, tick)
    time.time = clock.seconds  # waitress, cookies and signatures
    import django.utils.timezone

    django.utils.timezone.now = lambda: clock.now(timezone.utc)  # every default of a column, and sessions
    return clock


def install_in_templates():
    """The "3h ago" beside a topic has a clock of its own; to be called when Django is set up."""
    import spirit.core.tags.time

    spirit.core.tags.time.datetime = _Datetime
