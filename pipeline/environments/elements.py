"""From the accessibility tree and the details to elements with names and regions. Pure; refuses to touch a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pipeline.domain.observation import Box, Element, NameSource, RegionPart
from pipeline.domain.values import readable, shortened
from pipeline.environments.details import Details, Entry
from pipeline.environments.tree import Node

NAME_LIMIT = 400
PART_LIMIT = 120

_LANDMARKS = frozenset({"navigation", "main", "banner", "contentinfo", "form", "search", "complementary"})
_NAMED_GROUPS = frozenset(
    {
        "group",
        "radiogroup",
        "dialog",
        "alertdialog",
        "table",
        "grid",
        "region",
        "article",
        "tabpanel",
        "menu",
        "toolbar",
    }
)
_INLINE = frozenset(
    {"strong", "emphasis", "code", "deletion", "insertion", "subscript", "superscript", "mark", "time", "blockquote"}
)
_LEFT_OUT = frozenset({"rowgroup", "fragment", "presentation", "none"})
_CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
_CONTENT_NAMED = _CELLS | {
    "link", "button", "heading", "listitem", "paragraph", "term", "definition", "caption", "tab", "menuitem",
    "option", "treeitem", "figure", "text",
}  # fmt: skip
_SWALLOW_TEXT = _CONTENT_NAMED - {"listitem"}
_CONTROLS = frozenset(
    {"textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "switch", "spinbutton", "slider", "button"}
)


@dataclass
class Document:
    """One document of a page: the details of it, the frame's name ("" for the main one) and its offset."""

    details: Details
    frame: str = ""
    x: float = 0.0
    y: float = 0.0


@dataclass
class _Known:
    """What is known of a node after the first pass."""

    document: Document
    entry: Entry | None
    role: str
    name: str
    source: NameSource


@dataclass
class _Reading:
    documents: dict[str, Document]
    """By ref of the iframe node; the main document under ""."""
    known: dict[int, _Known] = field(default_factory=dict)


def elements_of(root: Node, documents: dict[str, Document]) -> list[Element]:
    """All perceivable elements in reading order."""
    reading = _Reading(documents)
    _name_all(root, documents[""], reading)
    _name_by_row(root, "", reading)
    return list(_emit(root, (), 0, "", reading))


def _name_all(node: Node, document: Document, reading: _Reading) -> None:
    if node.role != "fragment":
        reading.known[id(node)] = _first_reading(node, document)
    below = reading.documents.get(node.ref, document) if node.role == "iframe" else document
    for child in node.children:
        _name_all(child, below, reading)


def _first_reading(node: Node, document: Document) -> _Known:
    entry = document.details.take(node)
    role = _role(node, entry)
    name, source = _own_name(node, role, entry)
    return _Known(document, entry, role, _cut(name, NAME_LIMIT), source)


def _role(node: Node, entry: Entry | None) -> str:
    if node.role in _INLINE:
        return "text"
    if node.role != "generic":
        return node.role
    if entry is not None:
        return "button" if entry.role == "summary" else "textbox"
    return "text" if node.text and not node.clickable else "generic"


def _own_name(node: Node, role: str, entry: Entry | None) -> tuple[str, NameSource]:
    control = entry.control if entry else None
    if node.name:
        return node.name, _declared_by(node.name, entry)
    if role in ("text", "generic"):
        words = node.words() if role == "text" or node.clickable else ""
        return words, "content"
    if role == "listitem":
        return _item_words(node), "content"
    if role in _CONTENT_NAMED:
        # inside a cell a control's value is not the cell's text; the page script left those out
        words = entry.text if entry else "" if role in _CELLS else node.words()
        return (words, "content") if words else ("", "none")
    if control is not None and control.label:
        return control.label, "label"
    if control is not None and control.placeholder:
        return control.placeholder, "placeholder"
    return "", "none"


def _declared_by(name: str, entry: Entry | None) -> NameSource:
    if entry is None or entry.control is None or entry.control.label:
        return "accessible"
    if name == entry.control.placeholder:
        return "placeholder"
    return "title" if name == entry.title else "accessible"


def _item_words(node: Node) -> str:
    parts = [node.text, *((c.name or c.words()) for c in node.children if c.role not in ("list", "button"))]
    return " ".join(part for part in parts if part)


def _name_by_row(node: Node, row: str, reading: _Reading) -> None:
    """Controls without any name get their row's; the last resort is the field's key."""
    known = reading.known.get(id(node))
    if known is not None:
        if known.role == "row":
            row = _row_name(node, reading)
        if not known.name and known.role in _CONTROLS:
            control = known.entry.control if known.entry else None
            if row:
                known.name, known.source = row, "row"
            elif control is not None and control.field:
                known.name, known.source = control.field, "field"
    for child in node.children:
        _name_by_row(child, row, reading)


