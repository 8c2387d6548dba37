"""How many drafts are made at once, and which features are left alone."""

from __future__ import annotations

from typing import Any

import pytest
from proving import draft
from small_app import book, genre, goal, part

from pipeline.domain.goal import GoalPart
from pipeline.stages.draft import chunk_size, tired_features
from storage.records import DraftRecord


@pytest.mark.parametrize(("missing", "size"), [(1, 3), (2, 4), (8, 10), (10, 12), (60, 12)])
def test_a_chunk_holds_what_is_missing_and_a_little_more_and_never_more_than_a_chunk(missing: int, size: int) -> None:
    assert chunk_size(missing, 12) == size


TITLE = part("edit-title", book(2), title="Amber Harbor")
STATUS = part("set-status", book(1), status="Lost")
DELETE = part("delete-genre", genre("Cooking"))


def _record(status: Any, *parts: GoalPart) -> DraftRecord:
    made = draft().model_copy(update={"goal": goal(*parts)})
    return DraftRecord(run="r", draft=made, status=status, fingerprint=made.goal.fingerprint)


@pytest.mark.parametrize(
    ("found", "tired"),
    [
        ([("rejected", TITLE)], []),
        ([("rejected", TITLE), ("rejected", TITLE)], ["edit-title"]),
        ([("rejected", TITLE), ("accepted", TITLE), ("rejected", TITLE)], []),
        ([("accepted", STATUS), ("rejected", TITLE), ("rejected", STATUS, TITLE)], ["edit-title"]),
        ([("rejected", STATUS, TITLE), ("rejected", TITLE, STATUS), ("rejected", DELETE, STATUS)], []),
    ],
)
def test_a_feature_that_alone_can_be_blamed_for_several_rejections_is_left_alone(
    found: list[tuple[Any, ...]], tired: list[str]
) -> None:
    assert tired_features([_record(*each) for each in found]) == frozenset(tired)
