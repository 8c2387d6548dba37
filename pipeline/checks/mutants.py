"""Gate 8: every applicable mutant, executed live after its own reset, fails the evaluator."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, passed, unscored
from pipeline.checks.equivalence import nothing_changed, same_end
from pipeline.checks.idle_values import with_a_choice_left_out
from pipeline.checks.mutant_goals import BUILDERS, required
from pipeline.checks.running import steady_run
from pipeline.checks.surplus import Surplus, surpluses, tightened
from pipeline.domain.action import Action
from pipeline.domain.evaluator import AnswerIs, evaluate
from pipeline.domain.verdict import EvidenceItem, MutantKind, MutantResult, Verdict
from pipeline.live.workbench import Workbench

ATTEMPTS = 3
BUILDS = 12
"""So many are built to find three that differ: a choice among few things is often drawn again."""
OVER_STRICT = "fails although it ends as the oracle does"


async def mutants(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """One live run a mutant; ends at the first that lives. What may make the evaluator stricter comes first."""
    for said, actions in with_a_choice_left_out(seen, scene):
        verdict = await _asked_in_vain(said, actions, seen, scene, bench)
        if verdict is not None:
            return verdict
    for surplus in surpluses(seen, scene, scene.rng(seen.draft, "surplus")):
        verdict = _recorded(seen, "one_more", await _one_field_more(surplus, seen, scene, bench))
        if verdict is not None:
            return verdict
    for kind in BUILDERS:
        verdict = _recorded(seen, kind, await _execute(kind, seen, scene, bench))
        if verdict is not None:
            return verdict
    killed = {m.kind for m in seen.mutants if m.result == "killed"}
    missing = sorted(required(seen) - killed)
    if missing:
        notes = [f"{m.kind} {m.result} {m.note}" for m in seen.mutants if m.kind in missing]
        evidence = EvidenceItem(kind="mutant", text="; ".join(notes)[:600])
        said = f"No {missing[0]} mutant could be built and killed."
        return failed("mutants", "mutant-missing", said, evidence)
    return passed("mutants", f"{len(killed)} kinds killed")


def _recorded(seen: Seen, kind: MutantKind, result: MutantResult | None) -> Verdict | None:
    """Keep a result; the verdict where it ends the gate."""
    if result is None:
        return unscored("mutants", "facts-missing", f"The {kind} mutant could not be decided.")
    seen.mutants.append(result)
    evidence = EvidenceItem(kind="mutant", text=f"{kind}: {result.note}")
    if result.result == "survived":
        return failed("mutants", "mutant-survived", f"The {kind} mutant passes the evaluator.", evidence)
    if result.note == OVER_STRICT:
        return failed("mutants", "too-strict", f"The {kind} run is another way to the goal, and fails.", evidence)
    return None


async def _asked_in_vain(
    said: str, actions: tuple[Action, ...], seen: Seen, scene: Scene, bench: Workbench
) -> Verdict | None:
    """The verdict where a run without a choice ends as the oracle does."""
    record = await steady_run(bench, seen, actions)
    assert seen.oracle is not None  # the oracle gate passed
    if record.trajectory.broken_at is None and same_end(seen.draft, seen.oracle.facts, record.facts, scene):
        evidence = EvidenceItem(kind="mutant", text=f"without {said}: ends as the oracle does")
        return failed("mutants", "choice-without-effect", f"{said!r} is asked for and changes nothing.", evidence)
    return None


async def _one_field_more(surplus: Surplus, seen: Seen, scene: Scene, bench: Workbench) -> MutantResult | None:
    """Fill a field that nobody asked for; where that passes, the evaluator is repaired or the draft falls."""
    record = await steady_run(bench, seen, surplus.actions)
    said = f"{surplus.column} filled in as well"
    if record.trajectory.broken_at is not None or nothing_changed(seen.draft, record.facts, scene):
        return MutantResult(kind="one_more", result="inapplicable", note=f"{said}, which could not be done")
    evaluation = evaluate(seen.draft.evaluator, record.facts)
    if evaluation.outcome == "unscored":
        return None
    if evaluation.outcome == "failed":
        return MutantResult(kind="one_more", result="killed", note=said)
    if not surplus.shows_in(seen.draft.evaluator, record.facts):
        return MutantResult(kind="one_more", result="equivalent", note=f"{said}, which changed nothing")
    stricter = tightened(seen, surplus, record.facts)
    if stricter is None:
        return MutantResult(kind="one_more", result="survived", note=said)
    seen.draft = seen.draft.model_copy(update={"evaluator": stricter})
    return MutantResult(kind="one_more", result="killed", note=f"{said}: the evaluator was made stricter")


async def _execute(kind: MutantKind, seen: Seen, scene: Scene, bench: Workbench) -> MutantResult | None:
    """Of a kind that has to be killed, others are built where the first turns out to be none."""
    tried: list[tuple[Action, ...]] = []
    result: MutantResult | None = MutantResult(kind=kind, result="inapplicable", note=_why_none(kind, seen))
    for attempt in range(BUILDS if kind in required(seen) else 1):
        actions = BUILDERS[kind](seen, scene, scene.rng(seen.draft, f"{kind} {attempt}" if attempt else kind))
        if kind == "one_short" and tried:
            actions = seen.draft.oracle[:-1]
        if actions is None or actions in tried:
            continue
        tried.append(actions)
        result = await _run_mutant(kind, actions, seen, scene, bench)
        decided = result is None or result.result in ("killed", "survived") or result.note == OVER_STRICT
        if decided or len(tried) == ATTEMPTS:
            break
    return result


def _why_none(kind: MutantKind, seen: Seen) -> str:
    answers = any(isinstance(c, AnswerIs) for c in seen.draft.evaluator.conditions)
    about_answers = kind in ("other_answer", "page_dump")
    return "the task is no question" if about_answers and not answers else "the application offers none"


async def _run_mutant(
    kind: MutantKind, actions: tuple[Action, ...], seen: Seen, scene: Scene, bench: Workbench
) -> MutantResult | None:
    record = await steady_run(bench, seen, actions)
    broken = record.trajectory.broken_at
    if broken is not None:
        step = record.trajectory.steps[broken]
        return MutantResult(kind=kind, result="inapplicable", note=f"step {broken + 1}: {step.outcome.problem}")
    idle = seen.draft.evaluator.changes_state and kind != "one_short"
    if idle and nothing_changed(seen.draft, record.facts, scene):
        return MutantResult(kind=kind, result="inapplicable", note="the application refused it: nothing changed")
    evaluation = evaluate(seen.draft.evaluator, record.facts)
    if evaluation.outcome == "unscored":
        return None
    assert seen.oracle is not None  # the oracle gate passed
    alike = same_end(seen.draft, seen.oracle.facts, record.facts, scene)
    if evaluation.outcome == "failed":
        # What ends exactly as the oracle does is no mutant: doing a thing twice that does not add up, for one.
        return MutantResult(kind=kind, result="equivalent" if alike else "killed", note=OVER_STRICT if alike else "")
    if alike:
        return MutantResult(kind=kind, result="equivalent", note="ends as the oracle does")
    return MutantResult(kind=kind, result="survived", note=str([a.kind for a in actions])[:200])
