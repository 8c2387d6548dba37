"""When a trial disturbs another thing than the one it works on."""

from __future__ import annotations

from pipeline.domain.state import RowChange
from pipeline.explorers.trials import once_only

LIKED = RowChange(table="likes", change="added", key={"id": 1}, after={"id": 1, "book": 7})
COUNTED = RowChange(table="books", change="changed", key={"id": 7}, before={"n": 1}, after={"n": 2})


def test_what_does_not_happen_again_shows_that_a_thing_takes_it_once() -> None:
    assert once_only([LIKED, COUNTED], [])
    assert once_only([COUNTED], [])
    assert not once_only([LIKED], [LIKED, COUNTED])


def test_a_counter_that_stays_beside_what_happens_again_says_nothing() -> None:
    assert not once_only([COUNTED, LIKED], [LIKED])
    assert not once_only([], [])
