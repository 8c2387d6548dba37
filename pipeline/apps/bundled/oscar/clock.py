"""The pinned clock of this process. Must be installed before anything of Django is imported."""

import os
from datetime import datetime

import time_machine


def install(tick):
    """Start at TASKSIEVE_CLOCK (ISO 8601) and tick on, or with ``tick`` false stand still; without it do nothing."""
    text = os.environ.get("TASKSIEVE_CLOCK")
    if text:
        instant = datetime.fromisoformat(text.replace("Z", "+00:00"))
        time_machine.travel(instant, tick=tick).start()
