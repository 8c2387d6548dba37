"""Values for controls: of the right type, within the limits, told apart, and the same for the same seed."""

from __future__ import annotations

import random
import re
from datetime import date, datetime, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.feature import Parameter
from pipeline.domain.observation import ControlKind, Locator
from pipeline.domain.plausible import plausible

TODAY = date(2026, 3, 2)
KINDS: tuple[ControlKind, ...] = (
    "text", "multiline", "search", "email", "url", "number", "range", "date", "datetime", "time", "checkbox", "select",
)  # fmt: skip
SEEDS = st.integers(0, 10_000)


def _value(kind: str, seed: int = 1, label: str = "", **more: Any) -> str:
    parameter = Parameter.model_validate(
        {"key": "k", "label": label, "kind": kind, "target": Locator(role="textbox"), **more}
    )
    return plausible(parameter, random.Random(seed), TODAY)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=SEEDS)
def test_the_same_seed_gives_the_same_value(kind: str, seed: int) -> None:
    options = {"options": ("a", "b", "c")} if kind == "select" else {}
    assert _value(kind, seed, **options) == _value(kind, seed, **options) != ""


@given(SEEDS)
def test_dates_and_times_are_read_by_the_calendar(seed: int) -> None:
    assert date.fromisoformat(_value("date", seed)) > TODAY
    assert datetime.fromisoformat(_value("datetime", seed)).date() > TODAY
    assert time.fromisoformat(_value("time", seed)).hour in range(8, 20)


@given(SEEDS, st.none() | st.integers(-500, 500), st.none() | st.integers(0, 500))
def test_a_number_keeps_within_its_limits(seed: int, low: int | None, width: int | None) -> None:
    high = None if width is None else (low or 0) + width
    limits = {"minimum": "" if low is None else str(low), "maximum": "" if high is None else str(high)}
    value = int(_value("number", seed, **limits))
    assert (low is None or value >= low) and (high is None or value <= high)


@given(SEEDS, st.none() | st.dates(), st.none() | st.integers(0, 900))
def test_a_date_keeps_within_its_limits(seed: int, low: date | None, width: int | None) -> None:
    first = low.toordinal() if low else TODAY.toordinal() - 200
    high = None if width is None or first + width > date.max.toordinal() else date.fromordinal(first + width)
    if low is not None and high is None and low.year > 9990:
        return
    value = date.fromisoformat(_value("date", seed, minimum=str(low or ""), maximum=str(high or "")))
    assert (low is None or value >= low) and (high is None or value <= high)


def test_a_birthday_in_the_past_still_has_many_values() -> None:
    assert len({_value("date", seed, maximum="2020-01-01") for seed in range(20)}) > 5


@given(SEEDS)
def test_a_time_keeps_within_its_limits(seed: int) -> None:
    assert "20:00" <= _value("time", seed, minimum="20:00", maximum="21:00") <= "21:00"


def test_limits_that_allow_nothing_give_nothing() -> None:
    assert _value("number", minimum="9", maximum="3") == ""
    assert _value("date", minimum="2026-05-01", maximum="2026-04-01") == ""


@pytest.mark.parametrize("kind", ["text", "multiline", "search", "email", "url"])
@given(seed=SEEDS, limit=st.integers(1, 40))
def test_a_text_keeps_within_its_length(kind: str, seed: int, limit: int) -> None:
    value = _value(kind, seed, max_length=limit)
    assert len(value) <= limit and (kind in ("email", "url") or value)


@given(SEEDS)
def test_a_choice_is_another_than_the_present_one(seed: int) -> None:
    assert _value("select", seed, options=("New", "", "Lent"), default="New") == "Lent"
    assert _value("checkbox", seed, default="on") == "off"


def test_nothing_to_choose_gives_nothing() -> None:
    assert _value("select", options=("New",), default="New") == ""


@pytest.mark.parametrize(
    ("kind", "label", "mark"),
    [("email", "", "@example.org"), ("text", "e-mail", "@example.org"), ("url", "", "https://example.org/"),
     ("text", "website", "https://example.org/")],
)  # fmt: skip
def test_the_label_tells_what_kind_of_text_is_wanted(kind: str, label: str, mark: str) -> None:
    assert all(mark in _value(kind, s, label) for s in range(20))


def test_a_description_is_a_sentence() -> None:
    assert all(len(_value("multiline", s, "description").split()) > 4 for s in range(20))


def test_a_keyword_is_one_word() -> None:
    assert all(" " not in _value("text", s, "keyword") for s in range(20))


def test_titles_differ_from_seed_to_seed() -> None:
    assert len({_value("text", s, "title") for s in range(50)}) > 45


@pytest.mark.parametrize("default", ["SELECT id,\n title FROM ticket", "query:?owner=me", "2026-03-02", "3/2/26"])
def test_a_text_of_a_certain_form_is_not_drawn(default: str) -> None:
    assert _value("multiline", default=default) == ""


def test_a_day_in_a_plain_text_field_is_not_drawn_whatever_the_field_is_called() -> None:
    parameter = Parameter(key="date_from", label="from", kind="text", target=Locator(role="textbox", name="From"))
    assert plausible(parameter, random.Random(1), date(2026, 3, 2)) == ""


@pytest.mark.parametrize(
    ("label", "form"), [("end date", r"2026-\d\d-\d\d"), ("end datetime", r"2026-\d\d-\d\d 10:30")]
)
def test_a_day_that_has_to_be_given_is_written_plainly(label: str, form: str) -> None:
    assert re.fullmatch(form, _value("text", label=label, required=True))


@pytest.mark.parametrize(("label", "form"), [("post/zip-code", r"\d{5}"), ("phone number", r"\+44 20 7946 0\d{3}")])
def test_numbers_that_are_no_amounts_have_their_own_form(label: str, form: str) -> None:
    assert re.fullmatch(form, _value("text", label=label))


@pytest.mark.parametrize(("kind", "default"), [("number", "1949"), ("text", "1949"), ("text", "")])
def test_a_year_is_one_of_the_last_decades(kind: str, default: str) -> None:
    years = {int(_value(kind, seed, label="year", default=default)) for seed in range(20)}
    assert len(years) > 5 and all(1950 <= year <= 2025 for year in years)


@pytest.mark.parametrize("label", ["days per year", "times a year"])
def test_a_count_for_a_year_is_no_year(label: str) -> None:
    assert all(int(_value("number", seed, label=label)) <= 90 for seed in range(20))


def test_an_amount_is_drawn_as_it_is_written() -> None:
    assert _value("text", default="12.50").endswith(".50") and _value("text", label="timeout").isdigit()


@pytest.mark.parametrize("seed", range(20))
def test_what_a_list_says_where_nothing_is_chosen_is_no_choice(seed: int) -> None:
    options = ("(unset)", "field…", "-- choose --", "Default: UTC", "Spring")
    assert _value("select", seed, options=options) == "Spring"
