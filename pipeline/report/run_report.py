"""The run report: figures of one run, computed from what the catalogue holds about it and from nothing else.

``run_report`` reads, ``build_report`` is pure. Figures about mutants and replays are those of accepted tasks; a
rejected draft shows up under its reason only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import Field
from rapidfuzz import fuzz

from pipeline.domain.draft import Task
from pipeline.domain.exploration import Exploration
from pipeline.domain.feature import Operation
from pipeline.domain.values import Value
from pipeline.domain.verdict import MUTANT_KINDS, MutantKind, MutantResult
from storage.records import DraftRecord, ExplorationInfo, RunInfo
from storage.store import Store

CHANGING: frozenset[Operation] = frozenset({"create", "edit", "delete", "set", "assign"})
"""Operations that change the application's data."""

REPORTED_DUPLICATE = 97.0
"""Likeness of two wordings, values in place, from which they count as near-duplicates."""


class ExactReplay(Value):
    """Replays of accepted oracles in which every step had its effect and the evaluator passed."""

    passed: int = 0
    runs: int = 0


class KindCount(Value):
    """Mutants of one kind; ``built`` are those killed, equivalent or surviving, ``inapplicable`` could not be built."""

    built: int = 0
    killed: int = 0
    equivalent: int = 0
    inapplicable: int = 0


class MutantCount(Value):
    """Mutants of all accepted tasks."""

    built: int = 0
    killed: int = 0
    survived: int = 0
    by_kind: dict[MutantKind, KindCount] = Field(default_factory=dict)


class Coverage(Value):
    """What exploration saw, and how many of its features became tasks."""

    states: int = 0
    transitions: int = 0
    routes: int = 0
    forms: int = 0
    features: int = 0
    features_tasked: int = 0


class RunReport(Value):
    """Figures of one run; the field names are the keys of ``report RUN --json``."""

    run: str
    app: str
    stopped_by: str
    drafts: int
    accepted: int
    rejected: dict[str, int]
    unscored: int
    accepted_per_hour: float
    """By the time spent on proving, set-up and exploration excluded."""
    exact_replay: ExactReplay
    mutants: MutantCount
    coverage: Coverage
    operations: dict[str, int]
    """Accepted by operation; a composite counts under that of its first part."""
    shapes: dict[str, int]
    state_changing: int
    equal_goals: int
    """Accepted tasks whose goal another, earlier task has."""
    near_duplicates: int
    """Accepted tasks whose wording, values in place, is almost that of an earlier one of the same operations."""
    off_origin_requests: int
    off_origin_blocked: int
    sign_outs: int
    wall_s: float
    tokens: int
    usd: float


@dataclass(frozen=True)
class Records:
    """What a report is computed from."""

    run: RunInfo
    drafts: Sequence[DraftRecord]
    tasks: Sequence[Task]
    exploration: Exploration | None
    known_goals: dict[str, str]
    """Goal fingerprint to task id, over the whole catalogue."""


async def run_report(store: Store, run: str) -> RunReport:
    """Figures of a run that may still be going on.

    Raises:
        UserError: no run has this name.
    """
    info = await store.run(run)
    used = _exploration_of(info, await store.explorations(info.app))
    return build_report(
        Records(
            run=info,
            drafts=await store.drafts(run),
            tasks=await store.tasks(run=run, retired=None),
            exploration=await store.exploration(used) if used else None,
            known_goals=await store.goal_fingerprints(info.app),
        )
    )


async def saw_everything(store: Store, run: str) -> bool:
    """Whether the run's exploration ended because nothing reachable was left."""
    info = await store.run(run)
    known = await store.explorations(info.app)
    used = _exploration_of(info, known)
    return any(e.id == used and e.stopped_by == "frontier" for e in known)


