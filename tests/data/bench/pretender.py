"""Behaves as ``tasksieve`` does in the bench's eyes, in a second; ``PRETEND`` names the fault it is to have."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "samples"))

import finished_run as sample

from pipeline.apps.processes import Owner, child_environment, sweep
from pipeline.domain.step import Trajectory
from pipeline.domain.verdict import RunCost
from storage.store import Store

COUNT = 4
FAULT = os.environ.get("PRETEND", "")
HOME = Path(os.environ["TASKSIEVE_HOME"])


async def generate(resumed: bool) -> None:
    if FAULT != "leaves":
        sweep(HOME, 0.2)
    tagged = {**os.environ, **child_environment(Owner.here(HOME))}
    app = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], env=tagged, start_new_session=True)
    async with await Store.open(os.environ["TASKSIEVE_CATALOGUE"], clock=lambda: datetime.now(UTC)) as store:
        if not resumed:
            await store.create_run(sample.run_info("crash"))
        await store.add_drafts("crash", [sample.draft(n) for n in range(COUNT)])
        left = await store.drafts("crash", "queued")
        for record in left:
            await asyncio.sleep(0.4 if FAULT else 0.1)
            if record is left[-1]:
                end(app)
            draft = record.draft
            if FAULT == "mislabels" and resumed:
                await store.record_proof("crash", draft.id, sample.proof("rejected", "no-effect"), None, cost=RunCost())
                await store.settle("crash", [], [draft.id])
            else:
                task = sample.task(draft)
                await store.record_proof("crash", draft.id, task.proof, Trajectory(), cost=RunCost())
                await store.settle("crash", [task])
        if left:
            os._exit(0)  # a kill between the last decision and the end would find nothing left to decide otherwise
    end(app)


def end(app: subprocess.Popen[bytes]) -> None:
    app.kill()
    app.wait()


if sys.argv[1] == "generate":
    asyncio.run(generate("--resume" in sys.argv))
