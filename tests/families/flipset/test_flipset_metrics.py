"""FlipSet's views: small runs counted by hand, tests of significance against scipy."""

from math import sqrt
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from scipy.stats import binom, pearsonr
from scipy.stats import t as student

from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import Answered, write_flipset_run


def rows_of(connection: duckdb.DuckDBPyConnection, sql: str) -> list[dict[str, Any]]:
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def read(directory: Path, episodes: list[Answered], sql: str) -> list[dict[str, Any]]:
    with open_run(write_flipset_run(directory, episodes)) as connection:
        return rows_of(connection, sql)


def test_shares_of_all_and_of_errors(tmp_path: Path) -> None:
    kinds = ["correct"] * 2 + ["egocentric"] * 5 + ["random", "fail", None]
    episodes = [Answered(kind, scene_seed=seed) for seed, kind in enumerate(kinds)]
    got = {row["metric"]: row for row in read(tmp_path, episodes, "from metric.flipset")}
    assert {name: (row["n"], row["estimate"]) for name, row in got.items()} == {
        "accuracy": (9, pytest.approx(2 / 9)),
        "egocentric": (9, pytest.approx(5 / 9)),
        "confusable": (9, 0.0),
        "random": (9, pytest.approx(1 / 9)),
        "fail": (9, pytest.approx(1 / 9)),
        "egocentric_of_errors": (7, pytest.approx(5 / 7)),
        "confusable_of_errors": (7, 0.0),
        "random_of_errors": (7, pytest.approx(1 / 7)),
        "fail_of_errors": (7, pytest.approx(1 / 7)),
    }
    assert got["accuracy"]["chance"] == 0.25
    # Had the failed episode been wrong, or right.
    assert got["accuracy"]["low_if_failed"] == pytest.approx(2 / 10)
    assert got["accuracy"]["high_if_failed"] == pytest.approx(3 / 10)


def test_what_a_question_does_not_offer_is_undefined(tmp_path: Path) -> None:
    episodes = [Answered("correct", "L1", scene_seed=seed) for seed in range(4)]
    got = {row["metric"]: row for row in read(tmp_path, episodes, "from metric.flipset")}
    assert got["accuracy"]["chance"] == 0.5
    assert (got["confusable"]["n"], got["confusable"]["estimate"]) == (0, None)
    assert (got["egocentric"]["n"], got["egocentric"]["estimate"]) == (4, 0.0)
    assert got["egocentric_of_errors"]["estimate"] is None


def test_chance_is_tested_exactly(tmp_path: Path) -> None:
    kinds = ["correct"] * 3 + ["egocentric"] * 25
    episodes = [Answered(kind, scene_seed=seed) for seed, kind in enumerate(kinds)]
    (row,) = read(tmp_path, episodes, "from metric.flipset_chance")
    assert (row["n"], row["n_correct"]) == (28, 3)
    assert row["p_below"] == pytest.approx(binom.cdf(3, 28, 0.25))
    assert row["p_above"] == pytest.approx(binom.sf(2, 28, 0.25))


def test_composition_and_its_interval(tmp_path: Path) -> None:
    """Three strings, twice each: the delta method over strings, worked out here from scratch."""
    right = {
        "L2": [(0, 0), (0, 0), (1, 0)],
        "ToM": [(1, 1), (1, 1), (1, 0)],
        "MR": [(1, 1), (1, 0), (0, 1)],
    }
    episodes = [
        Answered("correct" if hit else "egocentric", condition, scene_seed=item + 28 * time)
        for condition, items in right.items()
        for item, hits in enumerate(items)
        for time, hit in enumerate(hits)
    ]
    got = {
        row["metric"]: row for row in read(tmp_path, episodes, "from metric.flipset_composition")
    }
    l2, tom, mr = 1 / 6, 5 / 6, 4 / 6
    assert got["product"]["estimate"] == pytest.approx(tom * mr)
    assert got["deficit"]["estimate"] == pytest.approx(l2 - tom * mr)
    means = {name: [sum(hits) / 2 for hits in items] for name, items in right.items()}
    pulls = [
        (a - l2) / 3 - mr * (b - tom) / 3 - tom * (c - mr) / 3
        for a, b, c in zip(means["L2"], means["ToM"], means["MR"], strict=True)
    ]
    se = sqrt(sum(pull**2 for pull in pulls) * 3 / 2)
    assert got["deficit"]["se"] == pytest.approx(se)
    half = student.ppf(0.975, 2) * se
    assert got["deficit"]["ci_low"] == pytest.approx(max(l2 - tom * mr - half, -1))
    assert got["deficit"]["ci_high"] == pytest.approx(min(l2 - tom * mr + half, 1))
    assert got["deficit"]["n"] == 3


