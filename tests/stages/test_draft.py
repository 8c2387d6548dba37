"""How many drafts are made at once."""

from __future__ import annotations

import pytest

from pipeline.stages.draft import chunk_size


@pytest.mark.parametrize(("missing", "size"), [(1, 3), (2, 4), (8, 10), (10, 12), (60, 12)])
def test_a_chunk_holds_what_is_missing_and_a_little_more_and_never_more_than_a_chunk(missing: int, size: int) -> None:
    assert chunk_size(missing, 12) == size
