"""Assigning changes to conditions: injective, true to the tests, as large as possible, required ones first."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.rowmatch import match_rows
from pipeline.domain.rowtests import AnyValue, Equals, RowCondition
from pipeline.domain.state import RowChange


def _change(a: int, b: int) -> RowChange:
    return RowChange(table="t", change="added", key={"id": a}, after={"id": a, "b": b})


def _condition(a: int | None, b: int | None, required: bool = True) -> RowCondition:
    def test(value: int | None) -> Equals | AnyValue:
        return AnyValue() if value is None else Equals(value=value)

    return RowCondition(table="t", change="added", key={"id": test(a)}, cells={"b": test(b)}, required=required)


_SMALL = st.integers(0, 2)
_CONDITIONS = st.lists(st.builds(_condition, st.none() | _SMALL, st.none() | _SMALL, st.booleans()), max_size=3)
_CHANGES = st.lists(st.builds(_change, _SMALL, _SMALL), max_size=4)


def _largest(conditions: list[RowCondition], changes: list[RowChange]) -> int:
    """By trying every order of changes (and of none) against the conditions, the plain way."""
    slots = [*range(len(changes)), *([-1] * len(conditions))]
    return max(
        sum(n >= 0 and not c.miss(changes[n]) for c, n in zip(conditions, order, strict=True))
        for order in permutations(slots, len(conditions))
    )


@given(_CONDITIONS, _CHANGES)
def test_no_change_is_claimed_twice_and_every_claim_fits(
    conditions: list[RowCondition], changes: list[RowChange]
) -> None:
    matched = match_rows(conditions, changes)
    assert len(set(matched.claimed)) == len(matched.claimed)
    assert all(not conditions[i].miss(changes[n]) for i, n in enumerate(matched.rows) if n is not None)


@given(_CONDITIONS, _CHANGES)
def test_the_assignment_is_as_large_as_can_be(conditions: list[RowCondition], changes: list[RowChange]) -> None:
    assert len(match_rows(conditions, changes).claimed) == _largest(conditions, changes)


@given(_CONDITIONS, _CHANGES)
def test_optional_conditions_never_take_a_change_from_a_required_one(
    conditions: list[RowCondition], changes: list[RowChange]
) -> None:
    required = [c for c in conditions if c.required]
    matched = match_rows(conditions, changes)
    served = [n for c, n in zip(conditions, matched.rows, strict=True) if c.required and n is not None]
    assert len(served) == len(match_rows(required, changes).claimed)


def test_a_greedy_first_choice_is_undone() -> None:
    conditions = [_condition(None, 1), _condition(1, 1)]
    assert match_rows(conditions, [_change(1, 1), _change(2, 1)]).rows == (1, 0)
