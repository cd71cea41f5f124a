"""Two real models play: no row is lost, nothing that was cut is scored, and the engines agree."""

import re
from collections.abc import Iterator, Mapping

import duckdb
import pytest
from real_engine import Engine
from real_runs import MODELS, Played, played, written

from mirror_ray.analysis.warehouse import open_run

pytestmark = [pytest.mark.models, pytest.mark.timeout(1800), pytest.mark.usefixtures("ray_session")]

CHANNELS = "natural, wagering, opt_out, tools"
COLD, WARM = "runs: 1, temperature: [0.0]", "runs: 1, temperature: [0.7]"
SWEEPS = {
    "metacog": f"""
models: [smol, gemma]
stages:
  - {{family: metacog, conditions: [exp1], seeds: 8, {COLD}, channel: [{CHANNELS}]}}
  - {{family: metacog, conditions: [exp2, exp3], seeds: 2, {COLD}}}
  - {{family: metacog, conditions: [exp4], seeds: 1, {WARM}}}
  - {{family: metacog, conditions: [exp6a, exp6b, exp6c], seeds: 1, {COLD}}}
  - {{family: metacog, conditions: [exp9-C1, exp9-C3], seeds: 2, {COLD}}}
  - {{family: metacog, conditions: [judge], judge: smol, judged: [exp1], judged_keys: unread}}
""",
    "textmirror": """
models: [smol, gemma]
stages:
  - {family: textmirror, conditions: [story], seeds: 6, temperature: [0.7]}
  - {family: textmirror, conditions: [revision], temperature: [0.7]}
  - {family: textmirror, conditions: [recognition, authorship, attribution], temperature: [0.7]}
""",
    "cut short": f"""
models: [cut]
stages:
  - {{family: metacog, conditions: [exp1], seeds: 8, {WARM}, channel: [{CHANNELS}]}}
""",
    "staircase": f"""
models: [cut]
stages:
  - {{family: metacog, conditions: [staircase], seeds: 1, {COLD}}}
""",
}
LABELLED = re.compile(r"(?m)^\W{0,4}(?:ANSWER|CONFIDENCE|BET)\b[^\n]{1,200}\n|\}")


@pytest.fixture(scope="module", params=SWEEPS)
def run(
    request: pytest.FixtureRequest,
    engines: Mapping[str, Engine],
    tmp_path_factory: pytest.TempPathFactory,
) -> Played:
    folder = tmp_path_factory.mktemp(request.param)
    models = MODELS
    if request.param == "textmirror":
        # Five sentences take more.
        models = models.replace("max_tokens: 80", "max_tokens: 220")
    return played(written(folder, SWEEPS[request.param], models, engines), engines)


@pytest.fixture
def tables(run: Played) -> Iterator[duckdb.DuckDBPyConnection]:
    with open_run(str(run.out)) as connection:
        yield connection


def test_no_episode_is_lost(run: Played) -> None:
    assert run.summary.exit_code == 0, run.said
    assert run.summary.episodes_done == run.summary.episodes_planned > 0
    assert len({row["episode_id"] for row in run.steps}) == run.summary.episodes_done


def test_calls_and_tokens_are_those_that_the_engines_count(run: Played) -> None:
    for name, counted in run.counted.items():
        own = [row for row in run.steps if (row["model"] == "gemma") == (name == "gemma")]
        assert counted.calls == sum(row["attempts"] for row in own)
        assert counted.tokens_in == sum(row["tokens_in"] for row in own)
        assert counted.tokens_out == sum(row["tokens_out"] for row in own)


def test_nothing_that_was_cut_is_scored(run: Played) -> None:
    cut = [row for row in run.steps if row["finish_reason"] == "length"]
    for row in cut:
        read = row["parse_status"] != "failed" and row.get("status", "ok") == "ok"
        assert not read or LABELLED.search(row["reply"]), (row["condition"], row["reply"])


def test_every_estimate_has_a_denominator(run: Played, tables: duckdb.DuckDBPyConnection) -> None:
    view = f"metric.{run.plan.stages[0].family}"
    rows = tables.table(view).select("metric", "n", "estimate").fetchall()
    assert rows
    for metric, n, estimate in rows:
        assert n is not None, metric
        assert estimate is None or n > 0, metric
    read = tables.table(f"{view}_read").select("n_replies", "n_read").fetchall()
    assert sum(n for n, _ in read) > 0
