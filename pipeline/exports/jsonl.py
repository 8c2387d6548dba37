"""Canonical JSON Lines: the same tasks give the same bytes.

Owns the record's shape and how a directory is written: complete or not at all. Refuses to write into a directory that
holds anything foreign, and lets no known secret out. No wall-clock time, port or picture goes into a record.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from pipeline.domain.action import Action
from pipeline.domain.draft import Task
from pipeline.domain.evaluator import Evaluator
from pipeline.domain.feature import Consequence
from pipeline.domain.goal import Goal
from pipeline.domain.redact import Redactor
from pipeline.domain.values import Value, canonical_json, clean_text
from pipeline.domain.verdict import Gate, MutantResult
from pipeline.errors import UserError, named_by_the_user

TASKS, SCHEMA, README = "tasks.jsonl", "schema.json", "README.md"
OURS = frozenset({TASKS, SCHEMA, README})


class Start(Value):
    """Where the task begins, after a reset."""

    location: str
    """Without origin."""
    user: str
    """Account that is signed in; empty for nobody."""


class GateFinding(Value):
    """What one gate found."""

    gate: Gate
    finding: str
    reason: str


class TaskRecord(Value):
    """One line of ``tasks.jsonl``."""

    id: str
    revision: str
    """Changes when anything that decides a verdict changes."""
    app: str
    instruction: str
    """The sentence given to an agent."""
    language: str
    goal: Goal
    start: Start
    evaluator: Evaluator
    oracle: tuple[Action, ...]
    """Actions that are known to reach the goal."""
    mutants: tuple[MutantResult, ...]
    verdicts: tuple[GateFinding, ...]
    consequence: Consequence
    features: tuple[str, ...]
    """Features that the goal uses."""
    evidence: tuple[str, ...]
    """Ids of the observed transitions and executions that the draft rests on."""
    provenance: dict[str, Any]


class Exported(Value):
    """What was written where."""

    directory: str
    tasks: int
    sha256: str
    """Of ``tasks.jsonl``."""
    withheld: tuple[str, ...] = ()
    """Ids of tasks that hold a known secret; they were left out."""


def record_of(task: Task) -> TaskRecord:
    """The exported form of a task."""
    draft = task.draft
    return TaskRecord(
        id=task.id,
        revision=task.revision,
        app=draft.app,
        instruction=draft.instruction,
        language=draft.language,
        goal=draft.goal,
        start=Start(location=draft.start_location, user=draft.user),
        evaluator=draft.evaluator,
        oracle=draft.oracle,
        mutants=task.proof.mutants,
        verdicts=tuple(GateFinding(gate=v.gate, finding=v.finding, reason=v.reason) for v in task.proof.verdicts),
        consequence=draft.consequence,
        features=tuple(dict.fromkeys(p.feature for p in draft.goal.parts)),
        evidence=draft.evidence,
        provenance=task.provenance,
    )


def export_jsonl(tasks: Iterable[Task], directory: Path, secrets: Iterable[str] = ()) -> Exported:
    """Write tasks, schema and a short README; an earlier export in the directory is replaced.

    A task in which one of the ``secrets`` stands is left out and named.

    Raises:
        UserError: the directory holds something that is not an export of ours.
        RunFault: the disk cannot be written.
    """
    with named_by_the_user(directory):
        _refuse_foreign(directory)
    ordered = sorted(tasks, key=lambda t: (t.draft.app, t.draft.index, t.id))
    redactor = Redactor(secrets)
    spelt = [(t.id, clean_text(canonical_json(record_of(t)))) for t in ordered]
    withheld = tuple(id for id, line in spelt if redactor.holds_secret(line))
    lines = [line for id, line in spelt if id not in withheld]
    body = "".join(line + "\n" for line in lines).encode()
    files = {
        README: f"{len(lines)} tasks made by tasksieve, one JSON object a line in `{TASKS}`; "
        f"`{SCHEMA}` describes a line.\n".encode(),
        SCHEMA: (json.dumps(TaskRecord.model_json_schema(), indent=1, sort_keys=True) + "\n").encode(),
        TASKS: body,
    }
    with named_by_the_user(directory):
        _write_whole(files, directory)
    return Exported(directory=str(directory), tasks=len(lines), sha256=sha256(body).hexdigest(), withheld=withheld)


def _refuse_foreign(directory: Path) -> None:
    if directory.exists() and not directory.is_dir():
        raise UserError(f"{str(directory)!r} is a file; name a directory for the export.")
    foreign = sorted({p.name for p in directory.iterdir()} - OURS) if directory.exists() else []
    if foreign:
        raise UserError(
            f"The directory {str(directory)!r} holds {foreign[0]!r}, which is no export of ours; "
            "name a new or an empty directory."
        )


def _write_whole(files: dict[str, bytes], directory: Path) -> None:
    """Everything lies complete beside the target before the target is touched; ``tasks.jsonl`` comes last."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    staged = Path(tempfile.mkdtemp(prefix=f".{directory.name}-", dir=directory.parent))
    try:
        for name, content in files.items():
            with (staged / name).open("wb") as out:
                out.write(content)
                out.flush()
                os.fsync(out.fileno())
        staged.chmod(0o755)
        if not directory.exists():
            staged.rename(directory)
            return
        for name in files:
            (staged / name).replace(directory / name)
    finally:
        shutil.rmtree(staged, ignore_errors=True)