def test_a_share_has_the_same_interval_in_its_composition(tmp_path: Path) -> None:
    episodes = [
        Answered("correct" if (item + skipped) % 3 else "random", condition, scene_seed=item)
        for skipped, condition in enumerate(("L2", "ToM", "MR"))
        for item in range(28)
    ]
    rows = read(
        tmp_path,
        episodes,
        "select whole.ci_low as low, whole.ci_high as high, part.ci_low, part.ci_high, part.method "
        "from metric.flipset as whole inner join metric.flipset_composition as part "
        "on part.metric = lower(whole.condition) and whole.metric = 'accuracy'",
    )
    assert len(rows) == 3
    for low, high, part_low, part_high, method in (row.values() for row in rows):
        assert (part_low, part_high, method) == (low, high, "wilson")


def test_composition_needs_all_three_conditions(tmp_path: Path) -> None:
    episodes = [Answered("correct", name) for name in ("L2", "MR")]
    assert read(tmp_path, episodes, "from metric.flipset_composition") == []


def test_correlation_over_models(tmp_path: Path) -> None:
    hits = {"a": (1, 3), "b": (2, 2), "c": (4, 6), "d": (5, 9), "e": (5, 4)}
    episodes = [
        Answered(
            "correct" if seed < count else "random", condition, f"lab/{model}", scene_seed=seed
        )
        for model, counts in hits.items()
        for condition, count in zip(("L2", "MR"), counts, strict=True)
        for seed in range(10)
    ]
    (row,) = read(tmp_path, episodes, "from metric.flipset_correlations")
    expected = pearsonr(*zip(*hits.values(), strict=True))
    assert (row["control"], row["n"]) == ("MR", 5)
    assert row["estimate"] == pytest.approx(expected.statistic)
    assert row["p"] == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval()
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((interval.low, interval.high))


def test_the_visibility_control_serves_every_order_of_the_options(tmp_path: Path) -> None:
    """L1 has no such axis: its own variant lacks it, but has the others."""
    hits = {"a": (1, 1), "b": (2, 2), "c": (3, 3)}
    cot = (("prompting", "cot"),)
    episodes = [
        Answered(kind, condition, f"lab/{model}", scene_seed=seed, axes=axes)
        for model, counts in hits.items()
        for condition, count, axes in zip(
            ("L2", "L1"), counts, ((("layouts", 24), *cot), cot), strict=True
        )
        for seed in range(4)
        for kind in ["correct" if seed < count else "egocentric"]
    ]
    episodes.append(Answered("correct", "L1", "lab/a"))
    (row,) = read(tmp_path, episodes, "from metric.flipset_correlations")
    assert (row["control"], row["n"], row["estimate"]) == ("L1", 3, pytest.approx(1.0))
    assert row["variant"] == "paper+layouts=24+prompting=cot"


def test_correlation_of_models_that_do_not_differ_is_undefined(tmp_path: Path) -> None:
    episodes = [
        Answered("correct", condition, f"lab/{model}")
        for model in "abc"
        for condition in ("L2", "ToM")
    ]
    (row,) = read(tmp_path, episodes, "from metric.flipset_correlations")
    assert (row["n"], row["estimate"], row["p"]) == (3, None, None)


def test_position_baselines_of_the_whole_set(tmp_path: Path) -> None:
    """The source's layouts: the right option is anywhere alike, the egocentric one 6/4/2/0."""
    episodes = [Answered("egocentric", scene_seed=seed) for seed in range(336)]
    rows = read(tmp_path, episodes, "from metric.flipset_positions order by label")
    share = {(row["metric"], row["label"]): row["estimate"] for row in rows}
    assert [share["always_accuracy", label] for label in "ABCD"] == [0.25] * 4
    assert [share["always_egocentric", label] for label in "ABCD"] == pytest.approx(
        [6 / 12, 4 / 12, 2 / 12, 0]
    )
    assert [share["answered", label] for label in "ABCD"] == pytest.approx(
        [6 / 12, 4 / 12, 2 / 12, 0]
    )


def test_by_class_and_by_layout(tmp_path: Path) -> None:
    episodes = [
        Answered("correct" if seed in {0, 1} else "egocentric", scene_seed=seed)
        for seed in range(56)
    ]
    with open_run(write_flipset_run(tmp_path, episodes)) as connection:
        classes = rows_of(
            connection, "from metric.flipset_classes where metric = 'accuracy' order by item_class"
        )
        layouts = rows_of(connection, "from metric.flipset_layouts where metric = 'accuracy'")
    assert len(classes) == 9
    digits = next(row for row in classes if row["item_class"] == "two digits")
    # Two strings, each in two layouts.
    assert (digits["n"], digits["n_episodes"], digits["estimate"]) == (2, 4, 0.5)
    assert len(layouts) == 12
    assert sum(row["n"] for row in layouts) == 56


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openai/gpt-5.1", "GPT"),
        ("openrouter/qwen/qwen3.6-plus", "Qwen"),
        ("hosted_vllm/Qwen/Qwen3-VL-8B-Instruct", "Qwen"),
        ("openrouter/google/gemma-4-31b-it:nitro", "Gemma"),
    ],
)
def test_model_families(tmp_path: Path, model: str, expected: str) -> None:
    (row,) = read(
        tmp_path,
        [Answered("correct", model=model)],
        "from metric.flipset_families where metric = 'accuracy'",
    )
    assert (row["model_family"], row["n"], row["estimate"], row["ci_low"]) == (expected, 1, 1, None)


