"""Gate 4: a name means exactly one thing in the start state, or something that an earlier part makes."""

from __future__ import annotations

from pipeline.checks.context import Scene, failed, passed
from pipeline.domain.draft import Draft
from pipeline.domain.values import canonical_json, squeezed
from pipeline.domain.verdict import EvidenceItem, Verdict


def unambiguous(draft: Draft, scene: Scene) -> Verdict:
    """Counts the things of the entity's table that bear its name."""
    evidence = []
    for part in draft.goal.parts:
        if part.entity is None:
            continue
        table = scene.app.start.tables.get(part.entity.table)
        rows = list(table.rows.values()) if table else []
        column = next((c for c, v in scene.app.row(part.entity).items() if _same(v, part.entity.name)), "")
        things = {canonical_json(r.get(part.entity.key_column)) for r in rows if _same(r.get(column), part.entity.name)}
        if len(things) != 1:
            many = f"{len(things)} things are called {part.entity.name!r}."
            return failed("unambiguous", "no-such-entity" if not things else "ambiguous-entity", many)
        evidence.append(EvidenceItem(kind="entity", text=f"{part.entity.noun} {part.entity.name}", ref=things.pop()))
    return passed("unambiguous", "", *evidence)


def _same(left: object, right: str) -> bool:
    return squeezed(str(left)).casefold() == squeezed(right).casefold()
