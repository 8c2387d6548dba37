"""What an exploration looks like on screen and as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pipeline.cli.blocks import Block, Grid, Lines
from pipeline.domain.exploration import Exploration


def exploration_json(seen: Exploration) -> dict[str, Any]:
    """Figures, and one entry a feature."""
    return {
        "app": seen.app,
        "template_hash": seen.template_hash,
        "stopped_by": seen.stopped_by,
        "actions": seen.actions,
        "states": len({p.state_key for p in seen.pages}),
        "transitions": len(seen.transitions),
        "routes": seen.routes,
        "forms": seen.forms,
        "sign_outs": seen.sign_outs,
        "operations": dict(sorted(Counter(f.operation for f in seen.features).items())),
        "features": [
            {"id": f.id, "operation": f.operation, "noun": f.noun, "route": f.route, "consequence": f.consequence}
            for f in seen.features
        ],
    }


def exploration_blocks(seen: Exploration) -> list[Block]:
    """Features as a table, figures below."""
    rows = tuple(
        (f.id, f.operation, f.noun, f.route, ", ".join(p.label or p.key for p in f.parameters)) for f in seen.features
    )
    figures = (
        f"{len({p.state_key for p in seen.pages})} states, {len(seen.transitions)} transitions, "
        f"{seen.routes} routes, {seen.forms} forms submitted, {seen.actions} actions",
        f"stopped by: {seen.stopped_by or 'interruption'}",
    )
    return [Grid("Features", ("ID", "OPERATION", "NOUN", "ROUTE", "PARAMETERS"), rows), Lines("Exploration", figures)]
