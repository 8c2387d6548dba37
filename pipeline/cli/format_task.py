"""A task or a rejected draft on screen and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, assert_never

from pipeline.cli.blocks import Block, Grid, Lines
from pipeline.cli.condition_words import condition_line
from pipeline.domain.action import Action
from pipeline.domain.draft import Draft, Task
from pipeline.domain.observation import Locator
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import Proof
from storage.records import Decision, DraftRecord, Verification


def task_json(task: Task, later: Sequence[Verification], pictures: Path) -> dict[str, Any]:
    """The draft, its proof, the oracle's steps without observations, and what later verifications found."""
    return {
        "id": task.id,
        "revision": task.revision,
        **draft_json(task.draft),
        "proof": task.proof.model_dump(mode="json"),
        "provenance": task.provenance,
        "retired": task.retired,
        "verifications": [v.model_dump(mode="json", exclude={"task"}) for v in later],
        "pictures": _pictures(task.trajectory, pictures),
    }


def rejected_json(
    record: DraftRecord, trajectory: Trajectory | None, decisions: Sequence[Decision], pictures: Path
) -> dict[str, Any]:
    """The draft, what ended it, and what people decided about it."""
    proof = record.proof
    return {
        "id": record.draft.id,
        "run": record.run,
        "status": record.status,
        "reason": proof.reason if proof else "",
        "attempts": record.attempts,
        **draft_json(record.draft),
        "proof": proof.model_dump(mode="json") if proof else None,
        "decisions": [d.model_dump(mode="json") for d in decisions],
        "pictures": _pictures(trajectory, pictures) + _evidence_pictures(proof, pictures),
    }


def draft_json(draft: Draft) -> dict[str, Any]:
    """What both have in common."""
    data = draft.model_dump(mode="json")
    return {key: data[key] for key in ("app", "instruction", "goal", "user", "start_location", "evaluator", "oracle")}


def task_blocks(task: Task, later: Sequence[Verification], pictures: Path) -> list[Block]:
    """Everything about a task, top down; where it no longer holds, its title says why."""
    retired = f", retired: {task.retired}" if task.retired else ""
    return [
        *draft_blocks(task.draft, f"Task {task.id} (revision {task.revision}{retired})"),
        *proof_blocks(task.proof),
        Lines("Pictures", tuple(_pictures(task.trajectory, pictures)) or ("none",)),
        *([Lines("Verified again", tuple(_verification_line(v) for v in later))] if later else []),
        Lines("Provenance", tuple(f"{k}: {v}" for k, v in sorted(task.provenance.items()))),
    ]


def rejected_blocks(
    record: DraftRecord, trajectory: Trajectory | None, decisions: Sequence[Decision], pictures: Path
) -> list[Block]:
    """Everything about a rejected draft; what ended it comes first."""
    proof = record.proof
    kept = _pictures(trajectory, pictures) + _evidence_pictures(proof, pictures)
    blocks: list[Block] = [*draft_blocks(record.draft, f"Draft {record.draft.id}: {record.status}")]
    if proof:
        blocks += proof_blocks(proof)
    blocks.append(Lines("Pictures", tuple(kept) or ("none",)))
    if decisions:
        lines = tuple(f"{d.at} {d.reviewer}: {d.decision} ({d.reason})" for d in decisions)
        blocks.append(Lines("Decisions", lines))
    return blocks


def _verification_line(found: Verification) -> str:
    clock = f", clock moved by {found.clock}" if found.clock else ""
    ended = next((v for v in found.proof.verdicts if v.finding in ("fail", "unscored")), None)
    return f"{found.at}{clock}: " + (f"{ended.gate} {ended.reason}: {ended.in_full}" if ended else "holds")


def draft_blocks(draft: Draft, title: str) -> list[Block]:
    """Instruction, start, evaluator, oracle."""
    start = f"starts at {draft.start_location} as {draft.user or 'nobody'}; consequence: {draft.consequence}"
    answer = next((a.text for a in reversed(draft.oracle) if a.kind == "answer"), "")
    conditions = tuple(f"{i}. {condition_line(c, answer)}" for i, c in _numbered(draft.evaluator.conditions))
    operations = "+".join(draft.goal.operations)
    return [
        Lines(title, (draft.instruction, f"{draft.goal.shape}, {operations}, on {draft.app}", start)),
        Lines("Evaluator: all of", conditions),
        Lines("Oracle", tuple(f"{i}. {action_line(a)}" for i, a in _numbered(draft.oracle))),
        Lines("Evidence", draft.evidence or ("none",)),
    ]


def proof_blocks(proof: Proof) -> list[Block]:
    """Verdicts with their evidence, and mutants."""
    verdicts = tuple((v.gate, v.finding, v.reason, v.explanation) for v in proof.verdicts)
    evidence = tuple(
        f"{v.gate}: {item.kind}: {item.text}{f' [{item.ref}]' if item.ref else ''}"
        for v in proof.verdicts
        for item in v.evidence
    )
    mutants = tuple((m.kind, m.result, m.note) for m in proof.mutants)
    return [
        Grid("Verdicts", ("GATE", "FINDING", "REASON", "EXPLANATION"), verdicts),
        Lines("Evidence of the verdicts", evidence or ("none",)),
        Grid("Mutants", ("KIND", "RESULT", "NOTE"), mutants),
    ]


def action_line(action: Action) -> str:
    """One action as a person reads it."""
    match action.kind:
        case "click":
            return f"click {_target(action.target)}"
        case "fill":
            return f"fill {_target(action.target)} with {action.text!r}"
        case "select":
            return f"select {action.option!r} in {_target(action.target)}"
        case "check":
            return f"{'check' if action.on else 'uncheck'} {_target(action.target)}"
        case "press":
            return f"press {action.key}" + (f" in {_target(action.target)}" if action.target else "")
        case "open":
            return f"open {action.location}"
        case "back":
            return "go back"
        case "scroll":
            return f"scroll by {action.steps}" + (f" in {_target(action.target)}" if action.target else "")
        case "answer":
            return f"answer {action.text!r}"
        case _:
            assert_never(action.kind)


def _target(locator: Locator) -> str:
    within = " in " + " > ".join(f"{p.role} {p.name!r}" for p in locator.region) if locator.region else ""
    return f"{locator.role} {locator.name or locator.field!r}{within}"


def _numbered(items: Sequence[Any]) -> list[tuple[int, Any]]:
    return list(enumerate(items, start=1))


def _pictures(trajectory: Trajectory | None, root: Path) -> list[str]:
    steps = trajectory.steps if trajectory else ()
    addresses = [a for s in steps for a in (s.picture_before, s.picture_after) if a]
    return [str(root / a) for a in dict.fromkeys(addresses)]


def _evidence_pictures(proof: Proof | None, root: Path) -> list[str]:
    verdicts = proof.verdicts if proof else ()
    return [str(root / e.ref) for v in verdicts for e in v.evidence if e.kind == "picture" and e.ref]
