"""Settings: precedence, and what is refused."""

from __future__ import annotations

import pytest

from pipeline.config import RunConfig, load_config, request
from pipeline.errors import UserError


@pytest.fixture
def file(tmp_path):
    def write(text: str):
        path = tmp_path / "settings.toml"
        path.write_text(text)
        return path

    return write


def test_flags_win_over_environment_over_file_over_defaults(file):
    path = file("count = 1\nseed = 1\nworkers = 1\n")
    config = load_config(path, {"TASKSIEVE_COUNT": "2", "TASKSIEVE_SEED": "2"}, {"count": 3, "seed": None})
    assert (config.count, config.seed, config.workers, config.wave) == (3, 2, 1, RunConfig().wave)


def test_an_unknown_key_of_the_file_names_the_nearest(file):
    with pytest.raises(UserError, match=r"'wokers'.*'workers'"):
        load_config(file("wokers = 2"), {}, {})


@pytest.mark.parametrize(
    ("environ", "flags", "words"),
    [
        ({"TASKSIEVE_WORKERS": "0"}, {}, "workers is '0' from TASKSIEVE_WORKERS"),
        ({}, {"count": 0}, "count is 0 from --count"),
        ({"TASKSIEVE_PICTURES": "perhaps"}, {}, "pictures is 'perhaps'"),
    ],
)
def test_a_value_out_of_range_says_where_it_came_from(environ, flags, words):
    with pytest.raises(UserError, match=words):
        load_config(None, environ, flags)


@pytest.mark.parametrize("text", ["count =", "\xff"], ids=["syntax", "encoding"])
def test_a_file_that_is_not_toml_is_named(text, tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=r"settings\.toml"):
        load_config(path, {}, {})


def test_variables_that_are_no_settings_are_none_of_our_business():
    assert load_config(None, {"TASKSIEVE_OWNER_PID": "1", "TASKSIEVE_COUNT": ""}, {}) == load_config(None, {}, {})


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 101, "a\nb"])
def test_a_run_name_that_is_no_folder_name_is_refused(name):
    with pytest.raises(UserError, match="run is"):
        request(app="trac", run=name, count=1, seed=1, workers=1, explore_actions=1)
