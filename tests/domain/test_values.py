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
        '{"key": "Zq9\\" +&\\/\\u00e9"}',
        '{"key": "Zq9\\" +\\u0026/é"}',
        '{"html": "Zq9\\u0026quot; +\\u0026amp;/é"}',
        "var key = 'Zq9\\u0022 \\u002B\\u0026/\\u00E9'",
        "<p>Zq9&#34; +&amp;&#x2F;&eacute;</p>",
        "/next?to=%2Fme%3Fkey%3DZq9%2522%2520%252B%2526%252F%25C3%25A9",
        "/next?to=%2Fme%3Fkey%3DZq9%2522%2B%252B%2526%252F%25c3%25a9",
    ],
)
def test_a_secret_is_found_as_addresses_and_markup_spell_it(spelt: str) -> None:
    redactor = Redactor(['Zq9" +&/é'])
    assert redactor.holds_secret(spelt)
    assert "Zq9" not in redactor.clean(spelt)


@pytest.mark.parametrize(
    ("char", "ways"),
    [
        ("=", "\\u003d \\u003D &#x3D; &#61; %3D %253d"),
        ("<", "\\u003c \\u003C &lt; &#60; %3C %253C"),
        (">", "\\u003e \\u003E &gt; &#62; %3E %253E"),
        ("'", "\\u0027 \\x27 &#x27; &#39; &#039; &apos; %27 %2527"),
        ("/", "\\/ \\u002F &#x2F; &#x2f; &#47; %2F %252F"),
        ("%", "\\u0025 &#37; %25 %2525"),
        ("&", "\\u0026 &amp; &#38; \\u0026amp; %26 %2526"),
        ('"', '\\" \\u0022 &quot; &#34; \\&quot; %22 %2522'),
        ("\\", "\\\\ \\u005c &#92; %5C %255C"),
        ("😀", "\\ud83d\\ude00 &#128512; &#x1F600; %F0%9F%98%80"),
    ],
)
@pytest.mark.parametrize("around", ["{}hunter2", "hun{}ter2", "hunter2{}"])
def test_no_spelling_of_a_character_hides_a_secret_or_leaves_a_rest(around: str, char: str, ways: str) -> None:
    redactor = Redactor([around.format(char)])
    for way in (char, *ways.split()):
        assert redactor.clean(f"<{around.format(way)}>") == "<•••>", way


def test_changes_lose_the_secrets_in_their_cells() -> None:
    change = RowChange(table="note", change="added", key={"id": 1}, after={"id": 1, "text": "key is hunter2!"})
    [clean] = Redactor(["hunter2!"]).clean_diff(StateDiff(changes=(change,))).changes
    assert clean.after == {"id": 1, "text": "key is •••"}
    assert (clean.key, clean.before) == ({"id": 1}, None)


def test_a_very_short_secret_is_not_searched_for() -> None:
    assert not Redactor(["ab"]).holds_secret("absolute")


@given(st.lists(st.text("ab&%25", min_size=4, max_size=8), max_size=4), st.text("ab&%25", max_size=40))
def test_no_known_secret_is_left_in_cleaned_text(secrets: list[str], text: str) -> None:
    redactor = Redactor(secrets)
    assert not redactor.holds_secret(redactor.clean(text))