def _row_name(row: Node, reading: _Reading) -> str:
    """Text of the first cell that has words of its own (a control's value is none)."""
    for cell in row.walk():
        known = reading.known.get(id(cell))
        if cell is not row and known is not None and known.role in _CELLS and not _holds_rows(cell):
            words = known.entry.text if known.entry else known.name
            if words:
                return _cut(words, PART_LIMIT)
    return ""


def _holds_rows(cell: Node) -> bool:
    """A cell of a table that only arranges other tables; its words are theirs."""
    return any(below.role == "row" for below in cell.walk())


def _item_name(item: Node, reading: _Reading) -> str:
    for node in item.walk():
        known = reading.known.get(id(node))
        if node is item:
            if item.text:
                return _cut(item.text, PART_LIMIT)
        elif node.role == "list":
            break
        elif known is not None and known.name and known.role in ("link", "text", "heading", "paragraph"):
            return _cut(known.name, PART_LIMIT)
    return ""


def _part(node: Node, known: _Known, reading: _Reading) -> RegionPart | None:
    """What a node contributes to the region of everything below it."""
    if known.role in _LANDMARKS:
        return RegionPart(role=known.role, name=_cut(known.name, PART_LIMIT))
    if known.role == "row":
        name = _row_name(node, reading)
    elif known.role == "listitem":
        name = _item_name(node, reading)
    elif known.role in _NAMED_GROUPS:
        name = known.name or (_first_named(node, "caption" if known.role == "table" else "heading", reading))
    else:
        return None
    return RegionPart(role=known.role, name=_cut(name, PART_LIMIT)) if name else None


def _first_named(node: Node, role: str, reading: _Reading) -> str:
    known = (reading.known.get(id(below)) for below in node.walk())
    return next((k.name for k in known if k is not None and k.role == role and k.name), "")


def _emit(
    node: Node, region: tuple[RegionPart, ...], depth: int, swallowed: str, reading: _Reading
) -> Iterator[Element]:
    """Elements below a node. A heading is a region part of what follows it inside the same parent."""
    section: tuple[RegionPart, ...] = ()
    for child in node.children:
        known = reading.known[id(child)]
        here = region + section
        if known.role == "heading" and known.name:
            section = (RegionPart(role="section", name=_cut(known.name, PART_LIMIT)),)
            here = region
        if _dropped(child, known, swallowed):
            continue
        if known.role not in _LEFT_OUT and not (known.role == "generic" and not child.clickable):
            yield _element(child, known, here, depth)
        part = _part(child, known, reading)
        below = (*here, part) if part else here
        inside = known.name if known.role in _SWALLOW_TEXT else swallowed if not part else ""
        yield from _emit(child, below, depth + 1, inside, reading)


def _dropped(node: Node, known: _Known, swallowed: str) -> bool:
    """Words that an ancestor's name already says, options of a native select, and what lies off the page."""
    if known.role == "text" and (not known.name or (swallowed and known.name in swallowed)):
        return True
    if node.role == "option" and node.box is None:
        return True
    box, scroll = node.box, known.document.details.scroll
    return box is not None and (box.x + box.width + scroll[0] <= 0 or box.y + box.height + scroll[1] <= 0)


def _element(node: Node, known: _Known, region: tuple[RegionPart, ...], depth: int) -> Element:
    entry, document = known.entry, known.document
    states = node.states | {"collapsed"} if entry is not None and entry.collapsed else node.states
    return Element(
        ref=node.ref,
        role=known.role,
        name=known.name,
        name_source=known.source if known.name else "none",
        value=_value(node, entry),
        states=states,
        box=_moved(node.box, document),
        region=region,
        leads_to=entry.leads_to if entry else "",
        level=node.level if known.role == "heading" else None,
        depth=depth,
        frame=document.frame,
        control=entry.control if entry else None,
    )


def _value(node: Node, entry: Entry | None) -> str | None:
    """A control's value from the page script; never the tree's, which shows passwords and folds line ends."""
    if entry is not None and entry.control is not None and entry.control.kind not in ("submit", "button"):
        return entry.value
    return node.text if node.role in ("slider", "spinbutton", "progressbar", "meter") and node.text else None


def _moved(box: Box | None, document: Document) -> Box | None:
    if box is None or not (document.x or document.y):
        return box
    return Box(x=box.x + document.x, y=box.y + document.y, width=box.width, height=box.height)


def _cut(text: str, limit: int) -> str:
    return shortened(" ".join(readable(text).split()), limit)
