"""Reading playwright's accessibility snapshot into nodes. Owns its text format; refuses to interpret roles.

Lines look like ``- role "name" [ref=e1] [checked] [box=x,y,w,h]: text``, ``- text: words`` and ``- /url: target``,
indented by two blanks a level. A key with special characters stands in single quotes, a value in double quotes.
Parsed by hand: a YAML parser takes ten times as long on a page of a thousand lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.domain.observation import Box
from pipeline.domain.values import clean_text

_KEY = re.compile(r'(?P<role>[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<marks>(?: \[[^\]]*\])*)$')
_MARK = re.compile(r"\[([^\]=]+)(?:=([^\]]*))?\]")
_HEX_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})")
_STATES = frozenset({"checked", "disabled", "expanded", "selected", "pressed", "invalid"})
_VALUED = frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider"})


@dataclass
class Node:
    """One entry of the snapshot; ``text`` nodes carry words only."""

    role: str
    name: str = ""
    text: str = ""
    """Words given behind the colon: a control's value or the only text child."""
    ref: str = ""
    box: Box | None = None
    level: int | None = None
    states: frozenset[str] = frozenset()
    clickable: bool = False
    url: str = ""
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """This node and everything below it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def words(self) -> str:
        """Names and texts below this node, as read; a control's words are its value, which is not for reading."""
        if self.role in _VALUED:
            return ""
        parts = [self.text, *(child.name or child.words() for child in self.children)]
        return " ".join(part for part in parts if part)


def parse(snapshot: str) -> Node:
    """A root node (role ``fragment``) over the snapshot's top entries; lines of an unknown form are skipped."""
    root = Node("fragment")
    path: list[tuple[int, Node]] = [(-1, root)]
    for line in snapshot.split("\n"):  # other line separators may stand inside a name
        body = line.lstrip(" ")
        if not body.startswith("- "):
            continue
        indent = len(line) - len(body)
        while path[-1][0] >= indent:
            path.pop()
        _add(path, indent, body[2:])
    return root


def _add(path: list[tuple[int, Node]], indent: int, entry: str) -> None:
    parent = path[-1][1]
    key, value = _split(entry)
    if key == "text":
        parent.children.append(Node("text", text=value))
    elif key == "/url":
        parent.url = value
    elif not key.startswith("/"):
        node = _node(key, value)
        if node is not None:
            parent.children.append(node)
            path.append((indent, node))


def _split(entry: str) -> tuple[str, str]:
    """Key and value of one entry, both unquoted."""
    if entry.startswith("'"):
        end = 1
        while True:
            end = entry.find("'", end)
            if end < 0:
                return entry, ""
            if entry[end : end + 2] != "''":
                break
            end += 2
        key, rest = entry[1:end].replace("''", "'"), entry[end + 1 :]
    else:
        match = re.match(r'(?:[^":]|"(?:[^"\\]|\\.)*"|:(?! |$))*', entry)
        end = match.end() if match else len(entry)
        key, rest = entry[:end], entry[end:]
    return key.strip(), _unquoted(rest.removeprefix(":").strip())


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] == '"':
        if "\\" not in value:
            return clean_text(value[1:-1])  # nearly all of them
        try:
            value = str(json.loads(_HEX_ESCAPE.sub(r"\\u00\1", value), strict=False))
        except ValueError:
            value = value[1:-1]
    return clean_text(value)


def _node(key: str, value: str) -> Node | None:
    match = _KEY.match(key)
    if match is None:
        return None
    marks: dict[str, str] = dict(_MARK.findall(match["marks"]))
    states = set(_STATES & marks.keys())
    if "mixed" in (marks.get("checked"), marks.get("pressed")):
        states = (states - {"checked", "pressed"}) | {"mixed"}
    if "active" in marks:
        states.add("focused")
    return Node(
        role=match["role"],
        name=_unquoted(match["name"]) if match["name"] else "",
        text=value,
        ref=marks.get("ref", ""),
        box=_box(marks.get("box", "")),
        level=int(marks["level"]) if marks.get("level", "").isdigit() else None,
        states=frozenset(states),
        clickable=marks.get("cursor") == "pointer",
    )


def _box(text: str) -> Box | None:
    try:
        x, y, width, height = (float(part) for part in text.split(","))
    except ValueError:
        return None
    return Box(x=x, y=y, width=width, height=height) if width or height else None
