"""The text mirror test's views: small runs counted by hand, tests of significance against scipy."""

from math import hypot
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binom, binomtest, chi2, chisquare
from textmirror_runs import Answered, write_textmirror_run

from analysis.warehouse import open_run


def read(directory: Path, episodes: list[Answered], sql: str) -> list[dict[str, Any]]:
    with open_run(write_textmirror_run(directory, episodes)) as connection:
        cursor = connection.execute(sql)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_replies_without_a_number_are_wrong_and_failures_left_out(tmp_path):
    episodes = [
        Answered(predicted=1),
        Answered(predicted=None),
        Answered(predicted=7),
        Answered(editor="a", predicted=2),
        Answered(failed=True),
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror")
    got = {row["metric"]: (row["n"], row["estimate"]) for row in rows}
    assert got == {
        "usable": (4, 0.5),
        "accuracy": (4, 0.25),
        "accuracy_self": (1, 0.0),
        "accuracy_cross": (3, pytest.approx(1 / 3)),
    }
    accuracy = next(row for row in rows if row["metric"] == "accuracy")
    assert (accuracy["low_if_failed"], accuracy["high_if_failed"]) == (0.2, 0.4)
    assert accuracy["chance"] == pytest.approx(0.2)


def test_pairs_are_tested_exactly_and_adjusted_together(tmp_path):
    found = {"b": 6, "c": 3, "a": 2}
    episodes = [
        Answered(editor=editor, predicted=1 if seed < hits else 2, scene_seed=seed)
        for editor, hits in found.items()
        for seed in range(10)
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_pairs order by p")
    p = [binom.sf(hits - 1, 10, 0.2) for hits in (6, 3, 2)]
    assert [row["editor"] for row in rows] == ["b", "c", "a"]
    assert [row["p"] for row in rows] == pytest.approx(p)
    assert [row["p_holm"] for row in rows] == pytest.approx([3 * p[0], 2 * p[1], 2 * p[1]])
    assert [row["pairing"] for row in rows] == ["cross", "cross", "self"]


def test_two_alternatives_are_tested_against_a_half(tmp_path):
    episodes = [
        Answered(condition="authorship", position=1, predicted=1 if seed < 9 else 2)
        for seed in range(10)
    ]
    (row,) = read(tmp_path, episodes, "from metric.textmirror_pairs")
    assert (row["accuracy"], row["chance"]) == (0.9, 0.5)
    assert row["p"] == pytest.approx(binom.sf(8, 10, 0.5))


def test_a_reader_of_the_middle_is_right_by_habit_alone(tmp_path):
    episodes = [
        Answered(position=position, predicted=3, scene_seed=seed)
        for seed in range(4)
        for position in range(1, 6)
    ]
    sql = "from metric.textmirror_corrected where pairing = 'all'"
    (row,) = read(tmp_path, episodes, sql)
    assert (row["accuracy"], row["by_habit"]) == (0.2, pytest.approx(0.2))
    assert row["kappa"] == pytest.approx(0.0)


def test_habits_by_hand(tmp_path):
    """Said 1, 1, 2 and nothing, where 1, 2, 2, 2 were revised: 2 of 4, by habit (2·1 + 1·3)/16."""
    said = [(1, 1), (2, 1), (2, 2), (2, None)]
    episodes = [Answered(position=place, predicted=told) for place, told in said]
    sql = "from metric.textmirror_corrected where pairing = 'all'"
    (row,) = read(tmp_path, episodes, sql)
    assert (row["accuracy"], row["by_habit"]) == (0.5, pytest.approx(5 / 16))
    assert row["kappa"] == pytest.approx((8 - 5) / (16 - 5))


def test_places_by_hand(tmp_path):
    said = [(1, 1), (1, 2), (2, 2), (2, 2), (3, None)]
    episodes = [Answered(position=place, predicted=told) for place, told in said]
    rows = read(tmp_path, episodes, "from metric.textmirror_positions order by position")
    got = {row["position"]: (row["recall"], row["precision_share"], row["f1"]) for row in rows}
    assert got == {
        1: (0.5, 1.0, pytest.approx(2 / 3)),
        2: (1.0, pytest.approx(2 / 3), pytest.approx(0.8)),
        3: (0.0, None, None),
        4: (None, None, None),
        5: (None, None, None),
    }
    assert [row["predicted_share"] for row in rows] == [0.2, pytest.approx(0.6), 0, 0, 0]


def test_unchanged_stories_show_which_places_are_named(tmp_path):
    episodes = [Answered(variant="unchanged", predicted=told) for told in (3, 3, 5, None)]
    rows = read(tmp_path, episodes, "from metric.textmirror_positions order by position")
    assert [row["predicted_share"] for row in rows] == [0, 0, 0.5, 0, 0.25]
    assert {row["recall"] for row in rows} == {None}


def test_randomisation_is_checked_on_counts(tmp_path):
    counts = [9, 4, 7, 0, 5]
    episodes = [
        Answered(condition="revision", position=place)
        for place, count in enumerate(counts, 1)
        for _ in range(count)
    ]
    (row,) = read(tmp_path, episodes, "from metric.textmirror_randomisation")
    expected = chisquare(counts)
    assert (row["n"], row["df"]) == (25, 4)
    assert row["chi2"] == pytest.approx(expected.statistic)
    assert row["p"] == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(("x", "df"), [(0.0, 3), (0.3, 1), (4.0, 4), (25.0, 19), (700.0, 2)])
def test_chi_squared_against_scipy(tmp_path, x, df):
    (row,) = read(tmp_path, [Answered()], f"select macro.chi2_above({x}, {df}) as p")
    assert row["p"] == pytest.approx(chi2.sf(x, df), abs=1e-12)


def read_often(place: int, a: int, b: int, c: int, d: int, **changes: Any) -> list[Answered]:
    """One story, read often: a of a + b foreign revisions found, and c of c + d own ones."""
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
    """Two strata, worked by hand after Robins, Breslow and Greenland (1986)."""
    episodes = [*read_often(1, 8, 2, 3, 7), *read_often(2, 6, 4, 5, 5)]
    rows = read(tmp_path, episodes, "from metric.textmirror_stratified")
    (row,) = (one for one in rows if (one["author"], one["editor"]) == ("all", "all"))
    assert (row["n_strata"], row["n_cross"], row["n_self"]) == (2, 20, 20)
    assert row["odds_ratio"] == pytest.approx((56 / 20 + 30 / 20) / (6 / 20 + 20 / 20))
    # Expected hits of cross: 10·11/20 twice; variances 10·10·11·9/(20²·19), twice.
    excess = (8 - 5.5) + (6 - 5.5)
    variance = 2 * 100 * 99 / (400 * 19)
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
    # Of c's story a and b are foreign; c found 2 of 2 revisions of its own.
    assert n_of == {
        ("all", "all"): (10 + 20 + 4, 10 + 2),
        ("a", "all"): (10, 10),
        ("c", "all"): (20 + 4, 2),
        ("all", "a"): (10, 2),
        ("all", "b"): (20, 12),
        ("all", "d"): (4, 2),
    }
    odds = {(row["author"], row["editor"]): row["odds_ratio"] for row in rows}
    assert odds["a", "all"] == pytest.approx((8 * 7) / (2 * 3))
    # d's were never found, c's own always: no odds, but a test.
    assert odds["all", "d"] is None
    (row,) = (one for one in rows if one["editor"] == "d")
    assert row["p"] == pytest.approx(chi2.sf((4 * 2 / 6) ** 2 / (4 * 2 * 2 * 4 / (36 * 5)), 1))


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
        ("a", "all"): (7, 12),
        ("b", "self"): (3, 6),
        ("b", "cross"): (3, 6),
        ("b", "all"): (6, 12),
    }
    cross = got["a", "cross"]
    p = binom.sf(4, 6, 0.2)
    assert cross["above_chance"] == pytest.approx(5 / 6 - 0.2)
    assert (cross["p"], cross["p_holm"]) == (pytest.approx(p), pytest.approx(2 * p))
    low, high = binomtest(5, 6).proportion_ci(method="wilson")
    assert (cross["ci_low"], cross["ci_high"]) == pytest.approx((low - 0.2, high - 0.2))


def test_chance_falls_with_the_number_of_sentences(tmp_path):
    episodes = [
        *(Answered(predicted=1 + seed % 2, scene_seed=seed) for seed in range(4)),
        *(
            Answered(
                predicted=1 + seed % 2,
                scene_seed=seed,
                n_sentences=10,
                variant="paper+n_sentences=10",
            )
            for seed in range(4)
        ),
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_above_chance where pairing = 'all'")
    above = {row["n_sentences"]: row["above_chance"] for row in rows}
    assert above == {5: pytest.approx(0.3), 10: pytest.approx(0.4)}


def test_the_author_and_another_reader_meet_on_the_same_stories(tmp_path):
    """Of 12 foreign revisions 5 are found by both, 4 by the author alone, 1 by the reader alone."""
    both = [(1, 1)] * 5 + [(1, 2)] * 4 + [(2, 1)] + [(2, 2)] * 2
    others = {"reader": "c", "variant": "paper+reads=others"}
    episodes = [
        *(Answered(predicted=told, scene_seed=seed) for seed, (told, _) in enumerate(both)),
        *(
            Answered(predicted=told, scene_seed=seed, **others)
            for seed, (_, told) in enumerate(both)
        ),
        # The author was not asked about this one, and answered no other question.
        Answered(scene_seed=50, **others),
        Answered(scene_seed=0, variant="numbered", predicted=2),
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_readers where pairing = 'all'")
    (row,) = rows
    assert (row["author"], row["reader"], row["question"]) == ("a", "c", "paper")
    assert (row["n"], row["by_author"], row["by_reader"]) == (12, 9 / 12, 6 / 12)
    assert (row["only_author"], row["only_reader"]) == (4, 1)
    assert row["difference"] == pytest.approx(3 / 12)
    assert row["p"] == pytest.approx(2 * binom.cdf(1, 5, 0.5))
    # Newcombe's method 10: phi = (5·2 - 4·1 - 12/2) / … = 0, so both intervals' ends in quadrature.
    (low, high), (other_low, other_high) = (
        binomtest(hits, 12).proportion_ci(method="wilson") for hits in (9, 6)
    )
    down, up = hypot(9 / 12 - low, other_high - 6 / 12), hypot(high - 9 / 12, 6 / 12 - other_low)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((3 / 12 - down, 3 / 12 + up))


def test_without_own_revisions_there_is_nothing_to_compare(tmp_path):
    assert read(tmp_path, [Answered()], "from metric.textmirror_stratified") == []


def test_stories_of_another_length_lower_the_retention(tmp_path):
    episodes = [
        *(Answered(condition="story", kept=kept) for kept in (True, True, False)),
        Answered(condition="story", failed=True),
    ]
    (row,) = read(tmp_path, episodes, "from metric.textmirror_retention")
    assert (row["n"], row["n_kept"], row["n_failed"]) == (3, 2, 1)
    assert row["retention"] == pytest.approx(2 / 3)


def test_longer_sentences_that_are_found(tmp_path):
    episodes = [
        Answered(predicted=1, words=(10, 20)),
        Answered(predicted=1, words=(10, 16)),
        Answered(predicted=2, words=(10, 8)),
    ]
    sql = "from metric.textmirror_lengths where position = 0"
    (row,) = read(tmp_path, episodes, sql)
    assert (row["words_if_found"], row["words_if_missed"]) == (18.0, 8.0)
    # Differences 10, 6, -2 against 1, 1, 0: r = 16/3 / sqrt(74.667 · 2/3).
    assert row["correlation"] == pytest.approx(0.9449, abs=1e-4)


def test_a_sound_run_breaks_no_invariant(tmp_path):
    episodes = [Answered(), Answered(predicted=None), Answered(condition="story", kept=True)]
    assert read(tmp_path, episodes, "from metric.textmirror_violations") == []


def test_a_stranger_among_own_stories_is_told(tmp_path):
    rows = read(tmp_path, [Answered(position=7, predicted=7)], "from metric.textmirror_violations")
    assert {row["invariant"] for row in rows} == {
        "what is right is possible",
        "the revised place is one of the story's",
    }
