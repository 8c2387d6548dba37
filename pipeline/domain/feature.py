"""Features, their parameters, and effect models: what an operation does to state, in terms of its values."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pipeline.domain.action import Click
from pipeline.domain.observation import ControlKind, Locator
from pipeline.domain.values import Cell, Value

Operation = Literal["create", "edit", "delete", "set", "assign", "search", "filter", "sort", "navigate", "read"]
Consequence = Literal["none", "reversible", "destructive", "permission", "message", "payment", "settings"]


class FromParameter(Value):
    """The cell carries a parameter's value, between a constant prefix and suffix."""

    kind: Literal["parameter"] = "parameter"
    parameter: str
    spelling: int = 0
    """Which spelling of the value: 0 as typed or submitted, 1 as shown."""
    prefix: str = ""
    suffix: str = ""
    nothing: tuple[str, ...] = ()
    """Values that choose nothing, of which the cell is null."""


class FromEntity(Value):
    """The cell equals a column of the entity's row in the start state."""

    kind: Literal["entity"] = "entity"
    column: str


class FromPrior(Value):
    """The cell equals what a column of the entity's row held before the operation."""

    kind: Literal["prior"] = "prior"
    column: str


class Fixed(Value):
    """The cell is the same whatever the values."""

    kind: Literal["fixed"] = "fixed"
    value: Cell


class Volatile(Value):
    """The cell differs between executions in a way that no value explains: clock, counter, id."""

    kind: Literal["volatile"] = "volatile"


Binding = Annotated[FromParameter | FromEntity | FromPrior | Fixed | Volatile, Field(discriminator="kind")]


class EachRow(Value):
    """All rows of a table whose ``column`` holds what ``entity_column`` of the entity's row holds."""

    column: str
    entity_column: str


class RowEffect(Value):
    """One row that the operation adds, removes or changes."""

    table: str
    change: Literal["added", "removed", "changed"]
    key: dict[str, Binding]
    cells: dict[str, Binding]
    """Of an added row all cells beyond the key, of a changed row the changed ones, of a removed row none."""

    optional: bool = False
    """Was not seen in every execution, or holds only constants that a second execution does not repeat."""
    each: EachRow | None = None
    """Of a cascade: which rows of the table the operation reaches."""

    @property
    def bindings(self) -> tuple[Binding, ...]:
        """What explains its cells, those of the key first."""
        return (*self.key.values(), *self.cells.values())

    @property
    def carries_meaning(self) -> bool:
        """False for what merely comes along: a changed row in which nothing but counters differs."""
        if self.optional:
            return False
        return self.change != "changed" or any(not isinstance(b, Volatile) for b in self.cells.values())


class LocationEffect(Value):
    """Where the operation ends: path and query parts in terms of its values. For operations that change no state."""

    path: Binding
    query: dict[str, Binding] = Field(default_factory=dict)


class EffectModel(Value):
    """What a feature does, learned from at least two executions with different values."""

    rows: tuple[RowEffect, ...] = ()
    location: LocationEffect | None = None
    executions: int = 0

    @property
    def changes_state(self) -> bool:
        """Whether any row carries a meaning."""
        return bool(self.meant)

    @property
    def meant(self) -> tuple[RowEffect, ...]:
        """The rows that carry a meaning."""
        return tuple(r for r in self.rows if r.carries_meaning)


class Parameter(Value):
    """One value that a feature takes."""

    key: str
    """Unique within the feature."""
    label: str
    """What a person would call it, lower case, without colon."""
    kind: ControlKind
    target: Locator
    """May hold the slots ``⟦name⟧`` and ``⟦key⟧`` for the entity."""
    options: tuple[str, ...] = ()
    """Labels that may be chosen, of a choice only."""
    option_values: tuple[str, ...] = ()
    """What is submitted for each option."""
    default: str = ""
    example: str = ""
    """What stands in another field of the form that takes the same kind of value: how a day is written here."""
    required: bool = False
    minimum: str = ""
    """Smallest value that the control takes, as it declares it; likewise the largest."""
    maximum: str = ""
    max_length: int | None = None


class EntityType(Value):
    """A kind of thing that the application keeps, as a table and as pages."""

    noun: str
    table: str
    key_column: str
    name_column: str
    """Column whose value a person sees as the thing's name."""
    location: str
    """Location of its page with ``⟦key⟧`` for the key, URL-quoted."""


class Feature(Value):
    """One operation on one object type through one form or control of one route template."""

    id: str
    app: str
    operation: Operation
    noun: str
    """The object type in a person's words."""
    route: str
    location: str
    """Where it is executed; holds ``⟦key⟧`` where it belongs to an entity."""
    prelude: tuple[Click, ...] = ()
    """Clicks at that place that bring the form into reach."""
    parameters: tuple[Parameter, ...] = ()
    pinned: tuple[tuple[str, str], ...] = ()
    """Choices that are part of the feature: parameter key and label."""
    pick: Locator | None = None
    """Of a list: the checkbox in the entity's row, with slots."""
    submit: Locator | None = None
    entity: EntityType | None = None
    sample: tuple[str, str] = ("", "")
    """Key and name of the entity it was learned on."""
    effects: EffectModel = EffectModel()
    consequence: Consequence = "none"
    evidence: tuple[str, ...] = ()
    """Ids of the recorded executions or transitions."""
    heading: str = ""
    """Heading of the place, for the wording."""
    deed: str = ""
    """The words of the link or button that a person presses to have it done, of a form that has no values, or that only
    adds something beside its thing."""
    answer_column: str = ""
    """Of a read feature: the column that holds the answer."""
    answer_label: str = ""


def spellings(parameter: Parameter, value: str) -> tuple[str, ...]:
    """The value as submitted, then as shown; of a box every way in which applications keep a yes or a no."""
    if parameter.kind == "checkbox":
        return box_spellings(value)
    if value in parameter.options and parameter.option_values:
        return (parameter.option_values[parameter.options.index(value)], value)
    return (value, value)


def box_spellings(value: str) -> tuple[str, ...]:
    """``on`` or ``off`` as applications keep it."""
    return ("1", "true", "on", "yes", "enabled") if value == "on" else ("0", "false", "off", "no", "disabled")
