"""Gate 7: the oracle replays from fresh resets, every step having its effect, and the evaluator passes each time."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, in_words, passed, unscored
from pipeline.checks.disturbances import disturb
from pipeline.checks.other_ways import another_way
from pipeline.checks.running import run
from pipeline.domain.action import Answer, Check, Click, Open, Press, Select
from pipeline.domain.environment import told
from pipeline.domain.evaluator import evaluate
from pipeline.domain.labels import pairs
from pipeline.domain.observation import Observation
from pipeline.domain.step import Step, Trajectory
from pipeline.domain.values import squeezed
from pipeline.domain.verdict import EvidenceItem, Verdict
from pipeline.live.workbench import RunRecord, Workbench

UNSTEADY = "server-unsteady"
"""Reason where a run failed in which the server broke, and another did not fail so."""


async def oracle(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """Replay the oracle; where its way cannot be walked and the UI graph knows another, that becomes the oracle."""
    verdict = await _replayed(seen, scene, bench)
    other = another_way(seen, scene) if verdict.reason == "step-not-found" else None
    if other is None:
        return verdict
    first, shown = seen.draft, seen.oracle
    seen.draft = first.model_copy(update={"oracle": other})
    seen.oracle_runs = seen.oracle_passes = 0
    seen.passing.clear()
    again = await _replayed(seen, scene, bench)
    if again.finding != "fail":
        return again
    seen.draft, seen.oracle = first, shown
    return verdict


async def _replayed(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """All runs but the last. The first keeps pictures and drops what changes nothing: choices, and the way to where
    an earlier part has led already.

    Of the later runs values are read back from their controls, and the screen is observed where something is sought.
    """
    first = await run(bench, seen, seen.draft.oracle, pictures=True, watched=True)
    idle = _idle(first)
    if idle and first.server_faults and _idle(await run(bench, seen, seen.draft.oracle, watched=True)) != idle:
        return unscored("oracle", UNSTEADY, f"A step changed nothing only once. {told(first.server_faults)}")
    if idle:
        kept = tuple(a for i, a in enumerate(seen.draft.oracle) if i not in idle)
        seen.draft = seen.draft.model_copy(update={"oracle": kept})
        first = await run(bench, seen, kept, pictures=True, watched=True)
    seen.oracle = last = first
    verdict = _unseen(seen, scene, first) or _judge(seen, first)
    for _ in range(1, scene.oracle_runs - 1):
        if verdict.finding != "pass":
            break
        last = await run(bench, seen, seen.draft.oracle, from_start=True)
        verdict = _judge(seen, last)
    return await _confirmed(verdict, last, seen, scene, bench)


async def oracle_after_others(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """The last run follows another task and a reset: a change that nobody asked for, as a mutant or on purpose."""
    if scene.oracle_runs > 1:
        if not any(m.kind == "one_more" and m.result == "killed" for m in seen.mutants):
            await disturb(seen, scene, bench)
        last = await run(bench, seen, seen.draft.oracle, from_start=True)
        return await _confirmed(_judge(seen, last), last, seen, scene, bench)
    return _all_passed(seen)


def _all_passed(seen: Seen) -> Verdict:
    return passed("oracle", f"{seen.oracle_passes} of {seen.oracle_runs} runs passed")


async def _confirmed(verdict: Verdict, record: RunRecord, seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """A step that failed, and a run in which the server broke, have to fail again in the same way.

    What a busy machine or server does once is no fault of the draft; one that refuses so does it again.
    """
    faults = record.server_faults
    if verdict.finding != "fail" or not (faults or verdict.reason.startswith("step-")):
        return verdict
    further = await run(bench, seen, seen.draft.oracle, watched=True)
    again = _unseen(seen, scene, further) or _judge(seen, further)
    said = f"{verdict.explanation} {told(faults)}".rstrip()
    if again.reason == verdict.reason:
        return verdict.model_copy(update={"explanation": said})
    return unscored("oracle", UNSTEADY if faults else "step-unsteady", f"{said} It did not fail so again.")


def _judge(seen: Seen, record: RunRecord) -> Verdict:
    seen.oracle_runs += 1
    faults = frozenset(record.server_faults)
    seen.usual_faults = faults & seen.usual_faults if seen.oracle_runs > 1 else faults
    broken = record.trajectory.broken_at
    if broken is not None:
        step = record.trajectory.steps[broken]
        said = f"Step {broken + 1} could not be done: {step.outcome.problem} {step.outcome.detail}"[:300]
        return failed("oracle", f"step-{step.outcome.problem}", said, *_of_step(step))
    evaluation = evaluate(seen.draft.evaluator, record.facts)
    saved = evaluation.outcome == "passed" and seen.draft.evaluator.changes_state
    idle = next((s for s in record.trajectory.steps if not s.effect and not (saved and _may_save(s))), None)
    if idle is not None:
        said = f"Step {idle.index + 1} changed nothing that can be seen."
        return failed("oracle", "step-without-effect", said, *_of_step(idle))
    if evaluation.outcome == "unscored":
        return unscored("oracle", "facts-missing", "A condition could not be decided.")
    if evaluation.outcome != "passed":
        last = _of_last(record.trajectory)
        return failed("oracle", "goal-not-reached", "The evaluator does not pass.", *in_words(evaluation), *last)
    seen.oracle_passes += 1
    seen.passing.append(record.facts)
    return _all_passed(seen)


def _unseen(seen: Seen, scene: Scene, record: RunRecord) -> Verdict | None:
    """A thing that the instruction names has to be told by its name on the way; else the name is another thing's.

    An answer has to stand behind its label where it is given; else it is read from a column that means something else.
    """
    if record.trajectory.broken_at is not None:
        return None
    shown = [_told(step.before) for step in record.trajectory.steps]
    for name in [part.entity.name for part in seen.draft.goal.parts if part.entity]:
        if not any(squeezed(name).casefold() in told for told in shown):
            said = f"{name!r} stands on no page of the oracle's way."
            return failed("oracle", "thing-not-seen", said, *_of_last(record.trajectory))
    part, last = seen.draft.goal.parts[-1], record.trajectory.steps[-1:]
    if part.operation == "read" and last and isinstance(last[0].action, Answer):
        label, answer = scene.app.features[part.feature].answer_label, squeezed(last[0].action.text)
        if not any((p.label, p.value) == (label, answer) for p in pairs(last[0].before)):
            said = f"{answer!r} does not stand behind {label!r} where it is asked for."
            return failed("oracle", "answer-not-seen", said, *_of_last(record.trajectory))
    return None


def _told(seen: Observation) -> str:
    """Everything that a person can read on a screen."""
    words = [seen.title, seen.text, *(f"{e.name}\n{e.value or ''}" for e in seen.elements)]
    return squeezed("\n".join(words)).casefold()


def _idle(record: RunRecord) -> set[int]:
    """Steps of a whole run that changed nothing and may be left out."""
    if record.trajectory.broken_at is not None:
        return set()
    return {s.index for s in record.trajectory.steps if not s.effect and _may_be_left_out(s)}


def _may_be_left_out(step: Step) -> bool:
    """A choice that is made already, or a link or place within the way that leads to where one is."""
    link = isinstance(step.action, Click) and step.action.target.role == "link"
    on_the_way = (link or isinstance(step.action, Open)) and step.index > 0
    return on_the_way or isinstance(step.action, Select | Check)


def _may_save(step: Step) -> bool:
    """A press of a button may store what the screen shows already; whether it did is seen in the data."""
    return isinstance(step.action, Press) or (isinstance(step.action, Click) and step.action.target.role != "link")


def _of_step(step: Step) -> tuple[EvidenceItem, ...]:
    found = [EvidenceItem(kind="step", text=f"{step.index + 1}: {step.action.model_dump_json()}"[:500])]
    for picture in (step.picture_before, step.picture_after):
        if picture:
            found.append(EvidenceItem(kind="picture", text=f"step {step.index + 1}", ref=picture))
    return tuple(found)


def _of_last(trajectory: Trajectory) -> tuple[EvidenceItem, ...]:
    return _of_step(trajectory.steps[-1]) if trajectory.steps else ()