def build_report(records: Records) -> RunReport:
    """The figures; tasks are taken in the order of their drafts."""
    info = records.run
    tasks = sorted(records.tasks, key=lambda t: (t.draft.index, t.id))
    proofs = [d.proof for d in records.drafts if d.proof is not None]
    seen = records.exploration
    return RunReport(
        run=info.name,
        app=info.app,
        stopped_by=info.stopped_by,
        drafts=len(records.drafts),
        accepted=len(tasks),
        rejected=rejected_by_reason(records.drafts),
        unscored=sum(d.status == "unscored" for d in records.drafts),
        accepted_per_hour=round(3600 * len(tasks) / info.prove_s, 1) if info.prove_s > 0 else 0.0,
        exact_replay=ExactReplay(
            passed=sum(t.proof.oracle_passes for t in tasks), runs=sum(t.proof.oracle_runs for t in tasks)
        ),
        mutants=count_mutants(m for t in tasks for m in t.proof.mutants),
        coverage=_coverage(seen, tasks),
        operations=_counted(t.draft.goal.operations[0] for t in tasks if t.draft.goal.parts),
        shapes=_counted(t.draft.goal.shape for t in tasks),
        state_changing=sum(bool(CHANGING & set(t.draft.goal.operations)) for t in tasks),
        equal_goals=equal_goals(tasks, records.known_goals),
        near_duplicates=near_duplicates(tasks),
        off_origin_requests=_traffic((p.off_origin_requests for p in proofs), info.stats.get("reached", 0)),
        off_origin_blocked=_traffic((p.off_origin_blocked for p in proofs), info.stats.get("blocked", 0)),
        sign_outs=sum(p.sign_outs for p in proofs) + (seen.sign_outs if seen else 0),
        wall_s=round(info.wall_s, 1),
        tokens=info.stats.get("tokens", 0),
        usd=info.stats.get("usd_cents", 0) / 100,
    )


def rejected_by_reason(drafts: Sequence[DraftRecord]) -> dict[str, int]:
    """Rejected drafts by reason code, the most frequent first."""
    return _counted(d.proof.reason if d.proof else "" for d in drafts if d.status == "rejected")


def count_mutants(mutants: Iterable[MutantResult]) -> MutantCount:
    """Totals and the figures of every kind, those that never occurred included."""
    found = Counter((m.kind, m.result) for m in mutants)
    total: Counter[str] = Counter()
    by_kind: dict[MutantKind, KindCount] = {}
    for kind in MUTANT_KINDS:
        results = {r: found[kind, r] for r in ("killed", "survived", "equivalent", "inapplicable")}
        built = sum(results.values()) - results["inapplicable"]
        total.update(results, built=built)
        del results["survived"]
        by_kind[kind] = KindCount(built=built, **results)
    return MutantCount(built=total["built"], killed=total["killed"], survived=total["survived"], by_kind=by_kind)


def equal_goals(tasks: Sequence[Task], known: dict[str, str]) -> int:
    """Tasks whose goal an earlier task of the run has, or one of another run in the same catalogue."""
    own = {t.id for t in tasks}
    prints = [t.draft.goal.fingerprint for t in tasks]
    foreign = sum(known.get(p, "") not in own | {""} for p in set(prints))
    return len(prints) - len(set(prints)) + foreign


def near_duplicates(tasks: Sequence[Task], threshold: float = REPORTED_DUPLICATE) -> int:
    """Tasks whose wording is at least this like (0 to 100, order of words ignored) that of an earlier one."""
    kept: dict[tuple[Operation, ...], list[str]] = {}
    count = 0
    for task in tasks:
        # Sorting the words once and comparing plainly is what token_sort_ratio does for every pair anew.
        words = " ".join(sorted(task.draft.instruction.split()))
        earlier = kept.setdefault(task.draft.goal.operations, [])
        count += any(fuzz.ratio(words, other, score_cutoff=threshold) >= threshold for other in earlier)
        earlier.append(words)
    return count


def _exploration_of(info: RunInfo, known: Sequence[ExplorationInfo]) -> str:
    """Id of the exploration that the run names, else of the latest of the same template."""
    named = str(info.settings.get("exploration", ""))
    same = [e.id for e in known if e.template_hash == info.settings.get("template_hash")]
    return next((e.id for e in known if e.id == named), same[-1] if same else "")


def _coverage(seen: Exploration | None, tasks: Sequence[Task]) -> Coverage:
    tasked = len({p.feature for t in tasks for p in t.draft.goal.parts})
    if seen is None:
        return Coverage(features_tasked=tasked)
    return Coverage(
        states=len({p.state_key for p in seen.pages}),
        transitions=len(seen.transitions),
        routes=seen.routes,
        forms=seen.forms,
        features=len(seen.features),
        features_tasked=tasked,
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _traffic(proofs: Iterable[int], sittings: int) -> int:
    """The sittings' own count holds exploration too, but misses what a killed sitting saw; the proofs' does not."""
    return max(sum(proofs), sittings)
