"""Values as JSON and blobs; the indexes behind the common questions."""

from __future__ import annotations

import contextlib
import json
import sqlite3

import pytest
from catalogue_samples import draft, exploration, observation, proof, task, trajectory
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.domain.draft import Draft
from pipeline.domain.observation import Observation
from pipeline.domain.step import Step
from pipeline.domain.values import clean_text
from pipeline.domain.verdict import RunCost
from pipeline.errors import CatalogueError
from storage.encoding import from_json, pack, to_json, unpack
from storage.records import RunInfo

anything = st.text(st.characters(categories=None, exclude_categories=()))


@settings(deadline=None)  # a busy machine is no failure
@given(anything, anything)
def test_any_text_is_stored_clean_and_otherwise_unchanged(one, two):
    seen = Observation.model_construct(**dict(observation("x")) | {"title": one, "text": two})
    again = unpack(Observation, pack(seen))
    assert (again.title, again.text) == (clean_text(one), clean_text(two))
    assert again.elements == seen.elements


@settings(deadline=None)  # a busy machine is no failure
@given(st.dictionaries(anything, st.one_of(anything, st.integers(), st.lists(anything))))
def test_any_settings_are_stored_as_json_that_utf8_can_hold(chosen):
    text = to_json(RunInfo(name="x", app="y", settings=chosen))
    text.encode()
    assert "\x00" not in json.dumps(json.loads(text), ensure_ascii=False)


@pytest.mark.parametrize("value", [draft(), proof(), exploration(), trajectory(), task(draft())])
def test_values_come_back_equal(value):
    assert from_json(type(value), to_json(value)) == value
    assert unpack(type(value), pack(value)) == value


def test_fields_left_out_are_given_back_as_parts():
    step = trajectory(1).steps[0]
    text = to_json(step, frozenset({"before", "after"}))
    assert "Ticket" not in text
    assert from_json(Step, text, before=step.before, after=step.after) == step


@pytest.mark.parametrize("text", ['{"id": "x"}', to_json(draft())[:-1] + ',"unheard": 1}'])
def test_a_value_of_another_version_is_told(text):
    with pytest.raises(CatalogueError, match="A Draft in the catalogue cannot be read"):
        from_json(Draft, text)
    with pytest.raises(CatalogueError, match="A Draft"):
        unpack(Draft, b"no zlib")


@pytest.mark.parametrize(
    ("question", "index"),
    [
        ("SELECT * FROM drafts WHERE run = 'a' AND status IN ('queued', 'proved')", "ix_drafts_run_status"),
        ("SELECT * FROM drafts WHERE app = 'a' AND status = 'rejected' AND reason = 'b'", "ix_drafts_app_status"),
        ("SELECT id FROM drafts WHERE id >= 'a' AND id < 'b'", "ix_drafts_id"),
        ("SELECT draft FROM tasks WHERE id >= 'a' AND id < 'b'", "sqlite_autoindex_tasks_1"),
        ("SELECT task FROM task_parts WHERE feature = 'f'", "ix_task_parts_feature"),
        ("DELETE FROM evidence WHERE draft = 1", "ix_evidence_draft"),
    ],
)
async def test_common_questions_are_answered_by_an_index(store, question, index):
    with contextlib.closing(sqlite3.connect(store.path)) as raw:
        plan = " ".join(row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {question}"))
    assert index in plan


async def test_a_step_that_begins_where_the_last_one_ended_stores_one_observation(store):
    way = trajectory(3)
    steps = list(way.steps)
    steps[2] = steps[2].model_copy(update={"before": observation("app:/elsewhere")})
    way = way.model_copy(update={"steps": tuple(steps)})
    await store.add_drafts("first", [draft(0)])
    await store.record_proof("first", "d00000", proof(), way, cost=RunCost())
    assert await store.trajectory("d00000") == way
    with contextlib.closing(sqlite3.connect(store.path)) as raw:
        assert raw.execute("SELECT before IS NULL FROM steps ORDER BY position").fetchall() == [(0,), (1,), (0,)]
