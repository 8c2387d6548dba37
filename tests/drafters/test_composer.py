"""Instructions: every value verbatim, the same words for the same seed, nothing of the interface's machinery."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_app import BOOK, TODAY, book, goal, part, sample_goals, shop

from pipeline.domain.drawing import draw_part
from pipeline.domain.feature import (
    EffectModel,
    Feature,
    Fixed,
    FromParameter,
    LocationEffect,
    Parameter,
    RowEffect,
    Volatile,
)
from pipeline.domain.goal import Choice, Goal, GoalPart
from pipeline.domain.known_app import KnownApp
from pipeline.domain.observation import Locator
from pipeline.drafters.composer import compose, naming

GOALS = sample_goals()
SEEDS = st.integers(0, 10_000)


def _said(asked: Goal, seed: int = 1, *features: Feature) -> str:
    app = shop()
    if features:
        app = KnownApp(app.exploration.model_copy(update={"features": features}), app.start)
    return compose(app, asked, random.Random(seed))


def _drawn(feature: str, seed: int) -> Goal | None:
    drawn = draw_part(shop(), shop().features[feature], random.Random(seed), TODAY)
    return goal(drawn) if drawn else None


@pytest.mark.parametrize("feature", [f for f in sorted(shop().features) if f != "sort-books"])
@given(seed=SEEDS)
def test_every_value_and_name_stands_verbatim_in_quotation_marks(feature: str, seed: int) -> None:
    asked = _drawn(feature, seed)
    if asked is not None:
        said = _said(asked, seed)
        for one in asked.parts:
            assert all(f"“{c.shown}”" in said for c in one.choices)
            assert one.entity is None or f"“{one.entity.name}”" in said


@given(SEEDS)
def test_a_list_is_sorted_by_the_words_over_its_column(seed: int) -> None:
    said = _said(GOALS["sort"], seed)
    assert "“Books”" in said and said.endswith(" by owner.")


@pytest.mark.parametrize(
    ("column", "told"),
    [("Owner", "owner."), ("SKU", "SKU."), ("Lent out?", "“Lent out?”."), ("When it was lent", "“When it was lent”.")],
    ids=["word", "acronym", "question", "sentence"],
)
def test_a_column_is_told_as_a_word_and_quoted_where_it_is_a_sentence(column: str, told: str) -> None:
    asked = goal(part("sort-books", destination="/books", sort=column))
    assert _said(asked).endswith(f" by {told}")


@pytest.mark.parametrize("operation", GOALS)
@given(seed=SEEDS)
def test_the_same_seed_gives_the_same_words(operation: str, seed: int) -> None:
    assert _said(GOALS[operation], seed) == _said(GOALS[operation], seed)


@pytest.mark.parametrize("operation", GOALS)
def test_other_seeds_give_other_words(operation: str) -> None:
    assert len({_said(GOALS[operation], s) for s in range(30)}) >= 2


@pytest.mark.parametrize("operation", GOALS)
@given(seed=SEEDS)
def test_an_instruction_is_plain_sentences_without_mechanics(operation: str, seed: int) -> None:
    said = _said(GOALS[operation], seed)
    assert said[0].isupper() and said[-1] in ".?" and "  " not in said and "“”" not in said
    unquoted = re.sub("“[^”]*”", "", said)
    assert not re.search(r"button|click|field|textbox|form\b|submit|\bid\b|⟦|\d", unquoted, re.IGNORECASE)


def test_parts_are_asked_for_in_their_order() -> None:
    said = _said(GOALS["composite"])
    assert said.index("“Long tales”") < said.index("“River Songs”")
    assert re.search(r"\. (Then|After that,|Next,) [a-z]", said)


def _with(feature: str, **update: Any) -> Feature:
    return shop().features[feature].model_copy(update=update)


def test_a_comment_with_more_values_states_all_of_them() -> None:
    feature = _with("create-genre", entity=BOOK, noun="review")
    asked = goal(GOALS["create"].parts[0].model_copy(update={"entity": book(1)}))
    said = _said(asked, 1, feature)
    assert all(word in said for word in ("“Sagas”", "“Long tales”", "the book “Winter Tales”"))


def _bare(feature: Feature, **update: Any) -> GoalPart:
    return GoalPart(feature=feature.id, operation=feature.operation, **update)


def test_a_feature_without_a_free_value_is_said_by_what_becomes_of_the_thing() -> None:
    row = RowEffect(table="book", change="changed", key={}, cells={"status": Fixed(value="lost"), "n": Volatile()})
    pinned = {"parameters": (), "effects": EffectModel(rows=(row,))}
    for operation in ("set", "edit"):
        feature = _with("set-status", operation=operation, **pinned)
        said = _said(goal(_bare(feature, entity=book(1))), 1, feature)
        assert "the book “Winter Tales”" in said and "“lost”" in said


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("Close book", "lose the book “Winter Tales”"),
        ("Pin this book globally", "in the book “Winter Tales” globally"),
        ("Lend", "end the book “Winter Tales”"),
        ("Add to shelf", "dd the book “Winter Tales” to shelf"),
        ("Remove selected books", "emove the book “Winter Tales”"),
        ("Hand out", "and out the book “Winter Tales”"),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_a_doing_that_shows_in_no_word_is_said_by_its_own_words(deed: str, said: str, seed: int) -> None:
    row = RowEffect(table="book", change="changed", key={}, cells={"gone": Fixed(value=1)})
    feature = _with("set-status", parameters=(), effects=EffectModel(rows=(row,)), deed=deed)
    assert said in _said(goal(_bare(feature, entity=book(1))), seed, feature)


@pytest.mark.parametrize("deed", ["Yes", "No", "OK", "Continue", "Save", "Take one"])
def test_a_word_that_only_answers_is_no_doing(deed: str) -> None:
    """As in “Was this review helpful? Yes”, nor one that takes no thing; well-formed refuses the empty quotation."""
    row = RowEffect(table="book", change="changed", key={}, cells={"votes": Fixed(value=1)})
    feature = _with("set-status", parameters=(), effects=EffectModel(rows=(row,)), deed=deed)
    assert "“”" in _said(goal(_bare(feature, entity=book(1))), 1, feature)


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("Borrow", "Borrow the book “Winter Tales”, with the owner “Ann Lee”."),
        ("Request a loan", "Request a loan for the book “Winter Tales”, with the owner “Ann Lee”."),
        ("Save", "the owner of the book “Winter Tales”"),
    ],
)
def test_what_adds_beside_a_thing_is_said_by_its_button(deed: str, said: str) -> None:
    owner = Parameter(key="owner", label="owner", kind="text", target=Locator(role="textbox", name="Owner"))
    row = RowEffect(table="loan", change="added", key={}, cells={"owner": FromParameter(parameter="owner")})
    feature = _with("set-status", operation="edit", parameters=(owner,), effects=EffectModel(rows=(row,)), deed=deed)
    chosen = Choice(parameter="owner", label="owner", value="Ann Lee", shown="Ann Lee")
    asked = _bare(feature, entity=book(1)).model_copy(update={"choices": (chosen,)})
    assert said in _said(goal(asked), 4, feature)


def test_a_choice_is_said_without_the_marks_that_its_list_draws() -> None:
    feature = shop().features["set-status"]
    deep = Choice(parameter="status", label="status", value="7", shown="--- Lent out")
    assert "“Lent out”" in _said(goal(_bare(feature, entity=book(1), choices=(deep,))), 1)


def test_the_new_status_of_a_form_is_the_status_of_the_thing() -> None:
    status = shop().features["set-status"].parameters[0].model_copy(update={"label": "new status"})
    feature = _with("set-status", parameters=(status,))
    chosen = Choice(parameter="status", label="new status", value="lost", shown="Lost")
    assert "the status of the book" in _said(goal(_bare(feature, entity=book(1), choices=(chosen,))), 1, feature)
    pinned = _labelled("set-status", "new status", entity=None, pinned=(("v", "Lost"),), effects=EffectModel())
    assert "the status to “Lost”" in _asked_for(pinned)


def test_a_pinned_choice_is_not_asked_for() -> None:
    feature = _with("create-genre", pinned=(("description", "Plain"),))
    asked = goal(_bare(feature, choices=(Choice(parameter="name", label="name", value="Sagas", shown="Sagas"),)))
    assert "description" not in _said(asked, 1, feature)


def test_what_has_no_place_of_its_own_is_removed_by_the_values_that_name_it() -> None:
    feature = _with("create-genre", operation="delete", parameters=shop().features["create-genre"].parameters[:1])
    asked = goal(_bare(feature, choices=(Choice(parameter="name", label="name", value="Sagas", shown="Sagas"),)))
    assert "the name “Sagas”" in _said(asked, 1, feature)


def test_a_box_is_turned_on_or_off_by_its_label() -> None:
    box = shop().features["set-status"].parameters[0].model_copy(update={"kind": "checkbox", "label": "rare"})
    feature = _with("set-status", parameters=(box,))
    turned = Choice(parameter="status", label="rare", value="1", shown="on", typed="on")
    said = _said(goal(_bare(feature, entity=book(1), choices=(turned,))), 1, feature)
    assert "option “rare”" in said and said.endswith("to on.")


def test_the_name_of_a_new_thing_is_the_parameter_that_says_so() -> None:
    feature = shop().features["create-genre"]
    swapped = feature.model_copy(update={"parameters": tuple(reversed(feature.parameters))})
    found = naming(swapped)
    assert found is not None and found.label == "name"
    assert naming(feature.model_copy(update={"parameters": ()})) is None


def test_a_comment_is_called_by_its_words_and_not_by_the_address_beside_them() -> None:
    first = shop().features["create-genre"].parameters[0]
    words = tuple(first.model_copy(update={"key": k, "label": k}) for k in ("website", "comment"))
    found = naming(_with("create-genre", noun="comment", parameters=words))
    assert found is not None and found.label == "comment"


def test_a_question_asks_for_the_label_as_it_stands_on_the_page() -> None:
    assert "owner" in _said(goal(part("read-owner", book(4)))) and "cid" not in _said(GOALS["read"])


def _asked_for(feature: Feature, **values: str) -> str:
    given = tuple(Choice(parameter=k, label=k, value=v, shown=v) for k, v in values.items())
    thing = book(1) if feature.entity else None
    return _said(goal(_bare(feature, entity=thing, choices=given)), 1, feature)


def _labelled(feature: str, label: str, **update: Any) -> Feature:
    [parameter, *_] = shop().features[feature].parameters
    renamed = parameter.model_copy(update={"key": "v", "label": label})
    return _with(feature, parameters=(renamed,), **update)


def test_a_default_says_of_what() -> None:
    alone = {"entity": None, "operation": "set", "noun": "genre"}
    assert "the default genre to “Verse”" in _asked_for(_labelled("set-status", "default", **alone), v="Verse")
    said = _asked_for(_labelled("set-status", "loan default", **alone), v="Verse")
    assert "the loan default for genres to “Verse”" in said


def test_a_choice_that_is_part_of_the_feature_is_said_where_nothing_else_is() -> None:
    feature = _labelled("set-status", "date format", entity=None, pinned=(("v", "ISO 8601"),), effects=EffectModel())
    assert "the date format to “ISO 8601”" in _asked_for(feature)


@pytest.mark.parametrize("choice", ["Make public", "Make selected books public", "Mark as public"])
def test_a_choice_that_says_what_to_make_of_a_thing_is_said_so(choice: str) -> None:
    feature = _labelled("set-status", "action", pinned=(("v", choice),), effects=EffectModel())
    assert _said(goal(_bare(feature, entity=book(1))), 1, feature) == "Make the book “Winter Tales” public."


def test_a_right_is_given_to_somebody() -> None:
    [first, *_] = shop().features["create-genre"].parameters
    both = tuple(first.model_copy(update={"key": k, "label": k}) for k in ("subject", "action"))
    said = _asked_for(_with("create-genre", noun="permission", parameters=both), subject="dora", action="EDIT")
    assert said in ("Give “dora” the permission “EDIT”.", "Grant the permission “EDIT” to “dora”.")


def test_somebody_is_added_to_a_group_although_rights_are_kept_in_one_table_with_it() -> None:
    [first, *_] = shop().features["create-genre"].parameters
    both = tuple(first.model_copy(update={"key": k, "label": k}) for k in ("subject", "group"))
    said = _asked_for(_with("create-genre", noun="permission", parameters=both), subject="dora", group="Editors")
    assert said == "Add “dora” to the group “Editors”."


def test_how_a_list_is_shown_is_set_rather_than_narrowed() -> None:
    limit = _labelled("set-status", "max items per page", entity=None, operation="filter")
    assert "set the max items per page to “45”" in _asked_for(limit, v="45")
    sorting = _labelled("set-status", "sorting", entity=None, operation="filter")
    assert _asked_for(sorting, v="Title") == f"Sort the page “{sorting.heading}” by “Title”."
    grouped = _labelled("set-status", "group results by", entity=None, operation="filter")
    assert ", group results by “Genre”." in _asked_for(grouped, v="Genre")


@pytest.mark.parametrize(
    ("label", "verb"), [("keywords", "are"), ("status", "is"), ("owner", "is"), ("number of vouchers", "is")]
)
def test_a_question_agrees_with_its_noun(label: str, verb: str) -> None:
    app_feature = _with("read-owner", answer_label=label)
    words = {_said(goal(part("read-owner", book(4))), seed, app_feature) for seed in range(20)}
    assert any(f"hat {verb} " in w for w in words) and not any(
        f"hat {'is' if verb == 'are' else 'are'} " in w for w in words
    )


def test_a_place_with_the_heading_of_others_is_told_apart_by_the_link_to_it() -> None:
    features = [f.model_copy(update={"heading": "Shop"}) for f in shop().features.values()]
    app = KnownApp(shop().exploration.model_copy(update={"features": tuple(features)}), shop().start)
    words = {app.place_word(f) for f in features if f.entity is None}
    assert words - {""} and "Shop" not in words


def test_which_list_is_searched_is_said_where_there_are_several() -> None:
    main = shop().features["search"]
    place = LocationEffect(path=Fixed(value="/loans"), query={"q": FromParameter(parameter="q")})
    label = main.parameters[0].model_copy(update={"label": "borrower"})
    update = {
        "id": "loans",
        "location": "/loans",
        "heading": "Loans",
        "parameters": (label,),
        "effects": EffectModel(location=place),
    }
    loans = main.model_copy(update=update)
    both = (main, loans)
    part = goal(_bare(loans, choices=(Choice(parameter="q", label="borrower", value="ann", shown="ann"),)))
    for seed in range(6):
        said = _said(part, seed, *both)
        assert "“Loans”" in said and "the borrower “ann”" in said
        assert "“Loans”" not in _said(part, seed, loans)


def test_what_is_picked_in_a_list_of_a_thing_is_told_with_its_page() -> None:
    pick = shop().features["delete-genre"]
    placed = pick.model_copy(update={"route": "/shelves/{}/genres", "heading": "Shelf 7: genres"})
    said = _said(goal(_bare(placed, entity=GOALS["delete"].parts[0].entity)), 1, placed)
    assert said.endswith(" on the page “Shelf 7: genres”.")


def test_a_choice_under_a_label_of_its_own_is_said_with_the_label() -> None:
    row = RowEffect(table="book", change="changed", key={}, cells={"status": Fixed(value="lost")})
    effects = EffectModel(rows=(row,))
    kept = {"kind": "select"}
    [status, *_] = shop().features["set-status"].parameters
    for label, words in (("status", "the status of the book “Winter Tales” to “Lost”"), ("action", "“lost”")):
        parameter = status.model_copy(update={"key": "v", "label": label, **kept})
        feature = _with("set-status", parameters=(parameter,), pinned=(("v", "Lost"),), effects=effects)
        assert words in _said(goal(_bare(feature, entity=book(1))), 1, feature)


def test_a_yes_or_no_is_set_rather_than_narrowed_down_to() -> None:
    feature = _labelled("set-status", "is active", operation="filter", entity=None)
    assert "set “is active” to “Yes”" in _asked_for(feature, v="Yes")