@pytest.mark.parametrize(("t", "df"), [(0.0, 1), (0.5, 1), (2.1, 2), (-3.7, 3), (1.3, 30)])
def test_p_of_students_t(tmp_path: Path, t: float, df: int) -> None:
    (row,) = read(tmp_path, [Answered("correct")], f"select macro.t_two_sided({t}, {df}) as p")
    assert row["p"] == pytest.approx(2 * student.sf(abs(t), df))


def test_violations(tmp_path: Path) -> None:
    sound = [
        Answered(kind, condition, scene_seed=seed)
        for seed, kind in enumerate(["correct", "fail", None])
        for condition in ("L2", "ToM", "MR", "L1")
    ]
    assert read(tmp_path / "sound", sound, "from metric.flipset_violations") == []
    unseen = read(
        tmp_path / "unseen", [Answered("correct", monkey_px=0)], "from metric.flipset_violations"
    )
    assert [row["invariant"] for row in unseen] == [
        "the monkey is in the picture, unless MR shows the card alone"
    ]


def test_tom_and_rotation_are_correlated_too(tmp_path: Path) -> None:
    hits = {"a": (1, 3, 1), "b": (2, 2, 2), "c": (4, 6, 3), "d": (5, 9, 1)}
    episodes = [
        Answered("correct" if seed < count else "random", condition, f"lab/{model}", seed)
        for model, counts in hits.items()
        for condition, count in zip(("ToM", "MR", "L2"), counts, strict=True)
        for seed in range(10)
    ]
    rows = read(tmp_path, episodes, "from metric.flipset_correlations")
    r = {(row["condition"], row["control"]): row["estimate"] for row in rows}
    assert set(r) == {("L2", "ToM"), ("L2", "MR"), ("ToM", "MR")}
    tom, mr, _ = zip(*hits.values(), strict=True)
    assert r["ToM", "MR"] == pytest.approx(pearsonr(tom, mr).statistic)


def test_models_below_chance_and_their_median_deficit(tmp_path: Path) -> None:
    hits = {"a": 0, "b": 2, "c": 12}
    episodes = [
        Answered("correct" if seed < count else "egocentric", condition, f"lab/{model}", seed)
        for model, level_2 in hits.items()
        for condition, count in (("L2", level_2), ("ToM", 28), ("MR", 28))
        for seed in range(28)
    ]
    with open_run(write_flipset_run(tmp_path, episodes)) as connection:
        (below,) = rows_of(connection, "from metric.flipset_chance_models where condition = 'L2'")
        (deficits,) = rows_of(connection, "from metric.flipset_composition_models")
    assert (below["n"], below["n_below"], below["n_below_p05"], below["n_above"]) == (3, 2, 2, 1)
    assert (deficits["n"], deficits["n_negative"]) == (3, 3)
    assert deficits["median_deficit"] == pytest.approx(2 / 28 - 1)


def test_families_have_the_range_of_their_sizes(tmp_path: Path) -> None:
    names = ("openrouter/google/gemma-4-31b-it:nitro", "openrouter/google/gemma-4-26b-a4b-it:nitro")
    episodes = [Answered("correct", model=name) for name in (*names, "openai/gpt-5.1")]
    rows = read(tmp_path, episodes, "from metric.flipset_families where metric = 'accuracy'")
    sizes = {row["model_family"]: (row["smallest_b"], row["largest_b"]) for row in rows}
    assert sizes == {"Gemma": (26.0, 31.0), "GPT": (None, None)}


def test_what_earlier_versions_called_paper_stands_under_its_own_name(tmp_path: Path) -> None:
    out = write_flipset_run(tmp_path, [Answered("correct", axes=(("layouts", 24),))])
    part = tmp_path / "episodes" / "family=flipset" / "part-000000.parquet"
    rows = pq.read_table(part)
    pq.write_table(rows.drop_columns(["prompt", "scene"]), part)
    with open_run(out) as connection:
        (row,) = rows_of(connection, "from metric.flipset where metric = 'accuracy'")
    assert row["variant"] == "framed+layouts=24"
