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
models: [long, gemma]
stages:
  - {{family: metacog, conditions: [exp1], seeds: 8, {COLD}, channel: [{CHANNELS}]}}
  - {{family: metacog, conditions: [exp2, exp3], seeds: 2, {COLD}}}
  - {{family: metacog, conditions: [exp4], seeds: 1, {WARM}}}
  - {{family: metacog, conditions: [exp6a, exp6b, exp6c], seeds: 1, {COLD}}}
  - {{family: metacog, conditions: [exp9-C1, exp9-C3], seeds: 2, {COLD}}}
  - {{family: metacog, conditions: [judge], judge: long, judged: [exp1], judged_keys: unread}}
""",
    "textmirror": """
models: [smol, long, gemma]
stages:
  - {family: textmirror, conditions: [story], seeds: 8, temperature: [0.7]}
  - {family: textmirror, conditions: [revision], temperature: [0.7]}
  - {family: textmirror, conditions: [recognition, authorship, attribution], temperature: [0.7]}
  - {family: textmirror, conditions: [explanation], temperature: [0.7]}
""",
    # Experiment 8. Even `cut` bets on an answer, and some of its short replies to `tools` are read.
    "sizes": f"""
models: [cut, smol, long, gemma]
stages:
  - {{family: metacog, conditions: [exp1], seeds: 8, {COLD}, channel: [wagering, tools]}}
  - {{family: metacog, conditions: [exp1], seeds: 2, {WARM}, channel: [{CHANNELS}]}}
""",
    "staircase": f"""
models: [smol]
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
    with open_run(str(run.out), hold=True) as connection:
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
        scored = read or row.get("correct") is not None
        assert not scored or LABELLED.search(row["reply"]), (row["condition"], row["reply"])


def test_every_table_shows_denominators_and_bounds(
    run: Played, tables: duckdb.DuckDBPyConnection
) -> None:
    family = run.plan.stages[0].family
    views = tables.execute(
        "select schema, name, list(column_name) from (select table_schema as schema,"
        " table_name as name, column_name from information_schema.columns)"
        " where schema in ('metric', 'summary', 'paper') and contains(name, ?) group by all",
        [family],
    ).fetchall()
    n_bounded = 0
    for schema, name, columns in views:
        measured = next((one for one in ("estimate", "accuracy") if one in columns), None)
        if measured is None:
            continue
        shown = tables.table(f"{schema}.{name}")
        order = shown.columns
        for row in (dict(zip(order, values, strict=True)) for values in shown.fetchall()):
            where = f"{schema}.{name}: {row}"
            if (value := row[measured]) is None:
                continue
            assert max(row.get(one) or 0 for one in ("n", "n_episodes", "n_scenes")) > 0, where
            assert row["n_replies"] >= row["n_read"] >= 0, where
            for low, high in (("ci_low", "ci_high"), ("low_if_unread", "high_if_unread")):
                if row.get(low) is not None and row.get(high) is not None:
                    n_bounded += 1
                    assert row[low] - 1e-9 <= value <= row[high] + 1e-9, where
    assert n_bounded > 0


def test_slopes_over_sizes_state_their_models_and_replies(
    run: Played, tables: duckdb.DuckDBPyConnection
) -> None:
    if "metacog" not in run.plan.families:
        pytest.skip("only metacog compares sizes")
    with_estimate = tables.execute(
        "select temperature, setting, metric, count(estimate) from summary.metacog group by all"
    ).fetchall()
    n_measured = {tuple(key): n for *key, n in with_estimate}
    slopes = tables.execute(
        "select temperature, setting, metric, n_models, slope, ci_low, ci_high, n_replies, n_read"
        " from summary.metacog_scaling"
    ).fetchall()
    for *key, n_models, slope, low, high, n_replies, n_read in slopes:
        assert n_models == n_measured[tuple(key)]
        assert (slope is None) == (n_models < 3)
        if slope is not None:
            assert low <= slope <= high
            assert n_replies >= n_read > 0
    is_sizes = "long" in run.plan.models and "cut" in run.plan.models
    assert any(slope is not None for *_, slope, _, _, _, _ in slopes) or not is_sizes
