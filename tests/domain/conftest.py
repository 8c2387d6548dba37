"""Properties are tried on few, always equal examples: the machine that runs them is shared and slow."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("quick", max_examples=15, deadline=None, derandomize=True, database=None)
settings.load_profile("quick")
