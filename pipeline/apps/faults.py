"""Faults of an application that name the profile key to look at."""

from __future__ import annotations

from pipeline.errors import AppFault


class KeyedFault(AppFault):
    """An application fault whose likely cure stands at one key of its profile, such as ``start.command``."""

    def __init__(self, sentence: str, key: str) -> None:
        super().__init__(sentence)
        self.key = key
