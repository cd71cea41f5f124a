"""The run that a module recomputes: its DRAWN records and opens it, and its SCORED scores it."""

from collections.abc import Iterator
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
    opened: RecordedRun = request.module.DRAWN(tmp_path_factory.mktemp("recomputed"))
    yield opened
    opened.connection.close()


@pytest.fixture(scope="module")
def scores(request: pytest.FixtureRequest, run: RecordedRun) -> Rows:
    found: Rows = request.module.SCORED(run)
    return found


@pytest.fixture(scope="module")
def summaries(scores: Rows) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {model: summary_of(rows) for model, rows in groups(scores, *MODEL).items()}
