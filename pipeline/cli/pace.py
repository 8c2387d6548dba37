"""How fast a phase goes and how long it may still take, and one progress event as one line. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.domain.progress import Progress
from pipeline.domain.values import shortened

_MESSAGE = 130
"""Characters of a message; the log keeps all of it."""

_ENOUGH = 5.0
"""Seconds of a phase before a rate means anything."""


@dataclass
class Pace:
    """Remembers when the phase began and where it stood then; times are seconds of one monotonic clock."""

    phase: str = ""
    since: float = 0.0
    first: int = 0

    def saw(self, event: Progress, now: float) -> None:
        """Take note of an event; a new phase starts the measurement anew."""
        if event.phase != self.phase:
            self.phase, self.since, self.first = event.phase, now, event.done

    def per_minute(self, event: Progress, now: float) -> float | None:
        """Units a minute in this phase, None while too little is known."""
        took, done = now - self.since, event.done - self.first
        return 60 * done / took if took >= _ENOUGH and done > 0 else None

    def seconds_left(self, event: Progress, now: float) -> float | None:
        """Time to the total at the present rate, None where either is unknown."""
        rate = self.per_minute(event, now)
        if rate is None or event.total is None:
            return None
        return max(0.0, 60 * (event.total - event.done) / rate)


def in_one_line(event: Progress, pace: Pace, now: float) -> str:
    """Phase, how far, counts, rate, time left and the message, as far as they are known."""
    far = f" {event.done}/{event.total}" if event.total else f" {event.done}" if event.done else ""
    parts = [f"{event.phase}{far}"]
    if event.counts:
        parts.append(", ".join(f"{name.replace('_', ' ')} {number}" for name, number in event.counts.items()))
    rate, left = pace.per_minute(event, now), pace.seconds_left(event, now)
    if rate is not None:
        parts.append(f"{rate:.1f}/min")
    if left is not None:
        parts.append(f"about {in_words(left)} left")
    if event.message:
        parts.append(shortened(event.message, _MESSAGE))
    return " · ".join(parts)


def in_words(seconds: float) -> str:
    """A duration as a person says it: ``45 s``, ``3 min``, ``1 h 20 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
