"""Cleaning text at the border, one spelling for one value, and secrets that never leave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.redact import Redactor
from pipeline.domain.state import RowChange, StateDiff
from pipeline.domain.values import canonical_json, clean_text, fingerprint, normal_text, squeezed


@given(st.text(st.characters()))
def test_cleaned_text_can_be_stored_as_utf8(text: str) -> None:
    cleaned = clean_text(text)
    assert "\x00" not in cleaned and cleaned.encode("utf-8").decode() == cleaned


@given(st.dictionaries(st.text(), st.integers() | st.text()))
def test_the_order_of_keys_does_not_change_the_spelling(value: dict[str, object]) -> None:
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


@given(st.text(), st.text())
def test_different_texts_have_different_fingerprints(one: str, other: str) -> None:
    assert (fingerprint(one) == fingerprint(other)) == (one == other)


@given(st.text())
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert normal_text(normal_text(text)) == normal_text(text)
    assert squeezed(squeezed(text)) == squeezed(text)


def test_line_ends_and_trailing_space_do_not_matter() -> None:
    assert normal_text("a \r\nb\t\r\n\r\n") == "a\nb"


def test_a_secret_inside_another_leaves_no_rest() -> None:
    redactor = Redactor(["word", "password1"])
    assert redactor.clean("it is password1 or word") == "it is ••• or •••"


def test_a_secret_is_found_as_json_spells_it() -> None:
    assert Redactor(['pass"word']).clean('{"text": "my pass\\"word"}') == '{"text": "my •••"}'


@pytest.mark.parametrize(
    "spelt",
    [
        "/me?key=Zq9%22%20%2B%26%2F%C3%A9",
        "/me?key=Zq9%22+%2b%26%2f%c3%a9",
        "/me?key=Zq9%22%20+&/%C3%A9",
        "<p>Zq9&quot; +&amp;/é</p>",
        '{"key": "Zq9\\" +&/\\u00e9"}',
    ],
)
def test_a_secret_is_found_as_addresses_and_markup_spell_it(spelt: str) -> None:
    redactor = Redactor(['Zq9" +&/é'])
    assert redactor.holds_secret(spelt)
    assert "Zq9" not in redactor.clean(spelt)


def test_changes_lose_the_secrets_in_their_cells() -> None:
    change = RowChange(table="note", change="added", key={"id": 1}, after={"id": 1, "text": "key is hunter2!"})
    [clean] = Redactor(["hunter2!"]).clean_diff(StateDiff(changes=(change,))).changes
    assert clean.after == {"id": 1, "text": "key is •••"}
    assert (clean.key, clean.before) == ({"id": 1}, None)


def test_a_very_short_secret_is_not_searched_for() -> None:
    assert not Redactor(["ab"]).holds_secret("absolute")


@given(st.lists(st.text("abcd", min_size=4, max_size=8), max_size=4), st.text("abcd", max_size=40))
def test_no_known_secret_is_left_in_cleaned_text(secrets: list[str], text: str) -> None:
    redactor = Redactor(secrets)
    assert not redactor.holds_secret(redactor.clean(text))
