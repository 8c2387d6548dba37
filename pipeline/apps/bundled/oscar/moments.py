"""Moments around the pinned day."""

from datetime import datetime, timedelta

import time_machine

NOW = datetime.now().astimezone().replace(microsecond=0)


def days(count, hour=9, minute=0):
    """A moment that many days from the pinned day."""
    return (NOW + timedelta(days=count)).replace(hour=hour, minute=minute, second=0)


def at(moment):
    """What is written inside happened at that moment."""
    return time_machine.travel(moment, tick=False)
