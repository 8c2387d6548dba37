"""Understanding forms: which controls take a value, which buttons submit, what a person would call each value."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass

from pipeline.domain import locators
from pipeline.domain.feature import Parameter
from pipeline.domain.observation import Element, Form, Locator, Observation
from pipeline.domain.plausible import asks_for_a_day, written_day
from pipeline.domain.routes import RoutePatterns
from pipeline.domain.values import fingerprint, squeezed

_TYPED = {"text", "multiline", "search", "email", "url", "number", "date", "datetime", "time"}
_FIELD_WORDS = re.compile(r"[^\W\d_]+(?:_[^\W\d_]+)*")
"""Of ``lines-0-list_price``: lines, list_price."""


@dataclass(frozen=True)
class RowPick:
    """Checkboxes that repeat in the rows of a list: choosing one names an entity."""

    field: str
    kind: str
    targets: tuple[tuple[str, Locator], ...]
    """Name of the row and the control in it."""


@dataclass(frozen=True)
class SubmitButton:
    """One way to submit the form."""

    name: str
    target: Locator
    enabled: bool


@dataclass(frozen=True)
class FormReading:
    """One form of one observation."""

    form: Form
    parameters: tuple[Parameter, ...]
    picks: tuple[RowPick, ...]
    submits: tuple[SubmitButton, ...]
    needs_file: bool = False
    """A file has to be given; one that may be left out is left out."""

    @property
    def key(self) -> str:
        """Structural key: the same form on another instance of the page has the same key."""
        fields = sorted({p.key for p in self.parameters} | {p.field for p in self.picks})
        buttons = sorted({re.sub(r"\d+", "#", s.name) for s in self.submits})
        return fingerprint([self.form.method, fields, buttons], 12)

    def leads_to(self, location: str) -> str:
        """Kind of place that it submits to, without ids; ``location`` is where it stands."""
        return RoutePatterns().template(self.form.target or location)


def read_forms(seen: Observation) -> tuple[FormReading, ...]:
    """All forms with at least one submit button, in reading order."""
    members: dict[int, list[Element]] = defaultdict(list)
    for element in seen.elements:
        if element.control is not None and element.control.form is not None:
            members[element.control.form].append(element)
    readings = [_read_form(form, members.get(form.index, []), seen) for form in seen.forms]
    return tuple(r for r in readings if r.submits)


def _read_form(form: Form, members: list[Element], seen: Observation) -> FormReading:
    parameters: list[Parameter] = []
    repeated = _repeated_fields(members)
    for element in members:
        control = element.control
        if control is None or control.field in repeated or control.readonly or "disabled" in element.states:
            continue
        if repeated and control.kind == "checkbox" and not control.label and _in_row(element):
            continue  # in the header of a list: it picks all rows
        if not (control.field or element.name):
            continue  # nothing is sent under no name, and nobody could say which one is meant
        if control.kind in _TYPED or control.kind in ("select", "checkbox"):
            target = locators.record(element, seen)
            if target is not None:
                parameters.append(_parameter(element, target))
    parameters += _radio_groups(members, repeated, seen)
    parameters += _row_radios(members, repeated)
    return FormReading(
        form=form,
        parameters=_exemplified(_distinct(parameters)),
        picks=tuple(_picks(members, repeated, seen)),
        submits=tuple(_submits(members, seen)),
        needs_file=any(e.control is not None and e.control.kind == "file" and e.control.required for e in members),
    )


def _in_row(element: Element) -> str:
    return next((p.name for p in reversed(element.region) if p.role == "row" and p.name), "")


def _repeated_fields(members: list[Element]) -> frozenset[str]:
    """Fields of checkboxes and radios that stand in two or more differently named rows."""
    rows: dict[str, set[str]] = defaultdict(set)
    for element in members:
        if element.control is not None and element.control.kind in ("checkbox", "radio"):
            rows[element.control.field].add(_in_row(element))
    return frozenset(f for f, names in rows.items() if len(names - {""}) >= 2)


def _parameter(element: Element, target: Locator) -> Parameter:
    control = element.control
    assert control is not None  # the caller filtered
    options = [o for o in control.options if not o.disabled]
    default = element.value or ""
    if control.kind == "checkbox":
        default = "on" if "checked" in element.states else "off"
    elif control.kind == "select":
        default = next((o.label for o in options if o.selected), default)
    return Parameter(
        key=control.field or element.name,
        label=_label(element),
        kind=control.kind,
        target=target,
        options=tuple(o.label for o in options),
        option_values=tuple(o.value for o in options),
        default=default,
        required=control.required,
        minimum=control.minimum,
        maximum=control.maximum,
        max_length=control.max_length,
    )


def _label(element: Element) -> str:
    """What a person calls the value.

    A numbered control that bears only its row's name holds something of what the row shows, unless the row says what.
    """
    control = element.control
    assert control is not None  # the caller filtered
    by_row = element.name_source == "row" and not control.label and control.kind != "checkbox"
    words = _FIELD_WORDS.findall(control.field) if by_row and any(c.isdigit() for c in control.field) else []
    what = person_label(words[-1]) if words else ""
    if what and what not in person_label(element.name).split():
        return f"{what} of {squeezed(element.name)}"
    return person_label(control.label or element.name or control.placeholder or control.field, control.field)


def _radio_groups(members: list[Element], repeated: frozenset[str], seen: Observation) -> list[Parameter]:
    groups: dict[str, list[Element]] = defaultdict(list)
    for element in members:
        control = element.control
        if control is not None and control.kind == "radio" and control.field not in repeated and control.field:
            groups[control.field].append(element)
    found = []
    for field, radios in groups.items():
        usable = [r for r in radios if r.name and "disabled" not in r.states and locators.record(r, seen)]
        if len(usable) < 2:
            continue
        first = locators.record(usable[0], seen)
        assert first is not None  # filtered above
        group = next((p.name for p in reversed(usable[0].region) if p.role in ("group", "radiogroup")), "")
        found.append(
            Parameter(
                key=field,
                label=person_label(group or field),
                kind="radio",
                target=first,
                options=tuple(r.name for r in usable),
                option_values=tuple(r.control.submitted_value if r.control else "" for r in usable),
                default=next((r.name for r in radios if "checked" in r.states), ""),
            )
        )
    return found


def _row_radios(members: list[Element], repeated: frozenset[str]) -> list[Parameter]:
    """One radio in each row of a list: the choice is a row, by the row's name."""
    found = []
    for field in sorted(repeated):
        radios = [e for e in members if e.control is not None and e.control.field == field and e.role == "radio"]
        names = [e.name for e in radios if e.name]
        if len(names) < 2 or len(set(names)) != len(radios):
            continue
        found.append(
            Parameter(
                key=field,
                label=person_label(field),
                kind="radio",
                target=Locator(role="radio", name=names[0], field=field),
                options=tuple(names),
                option_values=tuple(r.control.submitted_value if r.control else "" for r in radios),
                default=next((r.name for r in radios if "checked" in r.states), ""),
            )
        )
    return found


