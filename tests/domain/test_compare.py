"""Typed comparators: equal where a person means the same, and never by prefix or substring."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.compare import Comparator, day, equal, number

COMPARATORS: tuple[Comparator, ...] = ("text", "label", "number", "date", "money", "set", "url")


@pytest.mark.parametrize(
    ("comparator", "expected", "found"),
    [
        ("text", "one\r\ntwo  \n", "one\ntwo"),
        ("text", "3", 3),
        ("label", "  Old   Maps\n", "Old Maps"),
        ("number", "1,234.50", "1234.5"),
        ("number", "1 000", "1000"),
        ("date", "Oct 21st", "October 21st"),
        ("date", "Oct 21st, 2025", "2025-10-21"),
        ("date", "2025-10-21T23:59:00Z", "21 October 2025"),
        ("money", "$1,200.00", "$ 1200"),
        ("money", "12.50 EUR", "12.5 EUR"),
        ("money", "-$5", "$-5"),
        ("set", "170: cancelled, 189: pending", "189: pending; 170: Cancelled"),
        ("url", "http://a.test/x/?b=2&a=1", "http://a.test/x?a=1&b=2"),
        ("url", "/a%20b", "/a b"),
    ],
)
def test_spellings_of_one_value_are_equal(comparator: Comparator, expected: str, found: str) -> None:
    assert equal(comparator, expected, found)


@pytest.mark.parametrize(
    ("comparator", "expected", "found"),
    [
        ("text", "one two", "one  two"),
        ("text", "Sagas", "sagas"),
        ("label", "Old Maps", "Old Maps and more"),
        ("number", "12", "12 apples"),
        ("number", "nan", "nan"),
        ("number", "1,2345", "12345"),
        ("date", "Oct 21st", "Oct 22nd"),
        ("date", "Oct 21st", "Oct 21st, 2025"),
        ("date", "Oct 21st, 2024", "Oct 21st, 2025"),
        ("date", "21", "21"),
        ("money", "$5", "€5"),
        ("money", "$5", "5"),
        ("set", "a, b", "a"),
        ("url", "/reports/viewed", "/reports/viewedasdf"),
        ("url", "/reports/viewed", "/reports/viewed/more"),
        ("url", "http://a.test/x", "http://a.test:81/x"),
        ("url", "/x?a=1", "/x?a=1&b=2"),
        ("url", "/#/users", "/#/orders"),
    ],
)
def test_different_values_are_unequal(comparator: Comparator, expected: str, found: str) -> None:
    assert not equal(comparator, expected, found)


def test_nothing_equals_only_nothing() -> None:
    assert equal("text", None, None)
    assert not equal("text", None, "")


def test_a_fragment_that_only_scrolls_is_no_other_place() -> None:
    assert equal("url", "/wiki#top", "/wiki")


@pytest.mark.parametrize("comparator", COMPARATORS)
@given(left=st.text(), right=st.text())
def test_no_text_makes_a_comparator_raise(comparator: Comparator, left: str, right: str) -> None:
    assert equal(comparator, left, right) in (True, False)


@pytest.mark.parametrize("comparator", COMPARATORS)
@given(left=st.text("0123456789,.-/:[] $aT\n"), right=st.text("0123456789,.-/:[] $aT\n"))
def test_comparing_is_symmetric(comparator: Comparator, left: str, right: str) -> None:
    assert equal(comparator, left, right) == equal(comparator, right, left)


@given(st.text())
def test_a_text_equals_itself_under_text_label_set(text: str) -> None:
    assert equal("text", text, text) and equal("label", text, text) and equal("set", text, text)


@given(st.integers())
def test_every_whole_number_is_read_with_and_without_separators(value: int) -> None:
    assert number(f"{value:,}") == number(str(value)) == value


@given(st.dates())
def test_every_iso_day_is_read_as_itself(value: object) -> None:
    assert str(day(str(value))) == str(value)


@pytest.mark.parametrize("broken", ["http://[", "http://[::1", "//[x/y"])
def test_a_broken_location_is_unequal_to_a_sound_one(broken: str) -> None:
    assert not equal("url", broken, "/x")


@pytest.mark.parametrize(("comparator", "same"), [("text", True), ("label", True), ("number", True), ("date", False)])
def test_a_number_and_its_text_are_equal_as_the_schema_says(comparator, same):
    assert equal(comparator, "3", 3) is same
    assert equal("text", "3", 3.0) is False and equal("number", "3", 3.0) is True
