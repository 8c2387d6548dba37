"""Understanding forms: parameters, radio groups, picks in rows, submit buttons, and what a person calls a value."""

from __future__ import annotations

import pytest
from drawn_pages import choice, control, element, page
from small_app import genres_page

from pipeline.domain.forms import FormReading, person_label, read_forms
from pipeline.domain.observation import Element, Form


def _read(*elements: Element) -> FormReading:
    [reading] = read_forms(page("/x", *elements, forms=[Form(index=0, method="post", target="/x")]))
    return reading


SAVE = control("submit", "Save", "save")


def test_controls_that_take_a_value_are_parameters() -> None:
    reading = _read(
        control("text", "Full name:", "name", required=True, max_length=20),
        choice("Status", "status", [("New", "n"), ("Lent", "l")], "Lent"),
        control("checkbox", "Send copies", "copy", states=["checked"]),
        control("number", "Pages", "pages", minimum="1", maximum="9"),
        SAVE,
    )
    name, status, copy, pages = reading.parameters
    assert (name.key, name.label, name.required, name.max_length) == ("name", "full name", True, 20)
    assert (status.options, status.option_values, status.default) == (("New", "Lent"), ("n", "l"), "Lent")
    assert (copy.kind, copy.default) == ("checkbox", "on")
    assert (pages.minimum, pages.maximum) == ("1", "9")


def test_a_value_that_only_its_row_names_is_something_of_what_the_row_shows() -> None:
    lantern = control("number", "Storm lantern", "lines-0-list_price").model_copy(update={"name_source": "row"})
    assert _read(lantern, SAVE).parameters[0].label == "list price of Storm lantern"


@pytest.mark.parametrize(("field", "row"), [("0_owner", "Owner"), ("nick", "Display name")])
def test_a_row_that_says_what_its_value_is_names_the_value(field: str, row: str) -> None:
    cell = control("text", row, field).model_copy(update={"name_source": "row"})
    assert _read(cell, SAVE).parameters[0].label == row.lower()


def test_a_form_without_a_button_is_no_form() -> None:
    assert read_forms(page("/x", control("text", "Name", "name"), forms=[Form(index=0)])) == ()


def test_what_cannot_be_changed_is_no_parameter() -> None:
    reading = _read(
        control("text", "Id", "id", readonly=True), control("text", "Code", "code", states=["disabled"]), SAVE
    )
    assert reading.parameters == ()


def test_what_has_neither_field_nor_name_is_no_parameter() -> None:
    assert _read(control("search", ""), SAVE).parameters == ()


def test_what_cannot_be_told_apart_is_no_parameter() -> None:
    assert _read(control("text", "Name"), control("text", "Name"), SAVE).parameters == ()


def test_a_radio_group_is_one_choice() -> None:
    group = [("group", "Visibility:")]
    radios = [
        control("radio", n, "v", region=group, submitted_value=n[:1], states=s)
        for n, s in (("Everyone", []), ("Friends", ["checked"]))
    ]
    [parameter] = _read(*radios, SAVE).parameters
    assert (parameter.kind, parameter.label, parameter.default) == ("radio", "visibility", "Friends")
    assert (parameter.options, parameter.option_values) == (("Everyone", "Friends"), ("E", "F"))


def test_checkboxes_in_rows_are_picks_by_the_rows_name() -> None:
    adding, removing = read_forms(genres_page())
    [pick] = removing.picks
    assert [name for name, _ in pick.targets] == ["Cooking", "History", "Poetry"]
    assert removing.parameters == () and adding.picks == ()


def test_a_field_for_a_day_takes_the_form_of_one_beside_it() -> None:
    start = control("text", "Start date", "start", value="2026-03-02 10:00")
    reading = _read(start, control("text", "End date", "end"), control("text", "Name", "name"), SAVE)
    assert [p.example for p in reading.parameters] == ["", "2026-03-02 10:00", ""]


def test_a_box_in_a_lists_header_picks_all_rows_and_is_no_value() -> None:
    boxes = [
        control("checkbox", n, "all" if n == "Title" else "chosen", region=[("row", n)]) for n in ("Title", "A", "B")
    ]
    reading = _read(*boxes, SAVE)
    assert reading.parameters == () and [p.field for p in reading.picks] == ["chosen"]


def test_a_button_that_only_runs_a_script_sends_nothing_where_another_does() -> None:
    bold, more = control("button", "Bold"), control("submit", "More", states=["collapsed"])
    assert [s.name for s in _read(bold, more, SAVE).submits] == ["Save"]
    assert [s.name for s in _read(bold).submits] == ["Bold"]


def test_one_radio_in_each_row_is_a_choice_of_rows() -> None:
    radios = [control("radio", n, "default", region=[("row", n)], submitted_value=n) for n in ("Low", "High")]
    reading = _read(*radios, SAVE)
    assert reading.picks == ()
    assert [p.options for p in reading.parameters] == [("Low", "High")]


def test_every_named_button_submits_and_says_whether_it_can() -> None:
    reading = _read(SAVE, control("submit", "Preview"), control("submit", "Delete", states=["disabled"]))
    assert [(s.name, s.enabled) for s in reading.submits] == [("Save", True), ("Preview", True), ("Delete", False)]


def test_a_file_to_upload_is_noticed() -> None:
    assert _read(control("file", "Attachment", "file", required=True), SAVE).needs_file
    assert not _read(control("file", "Attachment", "file"), SAVE).needs_file


def test_the_same_form_has_the_same_key_whatever_it_holds() -> None:
    def form(value: str, count: int) -> str:
        return _read(control("text", "Name", "name", value=value), control("submit", f"Save ({count})", "s")).key

    assert form("Ann", 1) == form("Bob", 22)


def test_another_field_makes_another_form() -> None:
    assert _read(control("text", "Name", "name"), SAVE).key != _read(control("text", "Name", "mail"), SAVE).key


def test_a_control_outside_any_form_is_left_out() -> None:
    reading = _read(control("text", "Filter", "f", form=None), element("button", "Theme"), SAVE)
    assert reading.parameters == () and len(reading.submits) == 1


@pytest.mark.parametrize(
    ("text", "fallback", "label"),
    [
        ("Full Name: *", "", "full name"),
        ("Due (optional)", "", "due"),
        ("CC:", "", "CC"),
        ("field_summary", "", "field summary"),
        ("You may use wiki formatting in here as well", "comment-text", "comment text"),
        ("Status: New Lent Lost", "status", "status"),
    ],
)
def test_a_label_reads_as_it_stands_in_a_sentence(text: str, fallback: str, label: str) -> None:
    assert person_label(text, fallback) == label


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Change order status:", "order status"),
        ("Choose a country", "country"),
        ("Update status of selected reviews", "status"),
        ("Update frequency", "update frequency"),
        ("Select", "select"),
    ],
)
def test_that_a_value_is_asked_for_is_no_part_of_its_name(text: str, label: str) -> None:
    assert person_label(text) == label
