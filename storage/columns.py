"""The column types of every table. The one border where text enters the database."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

from pipeline.domain.values import clean_text


class CleanText(TypeDecorator[str]):
    """Text that is cleaned whenever it is bound: stored values and looked-up values alike."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Replace lone surrogates and drop NULs."""
        return None if value is None else clean_text(str(value))
