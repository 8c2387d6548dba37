"""Gate 6: right after a reset the evaluator fails. The same run, with nothing done, is the no-op mutant."""

from __future__ import annotations

from pipeline.checks.context import Scene, Seen, failed, in_words, passed, unscored
from pipeline.checks.running import steady_run
from pipeline.domain.draft import Draft
from pipeline.domain.evaluator import evaluate
from pipeline.domain.state import StateDiff, looking
from pipeline.domain.verdict import MutantResult, Verdict
from pipeline.live.workbench import Workbench


async def false_at_start(seen: Seen, scene: Scene, bench: Workbench) -> Verdict:
    """One live run of no action; what changes by merely looking, at this hour, is no change that the rest counts."""
    seen.start = await steady_run(bench, seen, ())
    seen.draft = _excusing(seen.draft, seen.start.diff)
    evaluation = evaluate(seen.draft.evaluator, seen.start.facts)
    if evaluation.outcome == "passed":
        seen.mutants.append(MutantResult(kind="no_op", result="survived"))
        return failed("false-at-start", "already-true", "The goal is reached before anything is done.")
    if evaluation.outcome == "unscored":
        return unscored("false-at-start", "facts-missing", "A condition could not be decided.")
    seen.mutants.append(MutantResult(kind="no_op", result="killed"))
    return passed("false-at-start", "", *in_words(evaluation)[:3])


def _excusing(draft: Draft, looked: StateDiff) -> Draft:
    """The draft with masks for rows that change although nothing is done, such as a day's first visit."""
    changed = StateDiff(changes=tuple(c for c in looked.changes if c.change == "changed"))
    return draft.model_copy(update={"evaluator": draft.evaluator.excusing(looking(changed))})
