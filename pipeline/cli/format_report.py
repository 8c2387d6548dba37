"""The run report as tables, and where to look next."""

from __future__ import annotations

from pipeline.cli.blocks import Block, Grid, Lines
from pipeline.cli.pace import in_words
from pipeline.report.run_report import RunReport

_UNFINISHED = "not finished; times and rates are those of earlier sittings"
_NUMBERS = frozenset({"COUNT", "BUILT", "KILLED", "EQUIVALENT", "INAPPLICABLE"})


def report_blocks(report: RunReport) -> list[Block]:
    """Summary, what was accepted, why drafts fell, mutants, coverage."""
    return [
        _summary(report),
        _counts("Accepted by operation", "OPERATION", report.operations),
        _counts("Accepted by shape", "SHAPE", report.shapes),
        _counts("Rejected by reason", "REASON", report.rejected),
        _mutants(report),
    ]


def next_lines(report: RunReport) -> list[Lines]:
    """Commands that lead on from here; nothing where there is neither a task nor a rejected draft."""
    leads: dict[str, str] = {}
    if report.accepted:
        leads[f"tasks --run {report.run}"] = "the accepted tasks"
        leads["show ID"] = "one task: instruction, evaluator, oracle, verdicts, evidence"
        leads["replay ID"] = "do it again on the live application"
    if report.rejected:
        leads[f"review list --run {report.run}"] = "what was rejected, and why"
    if report.accepted:
        leads[f"export jsonl DIR --run {report.run}"] = "the tasks as files"
    width = max(map(len, leads), default=0)
    lines = tuple(f"tasksieve {what:{width}}  {why}" for what, why in leads.items())
    return [Lines("Where to look next", lines)] if lines else []


def _summary(report: RunReport) -> Lines:
    replay, seen = report.exact_replay, report.coverage
    return Lines(
        f"Run {report.run} on {report.app}",
        (
            f"accepted {report.accepted} of {report.drafts} drafts, {report.unscored} unscored, "
            f"{report.accepted_per_hour:.0f} accepted for every hour spent proving",
            f"stopped by {report.stopped_by}; took {in_words(report.wall_s)}" if report.stopped_by else _UNFINISHED,
            f"{report.state_changing} change state; {report.equal_goals} equal goals, "
            f"{report.near_duplicates} near-duplicates",
            f"exact replays {replay.passed} of {replay.runs}",
            f"explored {seen.states} states, {seen.transitions} transitions, {seen.routes} routes, "
            f"{seen.forms} forms, {seen.features} features, of which {seen.features_tasked} became tasks",
            f"requests to other origins: {report.off_origin_requests} got out, {report.off_origin_blocked} stopped; "
            f"sign-outs {report.sign_outs}; {report.tokens} tokens, {report.usd:.2f} USD",
        ),
    )


def _counts(title: str, name: str, counts: dict[str, int]) -> Grid:
    return Grid(title, (name, "COUNT"), tuple((key or "-", str(n)) for key, n in counts.items()), _NUMBERS)


def _mutants(report: RunReport) -> Grid:
    title = f"Mutants of accepted tasks: {report.mutants.killed} of {report.mutants.built} killed, "
    rows = tuple(
        (kind, str(c.built), str(c.killed), str(c.equivalent), str(c.inapplicable))
        for kind, c in report.mutants.by_kind.items()
    )
    columns = ("KIND", "BUILT", "KILLED", "EQUIVALENT", "INAPPLICABLE")
    return Grid(f"{title}{report.mutants.survived} survived", columns, rows, _NUMBERS)
