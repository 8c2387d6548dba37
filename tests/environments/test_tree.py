"""Reading playwright's snapshot text."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from pipeline.domain.values import clean_text
from pipeline.environments.tree import Node, parse

SNAPSHOT = r"""
- generic [active] [ref=e1] [box=8,8,1264,330]:
  - link "Home" [ref=e4] [cursor=pointer] [box=8,8,397,17]:
    - /url: "#"
    - img "a picture" [ref=e5] [box=8,8,397,18]
  - 'heading "Error: Not ''Found''" [level=1] [ref=e39] [box=8,162,1235,33]'
  - paragraph [ref=e40] [box=8,211,1264,38]: No handler matched
  - textbox "Reporter:" [ref=e59] [box=1,2,3,4]: anonymous
  - checkbox "All" [checked=mixed] [disabled] [ref=e60] [box=1,2,3,4]
  - option "hidden" [selected] [box=0,0,0,0]
  - strong [ref=e61] [box=1,2,3,4]: "Note: \x41 \"x\""
  - text: — see below
  - iframe [ref=e62] [box=0,9,10,10]:
    - button "Send" [ref=f1e2] [box=0,0,10,10]
""".strip("\n")


def nodes() -> dict[str, Node]:
    return {node.ref or node.role: node for node in parse(SNAPSHOT).walk()}


def test_names_levels_boxes_and_targets() -> None:
    found = nodes()
    assert (found["e39"].name, found["e39"].level) == ("Error: Not 'Found'", 1)
    assert found["e4"].url == "#" and found["e4"].clickable and found["e4"].box is not None
    assert found["e4"].box.width == 397


def test_states_are_ours() -> None:
    found = nodes()
    assert found["e60"].states == {"mixed", "disabled"} and found["e1"].states == {"focused"}
    assert found["option"].states == {"selected"} and found["option"].box is None


def test_words_behind_the_colon_are_unquoted() -> None:
    found = nodes()
    assert found["e40"].text == "No handler matched" and found["e61"].text == 'Note: A "x"'
    assert found["text"].text == "— see below"


def test_nesting_follows_indentation() -> None:
    found = nodes()
    assert found["e5"] in found["e4"].children and found["f1e2"] in found["e62"].children
    assert [n.ref for n in parse(SNAPSHOT).children] == ["e1"]


def test_a_controls_value_is_no_words() -> None:
    """A password's value stands in the snapshot; it must not become a name."""
    assert "anonymous" not in nodes()["e1"].words()


@given(st.text(max_size=60))
def test_any_name_survives(name: str) -> None:
    quoted = "'" + f"button {json.dumps(name, ensure_ascii=False)} [ref=e2]".replace("'", "''") + "'"
    for line in (f"- {quoted}", f"- {quoted}: words"):
        (node,) = parse(line).children
        assert (node.ref, node.name) == ("e2", clean_text(name))


@given(st.text(max_size=200))
def test_nothing_makes_it_fail(text: str) -> None:
    parse("- " + text)
    parse(text)
