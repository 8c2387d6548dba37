"""Recording and resolving locators: pure functions over observations."""

from __future__ import annotations

from pipeline.domain.observation import Element, Locator, Observation, RegionPart


def resolve(locator: Locator, seen: Observation) -> tuple[Element, ...]:
    """All elements that match; a usable locator matches exactly one."""
    found = [e for e in seen.elements if e.role == locator.role and e.name == locator.name and e.frame == locator.frame]
    if locator.region:
        found = [e for e in found if _within(locator.region, e.region)]
    if locator.field:
        found = [e for e in found if e.control is not None and e.control.field == locator.field]
    if locator.leads_to:
        found = [e for e in found if e.leads_to == locator.leads_to]
    return tuple(found)


def record(element: Element, seen: Observation) -> Locator | None:
    """The shortest locator that matches only this element, or None where there is none."""
    base = Locator(role=element.role, name=element.name, frame=element.frame)
    for locator in _candidates(base, element):
        if len(resolve(locator, seen)) == 1:
            return locator
    return None


def _candidates(base: Locator, element: Element) -> list[Locator]:
    """From plain to qualified: alone, each region part, pairs of parts, then the control's key or the link's target."""
    parts = list(reversed(element.region))
    tries = [base] if element.name else []
    tries += [base.model_copy(update={"region": (part,)}) for part in parts]
    tries += [
        base.model_copy(update={"region": (outer, inner)}) for i, inner in enumerate(parts) for outer in parts[i + 1 :]
    ]
    field = element.control.field if element.control else ""
    if field:
        keyed = base.model_copy(update={"field": field})
        tries += [keyed] + [keyed.model_copy(update={"region": (part,)}) for part in parts]
    if element.leads_to:
        linked = base.model_copy(update={"leads_to": element.leads_to})
        tries += [linked] + [linked.model_copy(update={"region": (part,)}) for part in parts]
    return tries


def _within(wanted: tuple[RegionPart, ...], region: tuple[RegionPart, ...]) -> bool:
    """True when the wanted parts appear in the region in the same order."""
    rest = iter(region)
    return all(part in rest for part in wanted)
