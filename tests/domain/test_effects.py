"""Learning an effect model from executions, and predicting what new values will do."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from small_app import snapshot, start, table

from pipeline.domain.effects import Given, Sample, learn_effects, predict
from pipeline.domain.feature import (
    EachRow,
    EffectModel,
    Fixed,
    FromEntity,
    FromParameter,
    FromPrior,
    RowEffect,
    Volatile,
)
from pipeline.domain.rowmatch import match_rows
from pipeline.domain.rowtests import AnyValue, Equals
from pipeline.domain.state import RowChange
from pipeline.domain.values import Cell


def added(table: str, key: dict[str, Cell], **cells: Cell) -> RowChange:
    return RowChange(table=table, change="added", key=key, after={**key, **cells})


def changed(table: str, key: dict[str, Cell], before: dict[str, Cell], **after: Cell) -> RowChange:
    return RowChange(table=table, change="changed", key=key, before={**key, **before}, after={**key, **before, **after})


def removed(table: str, key: dict[str, Cell], **cells: Cell) -> RowChange:
    return RowChange(table=table, change="removed", key=key, before={**key, **cells})


def said(**values: str) -> dict[str, tuple[str, ...]]:
    return {k: (v, v) for k, v in values.items()}


def note(id: int, text: str, time: int, **more: Cell) -> RowChange:
    return added("note", {"id": id}, text=text, time=time, state="open", **more)


def _notes(*changes: RowChange) -> EffectModel:
    texts = ("Amber Mill", "Brisk Delta", "Cedar Wharf")
    return learn_effects([Sample(said(text=t), [c]) for t, c in zip(texts, changes, strict=False)]).effects


def test_a_cell_with_the_value_is_bound_and_one_that_stays_equal_is_constant() -> None:
    row = _notes(note(1, "Amber Mill", 100), note(1, "Brisk Delta", 101)).rows[0]
    assert row.cells["text"] == FromParameter(parameter="text")
    assert row.cells["state"] == Fixed(value="open")
    assert row.cells["time"] == Volatile()


def test_a_counter_looks_constant_until_one_execution_runs_on_a_changed_state() -> None:
    assert _notes(note(1, "Amber Mill", 1), note(1, "Brisk Delta", 2)).rows[0].key["id"] == Fixed(value=1)
    perturbed = _notes(note(1, "Amber Mill", 1), note(1, "Brisk Delta", 2), note(2, "Cedar Wharf", 3))
    assert perturbed.rows[0].key["id"] == Volatile()


def test_what_a_secret_was_taken_out_of_is_explained_by_nothing() -> None:
    """Two sessions with other keys look alike then, and a condition on their key would tell that there is one."""
    hidden = [changed("session", {"key": "•••"}, {"last": 1}, last=f"Bearer •••, {time}") for time in (2, 3, 4)]
    model = learn_effects([Sample(said(), [note(9, "x", t), c]) for t, c in enumerate(hidden)]).effects
    [session] = [r for r in model.rows if r.table == "session"]
    assert set((session.key | session.cells).values()) == {Volatile()}


def test_a_value_inside_a_cell_is_bound_with_what_stands_around_it() -> None:
    row = _notes(note(1, "name = Amber Mill;", 1), note(1, "name = Brisk Delta;", 2)).rows[0]
    assert row.cells["text"] == FromParameter(parameter="text", prefix="name = ", suffix=";")
    [condition] = predict(EffectModel(rows=(row,)), Given(said(text="Opal Ridge")))
    assert condition.cells["text"] == Equals(value="name = Opal Ridge;")


def test_a_value_with_other_surroundings_each_time_is_volatile() -> None:
    row = _notes(note(1, "1: Amber Mill", 1), note(1, "2: Brisk Delta", 2)).rows[0]
    assert row.cells["text"] == Volatile()


def test_the_parameter_of_the_columns_own_name_wins() -> None:
    samples = [Sample(said(a=v, title=v), [added("t", {"id": 1}, title=v)]) for v in ("Amber Mill", "Brisk Delta")]
    assert learn_effects(samples).effects.rows[0].cells["title"] == FromParameter(parameter="title")


def test_a_shown_label_is_bound_as_the_second_spelling() -> None:
    samples = [
        Sample({"level": (v, shown)}, [added("t", {"id": 1}, level=shown)])
        for v, shown in (("1", "High"), ("2", "Low"))
    ]
    assert learn_effects(samples).effects.rows[0].cells["level"] == FromParameter(parameter="level", spelling=1)


def _edited(id: int, old: str, new: str, prior: str | None = None) -> Sample:
    change = changed("book", {"id": id}, {"title": prior or old, "was": ""}, title=new, was=prior or old)
    entity: dict[str, Cell] = {"id": id, "title": old}
    return Sample(said(title=new), [change], entity, {**entity, "title": prior or old})


def test_a_choice_of_nothing_is_kept_as_null() -> None:
    chosen = [("3", "Bob", 3), ("0", "Nobody", None), ("2", "Alice", 2)]
    samples = [
        Sample({"owner": (v, shown)}, [changed("ticket", {"id": i}, {"owner_id": 9}, owner_id=cell)])
        for i, (v, shown, cell) in enumerate(chosen)
    ]
    effects = learn_effects(samples).effects
    assert effects.rows[0].cells["owner_id"] == FromParameter(parameter="owner", nothing=("0",))
    [nobody] = predict(effects, Given({"owner": ("0", "Nobody")}))
    [bob] = predict(effects, Given({"owner": ("3", "Bob")}))
    assert (nobody.cells["owner_id"], bob.cells["owner_id"]) == (Equals(value=None), Equals(value="3"))


def test_a_cell_that_is_null_for_a_value_carries_it_not() -> None:
    samples = [
        Sample({"owner": (v, v)}, [changed("ticket", {"id": i}, {"owner_id": 9}, owner_id=cell)])
        for i, (v, cell) in enumerate([("3", 3), ("4", None), ("2", 2)])
    ]
    assert learn_effects(samples).effects.rows[0].cells["owner_id"] == Volatile()


def test_the_entitys_own_key_and_its_value_from_before_are_explained() -> None:
    samples = [
        _edited(1, "Winter Tales", "Amber Mill"),
        _edited(2, "River Songs", "Brisk Delta"),
        _edited(2, "River Songs", "Brisk Delta", prior="Cedar Wharf"),
    ]
    row = learn_effects(samples).effects.rows[0]
    assert row.key == {"id": FromEntity(column="id")}
    assert row.cells == {"title": FromParameter(parameter="title"), "was": FromPrior(column="title")}


def test_a_prior_value_is_predicted_only_where_nothing_came_before() -> None:
    cells: dict[str, Any] = {"was": FromPrior(column="title")}
    model = EffectModel(rows=(RowEffect(table="book", change="changed", key={}, cells=cells),))
    entity: dict[str, Cell] = {"title": "Winter Tales"}
    assert predict(model, Given({}, entity))[0].cells["was"] == Equals(value="Winter Tales")
    assert predict(model, Given({}, entity, untouched=False))[0].cells["was"] == AnyValue()


def test_rows_are_aligned_by_a_column_that_tells_them_apart() -> None:
    def logs(first: str, second: str, *, swapped: bool) -> list[RowChange]:
        rows = [added("log", {"id": 1}, field="comment", new=first), added("log", {"id": 2}, field="owner", new=second)]
        return [r.model_copy(update={"key": {"id": n}}) for n, r in enumerate(reversed(rows) if swapped else rows)]

    samples = [
        Sample(said(comment="Amber Mill", owner="Ann Bee"), logs("Amber Mill", "Ann Bee", swapped=False)),
        Sample(said(comment="Brisk Delta", owner="Bob Cee"), logs("Brisk Delta", "Bob Cee", swapped=True)),
    ]
    rows = learn_effects(samples).effects.rows
    bound = {str(r.cells["field"].value): r.cells["new"] for r in rows if isinstance(r.cells["field"], Fixed)}
    assert bound == {"comment": FromParameter(parameter="comment"), "owner": FromParameter(parameter="owner")}


def test_another_number_of_new_rows_is_no_model() -> None:
    samples = [Sample({}, [note(1, "a", 1)]), Sample({}, [note(1, "a", 1), note(2, "b", 1)])]
    assert "number of rows added in note" in learn_effects(samples).problem


def notice(id: int, book: int) -> RowChange:
    return added("notice", {"id": id}, book=book, kind="new")


def test_rows_that_come_with_the_effect_in_varying_number_may_come_and_need_not() -> None:
    texts = ("Amber Mill", "Brisk Delta", "Cedar Wharf")
    beside: list[list[RowChange]] = [[notice(5, 1), notice(6, 1)], [notice(5, 2)], []]
    runs = enumerate(zip(texts, beside, strict=True))
    samples = [Sample(said(text=t), [note(n, t, n), *more]) for n, (t, more) in runs]
    effects = learn_effects(samples).effects
    needed, *others = effects.rows
    assert needed.cells["text"] == FromParameter(parameter="text")
    assert [o.optional for o in others] == [True, True]
    assert others[0].cells == {"book": Volatile(), "kind": Fixed(value="new")}
    conditions = predict(effects, Given(said(text="Dune Harbour")))
    assert [c.required for c in conditions] == [True, False, False]
    assert match_rows(conditions, [note(9, "Dune Harbour", 9)]).row_for(0) == 0
    assert match_rows(conditions, [note(9, "Dune Harbour", 9), notice(8, 3)]).claimed == (0, 1)


def test_any_change_of_any_row_of_a_table_is_no_declared_effect() -> None:
    """A counter of a row that chance picks: declared, it would excuse whatever happens to the table."""
    texts = ("Amber Mill", "Brisk Delta", "Cedar Wharf")
    hits: list[list[RowChange]] = [
        [changed("decoy", {"id": 2}, {"hits": 4}, hits=5)],
        [changed("decoy", {"id": 3}, {"hits": 1}, hits=2)],
        [changed("decoy", {"id": 5}, {"hits": 8}, hits=9), changed("decoy", {"id": 6}, {"hits": 4}, hits=5)],
    ]
    runs = enumerate(zip(texts, hits, strict=True))
    learned = learn_effects([Sample(said(text=t), [note(n, t, n), *more]) for n, (t, more) in runs])
    assert "decoy differs" in learned.problem


def test_rows_of_the_thing_of_which_only_some_change_may_change() -> None:
    def follower(id: int, book: int) -> RowChange:
        return changed("follower", {"id": id}, {"book": book, "seen": 1}, seen=0)

    of_two = [follower(1, 1), follower(2, 1)], [follower(4, 2)], [follower(4, 2)]
    samples = [
        Sample(said(text=t), [note(n, t, n), *more], {"id": book}, {"id": book}, start())
        for n, (t, more, book) in enumerate(zip(("Amber Mill", "Brisk Delta", "Cedar"), of_two, (1, 2, 2), strict=True))
    ]
    others = [r for r in learn_effects(samples).effects.rows if r.table == "follower"]
    assert [(r.each, r.optional, r.carries_meaning) for r in others] == [
        (EachRow(column="book", entity_column="id"), True, False)
    ]
    followers = table(
        "follower", ("id",), *({"id": n, "book": b, "seen": 1} for n, b in ((1, 1), (4, 2), (6, 3), (7, 3)))
    )
    conditions = predict(EffectModel(rows=tuple(others)), Given({}, {"id": 3}, snapshot(followers)))
    assert [(c.key["id"], c.required) for c in conditions] == [(Equals(value=6), False), (Equals(value=7), False)]


def test_what_rows_that_may_change_take_on_is_known_where_it_is_always_the_same() -> None:
    """Closing a project closes its open tickets: another state of theirs is no part of it."""
    projects = ({"id": 1, "state": "open"}, {"id": 2, "state": "open"})
    owned = [(11, 1, "new"), (12, 1, "closed"), (21, 2, "new"), (22, 2, "closed"), (23, 2, "new")]
    tickets = [{"id": id, "project": project, "state": state} for id, project, state in owned]
    before = snapshot(table("project", ("id",), *projects), table("ticket", ("id",), *tickets))

    def closed(project: int) -> Sample:
        rows = [t for t in tickets if t["project"] == project and t["state"] == "new"]
        changes = [
            changed("ticket", {"id": t["id"]}, {"project": project, "state": "new"}, state="closed") for t in rows
        ]
        own: dict[str, Cell] = {"id": project, "state": "open"}
        closing = changed("project", {"id": project}, {"state": "open"}, state="closed")
        return Sample({}, [closing, *changes], own, own, before)

    learned = learn_effects([closed(1), closed(2), closed(2)])
    [some] = [row for row in learned.effects.rows if row.table == "ticket"]
    assert (some.optional, some.cells) == (True, {"state": Fixed(value="closed")})


def test_rows_in_varying_number_are_no_model_where_nothing_else_carries_the_value() -> None:
    samples = [Sample(said(text=t), [note(n, t, n)] * n) for n, t in ((1, "Amber Mill"), (2, "Brisk Delta"))]
    assert "differs between executions" in learn_effects(samples).problem


def test_a_row_that_changed_once_may_come_along_and_proves_nothing() -> None:
    counter = changed("meta", {"key": "hits"}, {"value": 1}, value=2)
    samples = [
        Sample(said(text="Amber Mill"), [note(1, "Amber Mill", 1), counter]),
        Sample(said(text="Brisk Delta"), [note(1, "Brisk Delta", 2)]),
    ]
    along = next(r for r in learn_effects(samples).effects.rows if r.table == "meta")
    assert along.optional and not along.carries_meaning
    assert along.key == {"key": Fixed(value="hits")} and along.cells == {"value": Volatile()}


def test_only_counters_change_no_state() -> None:
    samples = [Sample({}, [changed("meta", {"key": "hits"}, {"value": n}, value=n + 1)]) for n in (1, 2)]
    assert not learn_effects(samples).effects.changes_state


def test_a_log_line_of_which_nothing_is_known_comes_along_and_is_not_asked_for_unless_it_is_all() -> None:
    line = RowEffect(table="audit", change="added", key={"id": Volatile()}, cells={"token": Volatile()})
    text = RowEffect(table="note", change="changed", key={"id": Fixed(value=1)}, cells={"text": Fixed(value="x")})
    audit, note = predict(EffectModel(rows=(line, text)), Given({}))
    assert (audit.required, note.required) == (False, True)
    twice = [RowChange(table="audit", change="added", key={"id": i}, after={"token": i}) for i in (1, 2)]
    assert len(match_rows([audit, note], twice).claimed) == 1
    [alone] = predict(EffectModel(rows=(line,)), Given({}))
    assert alone.required


def test_a_setting_is_added_once_and_changed_from_then_on() -> None:
    key: dict[str, Cell] = {"name": "theme"}
    samples = [
        Sample(said(theme="amber"), [added("setting", key, value="amber")]),
        Sample(said(theme="brisk"), [added("setting", key, value="brisk")]),
        Sample(said(theme="cedar"), [changed("setting", key, {"value": "opal"}, value="cedar")]),
    ]
    [row] = learn_effects(samples).effects.rows
    assert (row.change, row.cells) == ("added", {"value": FromParameter(parameter="theme")})


def _moved(genre: str, *books: int) -> Sample:
    """The genre is removed, and every book of it loses its genre."""
    before = start()
    rows = [dict(before.tables["book"].rows[(b,)]) for b in books]
    moves = [changed("book", {"id": r["id"]}, r, genre="") for r in rows]
    entity: dict[str, Cell] = {"name": genre}
    return Sample({}, [removed("genre", {"name": genre}), *moves], entity, entity, before)


def test_a_cascade_is_one_effect_that_reaches_every_row_that_points_there() -> None:
    learned = learn_effects([_moved("Cooking", 3), _moved("History", 2, 4), _moved("Cooking", 3)])
    each = next(r for r in learned.effects.rows if r.table == "book")
    assert each.each == EachRow(column="genre", entity_column="name")
    predicted = predict(learned.effects, Given({}, {"name": "History"}, start()))
    keys = [c.key["id"] for c in predicted if c.table == "book"]
    assert keys == [Equals(value=2), Equals(value=4)]


def test_what_a_cascade_wrote_in_one_execution_only_is_no_constant() -> None:
    def renamed(old: str, new: str, *ids: int) -> Sample:
        books = [changed("book", {"id": i}, {"genre": old}, genre=new) for i in ids]
        return Sample(said(name=new), books, {"name": old}, {"name": old}, start())

    once = [renamed("History", "Amber Mill", 2, 4), renamed("Poems", "Brisk Delta"), renamed("Poems", "Cedar Wharf")]
    with_one_value = [renamed("Poems", "Brisk Delta"), *[renamed("History", "Amber Mill", 2, 4)] * 2]
    for samples in (once, with_one_value):
        row = next(r for r in learn_effects(samples).effects.rows if r.table == "book")
        assert row.cells["genre"] == FromParameter(parameter="name")


def test_what_a_form_sends_back_with_other_line_ends_is_what_was_there() -> None:
    def saved(id: int, old: str, title: str) -> Sample:
        text = old.replace("\n", "\r\n")
        row: dict[str, Cell] = {"id": id, "text": old}
        change = changed("page", {"id": id}, {"text": old, "title": "x"}, text=text, title=title)
        return Sample(said(title=title), [change], row, row)

    samples = [saved(1, "One\nline", "Amber Mill"), saved(2, "Two\nlines", "Brisk Delta")]
    assert learn_effects(samples).effects.rows[0].cells["text"] == FromEntity(column="text")


def test_a_parameter_left_out_of_the_goal_may_hold_anything() -> None:
    cells: dict[str, Any] = {"text": FromParameter(parameter="text")}
    model = EffectModel(rows=(RowEffect(table="note", change="added", key={}, cells=cells),))
    assert predict(model, Given({}))[0].cells["text"] == AnyValue()


_WORDS = st.text("abcdefgh ", min_size=3, max_size=12).map(lambda t: "x" + t.strip() + "y")


@given(st.lists(_WORDS, min_size=4, max_size=4, unique=True), st.integers(0, 99), st.text("=:[]", max_size=3))
def test_a_learned_model_predicts_the_change_for_values_never_tried(texts: list[str], time: int, before: str) -> None:
    def happens(n: int, text: str) -> RowChange:
        return note(5 + n, before + text, time + n, author="ann")

    samples = [Sample(said(text=t), [happens(n, t)]) for n, t in enumerate(texts[:3])]
    predicted = predict(learn_effects(samples).effects, Given(said(text=texts[3])))
    assert match_rows(predicted, [happens(3, texts[3])]).rows == (0,)
    assert match_rows(predicted, [happens(3, texts[3] + "z")]).rows == (None,)
