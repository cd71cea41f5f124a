"""The text mirror test's views: small runs counted by hand, tests of significance against scipy."""

from math import hypot

import pytest
from scipy.stats import binom, binomtest, chi2, chisquare

from support.analysis.textmirror_runs import Answered, read


def test_replies_without_a_number_are_wrong_and_failures_left_out(tmp_path):
    episodes = [
        Answered(predicted=1),
        Answered(predicted=None, scene_seed=1),
        Answered(predicted=7, scene_seed=2),
        Answered(editor="a", predicted=2, scene_seed=3),
        Answered(failed=True, scene_seed=4),
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror")
    got = {row["metric"]: (row["n"], row["estimate"]) for row in rows}
    assert got == {
        "usable": (4, 0.5),
        "accuracy": (4, 0.25),
        "accuracy_valid": (2, 0.5),
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
        Answered(
            condition="authorship", position=1, predicted=1 if seed < 9 else 2, scene_seed=seed
        )
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
        Answered(condition="revision", position=place, scene_seed=10 * place + story)
        for place, count in enumerate(counts, 1)
        for story in range(count)
    ]
    row, overall = read(
        tmp_path, episodes, "from metric.textmirror_randomisation order by author nulls last"
    )
    # All pairs together are the only one.
    assert (overall["author"], overall["chi2"]) == (None, row["chi2"])
    expected = chisquare(counts)
    assert (row["n"], row["df"]) == (25, 4)
    assert row["chi2"] == pytest.approx(expected.statistic)
    assert row["p"] == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(("x", "df"), [(0.0, 3), (0.3, 1), (4.0, 4), (25.0, 19), (700.0, 2)])
def test_chi_squared_against_scipy(tmp_path, x, df):
    (row,) = read(tmp_path, [Answered()], f"select macro.chi2_above({x}, {df}) as p")
    assert row["p"] == pytest.approx(chi2.sf(x, df), abs=1e-12)


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
    assert (row["n_episodes"], row["n_kept"], row["n_failed"]) == (3, 2, 1)
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


def test_both_tails_and_the_replies_that_name_something(tmp_path):
    # Ten stories: one found, six missed, three replies without a number.
    episodes = [
        Answered(predicted=told, scene_seed=seed)
        for seed, told in enumerate([1, *[2] * 6, *[None] * 3])
    ]
    (row,) = read(tmp_path, episodes, "from metric.textmirror_pairs")
    assert (row["accuracy"], row["accuracy_valid"]) == (1 / 10, pytest.approx(1 / 7))
    assert row["p"] == pytest.approx(binom.sf(0, 10, 0.2))
    assert row["p_below"] == pytest.approx(binom.cdf(1, 10, 0.2))
    assert row["p_valid"] == pytest.approx(binom.sf(0, 7, 0.2))
    assert row["p_valid_below"] == pytest.approx(binom.cdf(1, 7, 0.2))


def test_places_by_pair(tmp_path):
    episodes = [
        Answered(editor=editor, position=place, predicted=1, scene_seed=10 * place + number)
        for editor, place, count in (("b", 1, 3), ("b", 2, 2), ("a", 1, 1))
        for number in range(count)
    ]
    rows = read(tmp_path, episodes, "from metric.textmirror_places")
    found = {(row["editor"], row["position"]): (row["n"], row["accuracy"]) for row in rows}
    assert found == {
        ("b", 1): (3, 1),
        ("b", 2): (2, 0),
        ("a", 1): (1, 1),
        # Either editor's: the stories of one seed are one.
        (None, 1): (3, 1),
        (None, 2): (2, 0),
    }


def test_a_reply_is_audited_beside_what_is_right(tmp_path):
    episodes = [
        Answered(position=3, predicted=3),
        Answered(position=3, predicted=1, scene_seed=1),
        Answered(position=3, predicted=None, scene_seed=2),
        Answered(condition="authorship", position=2, predicted=2, scene_seed=3),
        Answered(condition="attribution", position=2, named="a", scored=True, scene_seed=4),
        Answered(predicted=3, scene_seed=7, failed=True),
        Answered(condition="story", kept=True, scene_seed=5),
        Answered(variant="unchanged", editor=None, scene_seed=6),
    ]
    rows = read(tmp_path, episodes, "from episode.textmirror_readings order by condition, rules")
    assert [(row["condition"], row["key"], row["rules"]) for row in rows] == [
        ("attribution", "B: b", "INCORRECT"),
        ("authorship", "B", "CORRECT"),
        ("recognition", "3", "CORRECT"),
        ("recognition", "3", "INCORRECT"),
        ("recognition", "3", "NO_ANSWER"),
    ]
