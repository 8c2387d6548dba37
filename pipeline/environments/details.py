"""What ``details.js`` found in one document, as typed values, and joining it to the accessibility tree.

The join is by box and kind of role in document order: both passes round the same rectangles of the same elements.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from pipeline.domain.observation import Box, Control, Form, Option, Unreachable
from pipeline.domain.values import clean_text, readable
from pipeline.environments.tree import Node

SCRIPT = resources.files(__package__).joinpath("details.js").read_text("utf-8")
NODE_LIMIT = 30_000
TEXT_LIMIT = 60_000

BoxKey = tuple[int, int, int, int]

_GROUPS = {
    "columnheader": "cell",
    "rowheader": "cell",
    "gridcell": "cell",
    "searchbox": "textbox",
    "listbox": "select",
    "combobox": "select",
}


@dataclass(frozen=True)
class Entry:
    """One DOM element as the page script saw it."""

    role: str
    box: BoxKey
    text: str = ""
    value: str | None = None
    title: str = ""
    leads_to: str = ""
    collapsed: bool = False
    control: Control | None = None


@dataclass(frozen=True)
class FramePlace:
    """An embedded frame: its name, where it was meant to load from, and where it stands."""

    name: str
    source: str
    box: Box


@dataclass
class Details:
    """One document."""

    url: str
    title: str
    text: str
    scroll: tuple[float, float] = (0.0, 0.0)
    entries: tuple[Entry, ...] = ()
    forms: tuple[Form, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()
    frames: tuple[FramePlace, ...] = ()
    notes: tuple[str, ...] = ()
    slow_requests: tuple[str, ...] = ()
    session_entries: int = 0
    window_name: str = ""
    carried_over: bool = False
    """The document began with session storage or a window name: the tab was not like a new one."""
    _waiting: dict[tuple[BoxKey, str], deque[Entry]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        waiting: dict[tuple[BoxKey, str], deque[Entry]] = defaultdict(deque)
        for entry in self.entries:
            waiting[(entry.box, entry.role)].append(entry)
        self._waiting = waiting

    def untaken(self) -> list[Entry]:
        """Controls that were found and belong to no node of the tree."""
        return [entry for waiting in self._waiting.values() for entry in waiting if entry.control is not None]

    def take(self, node: Node) -> Entry | None:
        """The entry of a tree node, at most once; ask in reading order."""
        if node.box is None:
            return None
        box = (int(node.box.x), int(node.box.y), int(node.box.width), int(node.box.height))
        tries = [_GROUPS.get(node.role, node.role)]
        tries += {"generic": ["editable", "summary"], "textbox": ["editable", "select"], "listbox": ["select"]}.get(
            node.role, []
        )
        for role in tries:
            entries = self._waiting.get((box, role))
            if entries:
                return entries.popleft()
        return None


def read(answer: str) -> Details:
    """Typed details from the script's answer; the page is untrusted, so every text is cleaned."""
    raw: dict[str, Any] = json.loads(answer)
    at_start = raw.get("at_start") or {}
    notes = [f"cut at {NODE_LIMIT} nodes"] * bool(raw.get("cut")) + ["text cut"] * bool(raw.get("text_cut"))
    return Details(
        url=clean_text(str(raw["url"])),
        title=clean_text(str(raw["title"])),
        text=readable(clean_text(str(raw["text"]))),
        scroll=(float(raw["scroll"][0]), float(raw["scroll"][1])),
        entries=tuple(_entry(e) for e in raw["entries"]),
        forms=tuple(_form(i, f) for i, f in enumerate(raw["forms"])),
        unreachable=tuple(
            Unreachable(kind=u["kind"], name=clean_text(u["name"]), box=_box(u["box"])) for u in raw["unreachable"]
        ),
        frames=tuple(FramePlace(clean_text(f["name"]), clean_text(f["source"]), _box(f["box"])) for f in raw["frames"]),
        notes=tuple(notes),
        slow_requests=tuple(str(s) for s in raw.get("slow", ())),
        session_entries=int(raw.get("session_entries", 0)),
        window_name=str(raw.get("window_name", "")),
        carried_over=bool(at_start.get("session") or at_start.get("name")),
    )


def _entry(raw: dict[str, Any]) -> Entry:
    control = raw.get("control")
    value = raw.get("value")
    x, y, width, height = raw["box"]
    return Entry(
        role=raw["role"],
        box=(int(x), int(y), int(width), int(height)),
        text=clean_text(raw.get("text", "")),
        value=None if value is None else clean_text(str(value)),
        title=clean_text(raw.get("title", "")),
        leads_to=clean_text(raw.get("href", "")),
        collapsed=bool(raw.get("collapsed")),
        control=_control(control) if control else None,
    )


def _control(raw: dict[str, Any]) -> Control:
    texts = ("field", "label", "minimum", "maximum", "pattern", "placeholder", "submitted_value")
    return Control(
        kind=raw["kind"],
        form=raw.get("form"),
        options=tuple(
            Option(
                label=clean_text(o["label"]),
                value=clean_text(o["value"]),
                selected=o["selected"],
                disabled=o["disabled"],
            )
            for o in raw.get("options", ())
        ),
        required=bool(raw.get("required")),
        readonly=bool(raw.get("readonly")),
        max_length=raw.get("max_length"),
        **{name: clean_text(str(raw.get(name, ""))) for name in texts},
    )


def _form(index: int, raw: dict[str, Any]) -> Form:
    return Form(
        index=index,
        name=clean_text(raw["name"]),
        method=raw["method"],
        target=clean_text(raw["target"]),
        token_fields=tuple(clean_text(name) for name in raw["token_fields"]),
    )


def _box(raw: list[float]) -> Box:
    return Box(x=raw[0], y=raw[1], width=raw[2], height=raw[3])
