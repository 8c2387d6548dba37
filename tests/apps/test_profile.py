"""Profiles: every mistake is one sentence with file, line, key and the way out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pipeline.apps import profile, profile_file, profile_sign_in
from pipeline.apps.profile import AppProfile, fill, origin_of
from pipeline.apps.profile_file import bundled_profiles, line_of, load_profile
from pipeline.errors import ProfileError

GOOD = """name = "shop"
url = "http://127.0.0.1:8000"

[ready]
path = "/health"
"""


def load(tmp_path: Path, text: str) -> AppProfile:
    path = tmp_path / "shop.toml"
    path.write_text(text, encoding="utf-8")
    return load_profile(str(path))


@pytest.mark.parametrize("name", bundled_profiles())
def test_every_bundled_profile_loads_and_has_the_name_of_its_file(name: str) -> None:
    loaded = load_profile(name)
    assert loaded.name == name
    assert all((loaded.files / part.removeprefix("{files}/")).is_file() for part in _files_named(loaded))


def _files_named(loaded: AppProfile) -> list[str]:
    commands = [section.command for section in (loaded.seed, loaded.start) if section]
    return [part for command in commands for part in command if part.startswith("{files}/")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (GOOD + "pth = '/'\n", r"shop\.toml, line 6: unknown key 'ready\.pth'; did you mean 'path'"),
        (GOOD.replace("[ready]", "[redy]"), r"shop\.toml, line 4: unknown key 'redy'; did you mean 'ready'"),
        (GOOD + "timezone = 'UTC'\n", r"line 6: unknown key 'ready\.timezone'; it belongs to 'timezone'"),
        (GOOD + "zzz = 1\n", r"unknown key 'ready\.zzz'; known here are path, status, text"),
        (GOOD.replace('name = "shop"\n', ""), r"'name' is missing; add it"),
        (GOOD.replace('name = "shop"\n', 'nmae = "shop"\n'), r"unknown key 'nmae'; did you mean 'name'"),
        (GOOD + "status = 'fine'\n", r"line 6: 'ready\.status' is wrong: Input should be a valid integer"),
        (GOOD + "[start]\ncommand = ['x']\n", r"exactly one of \[start\]"),
        (GOOD.replace("url", "title"), r"exactly one of \[start\]"),
        (GOOD + "[reset]\nrestore = ['{date}']\n", r"line 7: 'reset\.restore' has an unknown placeholder \{date\}"),
        (GOOD + "[[state]]\nkind = 'mysql'\n", r"'state' needs a kind of sqlite, files or none"),
        (GOOD + "[[state]]\nkind = 'sqlite'\n", r"'state\.path' is missing"),
        (GOOD.replace("shop", "n" * 61), r"up to 60 lower-case letters"),
        (GOOD.replace("/health", "health"), r"'health' has to begin with one '/'"),
        (GOOD + "[[state]]\nkind = 'sqlite'\npath = '../x'\n", r"line 8: 'state\.path' must lie inside the data"),
        (GOOD + "[[state]]\nkind = 'files'\nroot = 'a'\npaht = 1\n", r"unknown key 'state\.paht'"),
        (GOOD + "[clock]\nenv = 'X'\ninstant = '2026-03-02T10:00:00'\n", r"'clock\.instant' needs an offset"),
        (GOOD + "[clock]\nenv = 'X'\ninstant = '2026-03-02T10:00:00Z'\n", r"line 6: 'clock' has no effect on an app"),
        (GOOD + "[[state]]\nkind = 'sqlite'\npath = 'x.db'\n", r"line 6: 'state' has no effect on an application that"),
        (GOOD + "[[x", r"is not valid TOML"),
        (
            "disposable = yes\n" + GOOD,
            r"Invalid value \(at line 1, column 14\); a text stands in quotes, yes and no are",
        ),
        (GOOD.replace("http:", "ftp:"), r"line 2: 'url' must begin with http"),
        ("timezone = 'Mars/Base'\n" + GOOD, r"line 1: 'timezone' 'Mars/Base' is not known here; give one such as"),
        ("timezone = '../etc'\n" + GOOD, r"line 1: 'timezone' '\.\./etc' is not known here"),
        ("timezone = 'Europe'\n" + GOOD, r"line 1: 'timezone' 'Europe' is not known here"),
        ("timezone = ''\n" + GOOD, r"line 1: 'timezone' '' is not known here"),
        ("locale = 'xx-YY-!!'\n" + GOOD, r"line 1: 'locale' 'xx-YY-!!' is no locale such as en-US"),
        (GOOD + 'text = "a\\u0000"\n', r"line 6: 'ready\.text' holds a NUL character; take it out"),
        (GOOD + '[start]\ncommand = ["\\u0000"]\n', r"line 7: 'start\.command' holds a NUL"),
        (GOOD + '[start]\nenv = {A = "\\u0000"}\n', r"line 7: 'start\.env\.A' holds a NUL"),
        (GOOD + "[start]\nenv = {\"A=B\" = ''}\ncommand = ['x']\n", r"line 7: 'start\.env' names an .* 'A=B'; a"),
        (GOOD + "[start]\nenv = {\"\" = ''}\ncommand = ['x']\n", r"'start\.env' names an environment variable ''"),
        (GOOD + "[clock]\nenv = ''\ninstant = '2026-03-02T10:00:00Z'\n", r"line 7: 'clock\.env' names an"),
        (GOOD + "[install]\ntimeout = inf\n", r"line 7: 'install\.timeout' is wrong: Input should be less than"),
    ],
)
def test_a_mistake_is_one_sentence_with_place_and_way_out(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(ProfileError, match=sentence) as caught:
        load(tmp_path, text)
    assert "\n" not in str(caught.value)


def test_a_password_written_into_a_profile_is_refused_and_not_repeated(tmp_path: Path) -> None:
    text = (
        GOOD
        + "[sign_in]\npath='/'\nusername={name='U'}\npassword={name='P'}\nsubmit={role='button',name='S'}\n"
        + "signed_in={text='Hi'}\n[[sign_in.users]]\nname='ada'\npassword='hunter2'\n"
    )
    with pytest.raises(ProfileError, match="never written into a profile") as caught:
        load(tmp_path, text)
    assert "hunter2" not in str(caught.value)


def test_an_unknown_name_suggests_the_nearest_one() -> None:
    with pytest.raises(ProfileError, match="did you mean 'trac'"):
        load_profile("track")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ProfileError, match=r"'no/such\.toml': there is no such file"):
        load_profile("no/such.toml")


def test_a_name_that_no_file_can_have_is_the_name_of_no_file() -> None:
    with pytest.raises(ProfileError, match="there is no such file"):
        load_profile("x" * 5000 + ".toml")


def test_without_a_list_of_time_zones_none_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_file, "available_timezones", set)
    assert load(tmp_path, "timezone = 'Mars/Base'\n" + GOOD).timezone == "Mars/Base"


def test_a_folder_is_no_profile(tmp_path: Path) -> None:
    (tmp_path / "x.toml").mkdir()
    with pytest.raises(ProfileError, match="that is no file"):
        load_profile(str(tmp_path / "x.toml"))


def test_a_role_that_is_none_names_the_nearest(tmp_path: Path) -> None:
    text = (
        GOOD
        + "[sign_in]\npath='/'\nusername={name='U'}\npassword={name='P'}\nsubmit={role='button',name='S'}\n"
        + "signed_in={role='bottun',name='Log out'}\n[[sign_in.users]]\nname='ada'\n"
    )
    with pytest.raises(ProfileError, match=r"'sign_in\.signed_in\.role' is no ARIA role \('bottun'\); did you mean"):
        load(tmp_path, text)


def test_an_application_with_only_an_address_cannot_be_reset(tmp_path: Path) -> None:
    assert not load(tmp_path, GOOD).resettable


def test_the_own_origin_comes_first_and_ports_are_written(tmp_path: Path) -> None:
    loaded = load(tmp_path, GOOD.replace("\n\n", "\nallowed_origins = ['https://cdn.example:443']\n\n", 1))
    assert loaded.origins("http://127.0.0.1:8000/shop") == ("http://127.0.0.1:8000", "https://cdn.example:443")


@given(st.text(alphabet="{}portdaxy ", max_size=30), st.text(alphabet="{}portd", max_size=8))
def test_a_value_is_never_filled_again(text: str, value: str) -> None:
    """One pass: wherever a placeholder stood, its value stands verbatim."""
    filled = fill(f"{{port}}{text.replace('{', '').replace('}', '')}", {"port": value})
    assert filled.startswith(value)


def test_line_numbers_follow_tables() -> None:
    text = "a = 1\n[b]\nc = 2\n[[d.e]]\nf = 3\n[d.e.g]\nh = 4\n"
    assert [line_of(text, key.split(".")) for key in ("a", "b.c", "d.e.f", "d.e.g.h", "b.zz", "q")] == [
        1,
        3,
        5,
        7,
        2,
        None,
    ]


@pytest.mark.parametrize("url", ["ftp://x", "nonsense", "http://", "http://h:port", "http://["])
def test_what_is_no_web_address_has_no_origin(url: str) -> None:
    assert origin_of(url) == ""


def test_every_section_of_a_profile_can_suggest_its_keys() -> None:
    """Whoever adds a section adds it to the table that suggestions come from."""
    models = {
        value
        for value in (*vars(profile).values(), *vars(profile_sign_in).values())
        if isinstance(value, type) and issubclass(value, BaseModel) and not value.__name__.startswith("_")
    }
    ours = {m for m in models if m.__module__ in (profile.__name__, profile_sign_in.__name__)}
    assert ours == set(profile_file._SECTIONS.values())


def test_every_field_is_documented() -> None:
    bare = {
        f"{model.__name__}.{name}"
        for model in profile_file._SECTIONS.values()
        for name, field in model.model_fields.items()
        if not field.description and name != "kind"
    }
    assert bare == {
        f"AppProfile.{name}" for name in ("install", "seed", "start", "ready", "sign_in", "state", "clock")
    } | {"AppProfile.reset"}
