"""How values become JSON text and compressed blobs, and back. Every text is cleaned on the way in.

Page and model text may hold half a surrogate pair or a NUL; unclean text would fail only at write time and take the
whole transaction with it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Set
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from pipeline.domain.values import Value, clean_text
from pipeline.errors import CatalogueError

V = TypeVar("V", bound=Value)

LEVEL = 1
"""Of zlib: observations shrink to a twentieth already; higher levels cost time and save little."""


def to_json(value: Value, exclude: Set[str] = frozenset()) -> str:
    """The value as JSON text without the named fields, clean."""
    try:
        text = value.model_dump_json(exclude=set(exclude))
    except PydanticSerializationError:  # a lone surrogate; rare, so only now is every text walked
        return _clean_json(value, exclude)
    return _clean_json(value, exclude) if "\\u0000" in text else text


def from_json(kind: type[V], text: str, **parts: Any) -> V:
    """The value again; ``parts`` are the fields that were stored elsewhere.

    Raises:
        CatalogueError: it was written by a version whose values are other than ours.
    """
    with _readable(kind):
        if not parts:
            return kind.model_validate_json(text)
        return kind.model_validate({**json.loads(text), **parts})


def pack(value: Value) -> bytes:
    """The value as compressed JSON."""
    return zlib.compress(to_json(value).encode(), LEVEL)


def unpack(kind: type[V], data: bytes) -> V:
    """The value again. Raises CatalogueError as ``from_json``, and when the blob is damaged."""
    with _readable(kind):
        return kind.model_validate_json(zlib.decompress(data))


@contextmanager
def _readable(kind: type[Value]) -> Iterator[None]:
    try:
        yield
    except (ValidationError, zlib.error) as error:
        raise CatalogueError(
            f"A {kind.__name__} in the catalogue cannot be read, it is damaged or of another version of tasksieve;"
            " give another --catalogue."
        ) from error


def cleaned(value: Any) -> Any:
    """Every text of a nested plain value cleaned, keys included."""
    match value:
        case str():
            return clean_text(value)
        case dict():
            return {cleaned(k): cleaned(v) for k, v in value.items()}
        case list() | tuple():
            return [cleaned(v) for v in value]
        case set() | frozenset():
            return sorted(cleaned(v) for v in value)
        case _:
            return value


def _clean_json(value: Value, exclude: Set[str]) -> str:
    # not mode="json": that one replaces lone surrogates in keys by a spelling of its own
    plain = cleaned(value.model_dump(exclude=set(exclude)))
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), default=str)
