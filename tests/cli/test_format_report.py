"""Where a report leads on: only to what the run has."""

from __future__ import annotations

import finished_run as sample
import pytest

from pipeline.cli.format_report import next_lines
from pipeline.report.run_report import Records, build_report

EMPTY = build_report(Records(run=sample.run_info(), drafts=[], tasks=[], exploration=None, known_goals={}))


@pytest.mark.parametrize(
    ("accepted", "rejected", "led"),
    [
        (2, {}, ["tasks", "show", "replay", "export"]),
        (2, {"no_effect": 1}, ["tasks", "show", "replay", "review", "export"]),
        (0, {"no_effect": 1}, ["review"]),
        (0, {}, []),
    ],
)
def test_a_report_leads_on_to_what_is_there(accepted: int, rejected: dict[str, int], led: list[str]) -> None:
    report = EMPTY.model_copy(update={"accepted": accepted, "rejected": rejected})
    assert [line.split()[1] for block in next_lines(report) for line in block.lines] == led
