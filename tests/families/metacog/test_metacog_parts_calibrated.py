"""Calibrated routing of single parts: Platt's fit to the other half, beside numpy's own."""

from collections.abc import Iterator
from itertools import pairwise

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray

from mirror_ray.analysis.sql_files import sql_files

Floats = NDArray[np.float64]
TASKS = 60


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Parts of one model: those it hedges about are right more often, so hedges mislead."""
    rng = np.random.default_rng(3)
    parts = []
    for task in range(TASKS):
        for part in ("A", "B"):
            hedges = int(rng.integers(0, 4))
            parts.append(
                {
                    "cluster": f"t{task}",
                    "part": part,
                    "scene_seed": task,
                    "n_hedges": hedges,
                    "correct": int(rng.random() < (0.2, 0.45, 0.6, 0.9)[hedges]),
                    "weak": bool(rng.random() < 0.4),
                }
            )
    with duckdb.connect() as opened:
        opened.register("planted", pa.Table.from_pylist(parts))
        opened.execute("create schema agency")
        opened.execute(
            "create table agency.metacog_parts as select 'metacog' as family, 'm' as model,"
            " 0.0 as temperature, 's' as setting, 'C1' as information, 'no_tools' as paradigm,"
            " 'median_or_bottom_k' as policy, 'fixed' as task_set, 'r' as route, true as decided,"
            " '' as answer, '' as domain, * from planted"
        )
        read = {file.name: file for file in sql_files()}
        opened.execute("create schema macro")
        for macro in ("metacog_platt", "metacog_escalated"):
            opened.execute(read[macro].definition())
        view = read["metacog_parts_baselines"].text
        opened.execute(f"create view agency.baselines as {view}")
        yield opened


def fit(logits: Floats, right: Floats) -> tuple[float, float]:
    """Base and slope of most likelihood, with Platt's targets: Newton's steps, halved at need."""
    n_right = right.sum()
    target = np.where(right == 1, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))
    features = np.column_stack([np.ones_like(logits), logits])

    def loss(weights: Floats) -> float:
        z = features @ weights
        return float(np.sum(np.logaddexp(0, z) - target * z))

    weights = np.zeros(2)
    for _ in range(200):
        chance = 1 / (1 + np.exp(-features @ weights))
        hessian = features.T @ (features * (chance * (1 - chance))[:, None]) + 1e-9 * np.eye(2)
        step = np.linalg.solve(hessian, features.T @ (target - chance))
        while loss(weights + step) > loss(weights) + 1e-12:
            step /= 2
        weights = weights + step
    return float(weights[0]), float(weights[1])


def expected(rows: list[tuple[int, int, int, bool]]) -> float:
    """The weak parts that neither go to another nor are right, of all weak parts."""
    task, hedges, right, weak = (np.asarray(column, float) for column in zip(*rows, strict=True))
    confidence = np.clip(1 / (1 + hedges), 1e-6, 1 - 1e-6)
    logits, half = np.log(confidence / (1 - confidence)), (task + 1) % 2
    score = np.empty(len(rows))
    for own in (0, 1):
        base, slope = fit(logits[half != own], right[half != own])
        score[half == own] = 1 / (1 + np.exp(-base - slope * logits[half == own]))
    score, left, failed = score.round(6), weak.sum(), 0.0
    edges = [0, *(np.flatnonzero(np.diff(np.sort(score))) + 1), len(score)]
    order = np.argsort(score, kind="stable")
    for begin, end in pairwise(edges):
        tied = order[begin:end]
        escalated = min(left, len(tied))
        left -= escalated
        failed += (1 - escalated / len(tied)) * (weak * (1 - right))[tied].sum()
    return float(failed / weak.sum())


def weak_cfr(connection: duckdb.DuckDBPyConnection, baseline: str) -> float | None:
    found = connection.execute(
        "select weak_cfr from agency.baselines"
        " where baseline = $1 and paradigm = 'all' and frame = 'C1'",
        [baseline],
    ).fetchone()
    assert found is not None
    share: float | None = found[0]
    return share


def test_the_fit_is_numpys_and_learns_that_hedges_mislead(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows = connection.execute(
        "select scene_seed, n_hedges, correct, weak from agency.metacog_parts"
    ).fetchall()
    calibrated, raw = weak_cfr(connection, "calibrated"), weak_cfr(connection, "confidence")
    assert calibrated == pytest.approx(expected(rows), abs=1e-9)
    assert calibrated is not None
    assert raw is not None
    assert calibrated < raw


def test_without_another_half_nothing_is_calibrated(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("delete from agency.metacog_parts where scene_seed > 0")
    connection.execute("update agency.metacog_parts set weak = true")
    assert weak_cfr(connection, "calibrated") is None
    assert weak_cfr(connection, "domain") == 0
