"""The run that a module recomputes: its DRAWN records and opens it, and its SCORED scores it.

Modules of one DRAWN read one run, whichever worker records it.
"""

import os
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from typing import Any

import pytest

from support.recomputed.agreement import RecordedRun
from support.recomputed.formulas import groups
from support.recomputed.metacog_scores import MODEL
from support.recomputed.metacog_summary import summary_of

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def run(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RecordedRun]:
    drawn = request.module.DRAWN
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / drawn.__name__
    with folder.with_suffix(".lock").open("a+") as lock:
        flock(lock, LOCK_EX)
        lock.seek(0)
        if not lock.read():
            folder.mkdir()
            drawn(folder).connection.close()
            lock.write("recorded")
    opened = RecordedRun.opened(str(folder))
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(request: pytest.FixtureRequest, run: RecordedRun) -> Rows:
    found: Rows = request.module.SCORED(run)
    return found


@pytest.fixture(scope="module")
def summaries(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {model: summary_of(rows) for model, rows in groups(scores, *MODEL).items()}
