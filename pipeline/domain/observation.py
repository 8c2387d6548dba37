"""What an environment shows at one moment. Knows no URL syntax and no DOM: a location is an opaque string."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_serializer

from pipeline.domain.values import Value

NameSource = Literal["accessible", "content", "label", "placeholder", "title", "row", "field", "none"]
ControlKind = Literal[
    "text",
    "multiline",
    "search",
    "password",
    "email",
    "url",
    "number",
    "date",
    "datetime",
    "time",
    "color",
    "range",
    "checkbox",
    "radio",
    "select",
    "multiselect",
    "combobox",
    "file",
    "richtext",
    "submit",
    "button",
]


class Box(Value):
    """Bounds in CSS pixels of the viewport's coordinate system; may lie outside it when not scrolled into view."""

    x: float
    y: float
    width: float
    height: float


class RegionPart(Value):
    """One named ancestor of an element: a landmark, group, row, list item, dialog or section under a heading."""

    role: str
    name: str


class Option(Value):
    """One choice of a select; ``value`` is what is submitted, ``label`` what a person sees."""

    label: str
    value: str
    selected: bool = False
    disabled: bool = False


class Control(Value):
    """What is known of a form control beyond its role and name; buttons inside forms have one too (submit, button)."""

    kind: ControlKind
    field: str = ""
    """The control's key within its form; stable between loads, not shown to a person."""
    form: int | None = None
    """Index into ``Observation.forms``; None where the control belongs to no form."""
    label: str = ""
    options: tuple[Option, ...] = ()
    required: bool = False
    readonly: bool = False
    minimum: str = ""
    maximum: str = ""
    pattern: str = ""
    max_length: int | None = None
    placeholder: str = ""
    submitted_value: str = ""
    """For radios and checkboxes: the value that is sent when chosen. Empty for passwords, always."""


class Element(Value):
    """One perceivable element, in reading order."""

    ref: str
    """Handle of the adapter for this observation only; never stored, never compared."""
    role: str
    name: str = ""
    name_source: NameSource = "accessible"
    value: str | None = None
    """Current value of a control, with line ends kept; a password reads as bullets."""
    states: frozenset[str] = frozenset()
    """Of: checked, disabled, expanded, collapsed, selected, pressed, focused, invalid, mixed."""
    box: Box | None = None
    region: tuple[RegionPart, ...] = ()
    """Named ancestors, outermost first."""
    leads_to: str = ""
    """Location that activating the element is declared to open (a link's absolute target)."""
    level: int | None = None
    """Heading level."""
    depth: int = 0
    frame: str = ""
    """Name of the embedded frame the element lies in; empty for the main document."""
    control: Control | None = None

    @field_serializer("states")
    def _in_order(self, states: frozenset[str]) -> list[str]:
        """A set has no order of its own; equal elements must have equal JSON."""
        return sorted(states)


class Form(Value):
    """A group of controls that are submitted together."""

    index: int
    name: str = ""
    method: Literal["get", "post", "dialog"] = "get"
    target: str = ""
    """Absolute location it submits to."""
    token_fields: tuple[str, ...] = ()
    """Names of hidden fields; values are never read."""


class Unreachable(Value):
    """A part of the screen that cannot be perceived: closed shadow root, foreign frame, canvas."""

    kind: Literal["closed-shadow", "foreign-frame", "canvas"]
    name: str
    box: Box | None = None


class Observation(Value):
    """Location, title, elements in reading order and visible text."""

    location: str
    title: str = ""
    elements: tuple[Element, ...] = ()
    text: str = ""
    forms: tuple[Form, ...] = ()
    unreachable: tuple[Unreachable, ...] = ()
    status: int | None = None
    """Response status of the document where the adapter knows one."""
    notes: tuple[str, ...] = ()
    """Oddities seen while observing, such as ``never settled`` or ``cut at 1500 elements``."""
    settled: bool = True

    def named(self, role: str, name: str) -> tuple[Element, ...]:
        """Elements with exactly this role and name."""
        return tuple(e for e in self.elements if e.role == role and e.name == name)

    def headings(self) -> tuple[Element, ...]:
        """Headings in reading order."""
        return tuple(e for e in self.elements if e.role == "heading")


class Locator(Value):
    """How an element is found again: role, exact name, and as much region as makes it unique. Never an index."""

    role: str
    name: str = ""
    region: tuple[RegionPart, ...] = Field(default=())
    field: str = ""
    """The control's key within its form; used only where role, name and region are not enough."""
    leads_to: str = ""
    """For links of one name that lead to different places."""
    frame: str = ""
