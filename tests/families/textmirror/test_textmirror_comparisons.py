"""Who finds whose revision: what the text mirror test's views compare within a story, by hand."""

from typing import Any

import pytest
from scipy.stats import binom, binomtest, chi2

from support.analysis.textmirror_runs import Answered, read


def read_often(place: int, a: int, b: int, c: int, d: int, **changes: Any) -> list[Answered]:
    """One story, read often: b's revision found a of a + b times, a's c of c + d times."""
    return [
        Answered(
            editor=editor,
            position=place,
            scene_seed=place,
            predicted=place if hit else 5 - place,
            **changes,
        )
        for editor, hit, count in (("b", 1, a), ("b", 0, b), ("a", 1, c), ("a", 0, d))
        for _ in range(count)
    ]


def test_foreign_sentences_are_compared_within_a_story(tmp_path):
    """Three strata of ten foreign revisions and one own, worked by hand after Robins, Breslow and
    Greenland (1986); every reading is repeated twice over, which tells nothing more."""
    episodes = [
        Answered(editor=editor, scene_seed=story, predicted=1 if hit else 2)
        for story, (found, own) in enumerate([(8, 0), (6, 1), (5, 0)])
        for editor, hit in [("a", own), *((f"e{n}", n < found) for n in range(10))]
        for _ in range(3)
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_stratified")
    (row,) = (one for one in rows if (one["author"], one["editor"]) == ("all", "all"))
    assert (row["n_strata"], row["n_cross"], row["n_self"]) == (3, 30, 3)
    assert row["odds_ratio"] == pytest.approx((8 / 11 + 5 / 11) / (4 / 11))
    # Expected hits of cross: 10·hits/11; variances 10·hits·misses/(11²·10).
    excess = (8 - 80 / 11) + (6 - 70 / 11) + (5 - 50 / 11)
    variance = (8 * 3 + 7 * 4 + 5 * 6) / 121
    assert row["chi2"] == pytest.approx(excess**2 / variance)
    assert row["p"] == pytest.approx(chi2.sf(excess**2 / variance, 1))
    assert row["ci_low"] < row["odds_ratio"] < row["ci_high"]


def test_each_author_and_each_foreign_editor_is_compared_with_the_authors_own(tmp_path):
    episodes = [
        *read_often(1, 8, 2, 3, 7),
        *read_often(1, 1, 9, 5, 5, author="c"),
        # Revised by c itself, and by d, who finds no story of its own here.
        *(Answered(author="c", editor="c", scene_seed=1, predicted=1) for _ in range(2)),
        *(Answered(author="c", editor="d", scene_seed=1, predicted=2) for _ in range(4)),
        # A story without its author's own revision tells nothing.
        *(Answered(editor="d", scene_seed=9, predicted=1) for _ in range(3)),
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_stratified")
    n_of = {(row["author"], row["editor"]): (row["n_cross"], row["n_self"]) for row in rows}
    # Of c's story a, b and d are foreign. A revision counts once, however often it was read.
    assert n_of == {
        ("all", "all"): (1 + 2 + 1, 1 + 1),
        ("a", "all"): (1, 1),
        ("c", "all"): (2 + 1, 1),
        ("all", "a"): (1, 1),
        ("all", "b"): (2, 2),
        ("all", "d"): (1, 1),
    }
    odds = {(row["author"], row["editor"]): row["odds_ratio"] for row in rows}
    assert odds["a", "all"] == pytest.approx((8 * 7) / (2 * 3))
    # d's were never found, c's own always: no odds, but a test.
    assert odds["all", "d"] is None
    (row,) = (one for one in rows if one["editor"] == "d")
    assert row["p"] == pytest.approx(chi2.sf((1 / 2) ** 2 / (1 / 4), 1))


def test_own_and_foreign_revisions_are_each_tested_against_chance(tmp_path):
    found = {("a", "a"): 2, ("a", "b"): 5, ("b", "a"): 3, ("b", "b"): 3}
    episodes = [
        Answered(author=author, editor=editor, predicted=1 if seed < hits else 2, scene_seed=seed)
        for (author, editor), hits in found.items()
        for seed in range(6)
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_above_chance")
    got = {(row["model"], row["pairing"]): row for row in rows}
    assert {key: (row["n_correct"], row["n"]) for key, row in got.items()} == {
        ("a", "self"): (2, 6),
        ("a", "cross"): (5, 6),
        # A story with its two revisions is one unit: right on both counts 1, on one 1/2.
        ("a", "all"): (3.5, 6),
        ("b", "self"): (3, 6),
        ("b", "cross"): (3, 6),
        ("b", "all"): (3, 6),
    }
    assert got["a", "all"]["accuracy"] == pytest.approx(7 / 12)
    assert got["a", "all"]["p"] == pytest.approx(binom.sf(2, 6, 0.2))
    cross = got["a", "cross"]
    p = binom.sf(4, 6, 0.2)
    assert cross["above_chance"] == pytest.approx(5 / 6 - 0.2)
    assert (cross["p"], cross["p_holm"]) == (pytest.approx(p), pytest.approx(2 * p))
    low, high = binomtest(5, 6).proportion_ci(method="wilson")
    assert (cross["ci_low"], cross["ci_high"]) == pytest.approx((low - 0.2, high - 0.2))