def _distinct(parameters: list[Parameter]) -> tuple[Parameter, ...]:
    """Controls that share a key cannot be told apart in what is submitted: only the first counts."""
    first: dict[str, Parameter] = {}
    for parameter in parameters:
        first.setdefault(parameter.key, parameter)
    return tuple(first.values())


def _exemplified(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Empty text fields for a day with one that is written in the same form."""
    example = next((p.default for p in parameters if p.kind == "text" and written_day(p.default)), "")
    asked = [p.kind == "text" and not p.default and bool(example) and asks_for_a_day(p) for p in parameters]
    return tuple(p.model_copy(update={"example": example}) if a else p for p, a in zip(parameters, asked, strict=True))


def _picks(members: list[Element], repeated: frozenset[str], seen: Observation) -> list[RowPick]:
    picks = []
    for field in sorted(repeated):
        rows = [e for e in members if e.control is not None and e.control.field == field and _in_row(e)]
        if rows and rows[0].role == "radio":
            continue
        targets = [(_in_row(e), t) for e in rows if (t := locators.record(e, seen)) is not None]
        kind = rows[0].control.kind if rows[0].control else ""
        picks.append(RowPick(field=field, kind=kind, targets=tuple(targets)))
    return picks


def _submits(members: list[Element], seen: Observation) -> list[SubmitButton]:
    """Buttons that send the form; one that does so by a script counts only where there is no other."""
    buttons = []
    kinds = {e.control.kind for e in members if e.control is not None}
    for element in members:
        if element.control is None or element.control.kind != ("submit" if "submit" in kinds else "button"):
            continue
        if element.states & {"expanded", "collapsed"}:
            continue  # unfolds something
        target = locators.record(element, seen)
        if target is not None and element.name:
            buttons.append(SubmitButton(element.name, target, "disabled" not in element.states))
    return buttons


MOST_WORDS = 5
_ASKING = re.compile(
    r"^(change|update|set|choose|select|pick|enter)\s+(?:(?:a|an|the|your|new)\s+(?=\w)|(?=\w+\s+\w))"
    r"|\s+(of|for) (the )?(selected|chosen|checked)\b.*$",
    re.IGNORECASE,
)
"""What a label says beside the name of the value: that it is to be given, and that it is for the picked rows."""
_NOISE = re.compile(r"\((optional|required)\)|[*:?]+\s*$", re.IGNORECASE)


def person_label(text: str, fallback: str = "") -> str:
    """A control's label as it stands in a sentence: no colon, no star, lower case unless it is an abbreviation.

    A label of more than five words is an explanation rather than a name: then the fallback is read instead.
    """
    head = text.partition(":")[0]  # a label that wraps its control reads on into the control
    plain = squeezed(_NOISE.sub("", (head or text).replace("_", " ").replace("[]", ""))).strip(" :.-")
    plain = _ASKING.sub("", plain)
    words = [w if w.isupper() and len(w) > 1 else w.lower() for w in plain.split()]
    if len(words) > MOST_WORDS and fallback:
        return person_label(fallback.replace("-", " "))
    return " ".join(words)
