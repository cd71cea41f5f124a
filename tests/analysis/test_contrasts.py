"""Paired contrasts: which cells are compared, on which scenes, and every figure by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from mirror_ray.analysis import paired
from mirror_ray.analysis.paired import compare_run, sign_flip_p
from mirror_ray.analysis.warehouse import open_run
from support.analysis.flipset_runs import Answered, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, write_run
from support.whole import mostly_thorough

RIGHT = Played(moments("w unknown 60", "done red 60 red"), model="scripted/a")
WRONG = Played(moments("w unknown 60", "done blue 60 blue"), model="scripted/a")


def lasting(steps: int) -> Played:
    """Right, after so many steps."""
    return replace(RIGHT, moments=moments(*["w unknown 60"] * (steps - 1), "done red 60 red"))


def in_scenes(episodes: Iterable[Played], **changes: Any) -> list[Played]:
    return [replace(episode, scene_seed=scene, **changes) for scene, episode in enumerate(episodes)]


def contrasts(directory: Path, played: Sequence[Played], where: str) -> list[dict[str, Any]]:
    run = write_run(directory, played)
    compare_run(run, draws=10_000)
    return found(run, f"from contrast.pairs where {where} order by contrast, metric")


def found(run: str, query: str) -> list[dict[str, Any]]:
    with open_run(run, hold=True) as connection:
        cursor = connection.execute(query)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_counts_of_many_models_are_compared_within_each_model(tmp_path, monkeypatch):
    monkeypatch.setattr(paired, "_MOST_MODELS", 1)
    played = [
        replace(one, model=model, condition=condition)
        for model, more in (("scripted/a", 0), ("scripted/b", 2))
        for condition, steps in (("E1", 3), ("E2", 5))
        for one in in_scenes([lasting(steps + more + k) for k in range(4)])
    ]
    rows = contrasts(tmp_path, played, "metric = 'ttd' and axis in ('model', 'condition')")
    assert {row["axis"] for row in rows} == {"model", "condition"}
    for row in rows:
        assert (row["p"] is None) == (row["axis"] == "model"), row


def newcombe(
    in_both: int, only_baseline: int, only_value: int, in_neither: int
) -> tuple[float, float]:
    """Newcombe 1998, method 10, of value minus baseline; Wilson's ends are scipy's."""
    n = in_both + only_baseline + only_value + in_neither
    before, after = in_both + only_baseline, in_both + only_value
    (low_1, high_1), (low_2, high_2) = (
        scipy.stats.binomtest(k, n).proportion_ci(method="wilson") for k in (after, before)
    )
    excess = in_both * in_neither - only_baseline * only_value
    scale = sqrt(before * (n - before) * after * (n - after))
    phi = (max(excess - n / 2, 0) if excess > 0 else excess) / scale if scale else 0.0
    down, up = after / n - low_1, high_1 - after / n
    other_down, other_up = before / n - low_2, high_2 - before / n
    difference = (after - before) / n
    return (
        difference - sqrt(down**2 - 2 * phi * down * other_up + other_up**2),
        difference + sqrt(up**2 - 2 * phi * up * other_down + other_down**2),
    )


def crossed(in_both: int, only_baseline: int, only_value: int, in_neither: int) -> list[Played]:
    baseline = [RIGHT] * (in_both + only_baseline) + [WRONG] * (only_value + in_neither)
    value = (
        [RIGHT] * in_both + [WRONG] * only_baseline + [RIGHT] * only_value + [WRONG] * in_neither
    )
    return [*in_scenes(baseline), *in_scenes(value, model="scripted/b")]


def test_shares_by_hand(tmp_path: Path) -> None:
    (got,) = contrasts(tmp_path, crossed(1, 7, 1, 12), "metric = 'tsa'")
    assert got["contrast"] == "selfid · model scripted/a → scripted/b · E1 · 0.2 · paper"
    assert (got["n"], got["only_baseline"], got["only_value"]) == (21, 7, 1)
    assert got["difference"] == pytest.approx(-6 / 21)
    assert (got["test"], got["method"]) == ("mcnemar", "newcombe")
    assert got["p"] == pytest.approx(2 * (1 + 8) / 2**8)
    assert got["odds_ratio"] == pytest.approx(1 / 7)
    assert got["cohens_g"] == pytest.approx(1 / 8 - 1 / 2)
    assert (got["cohens_dz"], got["hedges_g_av"]) == (None, None)


@pytest.mark.parametrize(
    "counts",
    mostly_thorough(
        2,
        [
            ((1, 7, 1, 12),),
            ((12, 3, 2, 8),),
            ((0, 5, 6, 0),),
            ((9, 0, 0, 0),),
            ((4, 0, 0, 4),),
            ((0, 7, 0, 0),),
        ],
    ),
)
def test_the_interval_of_shares(counts: tuple[int, int, int, int], tmp_path: Path) -> None:
    (got,) = contrasts(tmp_path, crossed(*counts), "metric = 'tsa'")
    assert (got["ci_low"], got["ci_high"]) == pytest.approx(newcombe(*counts), abs=1e-12)
    assert -1 <= got["ci_low"] <= got["difference"] <= got["ci_high"] <= 1


def test_counts_by_hand(tmp_path: Path) -> None:
    base, other = [2, 3, 4, 6], [3, 5, 5, 10]
    (got,) = contrasts(
        tmp_path,
        [
            *in_scenes(lasting(steps) for steps in base),
            *in_scenes((lasting(steps) for steps in other), condition="E2"),
        ],
        "metric = 'ttd'",
    )
    # Differences 1, 2, 1, 4: mean 2, sd² = 2. All point one way: 2 of the 16 flips are as far.
    assert (got["axis"], got["baseline"], got["value"]) == ("condition", "E1", "E2")
    assert (got["n"], got["difference"], got["p"]) == (4, 2.0, 2 / 16)
    assert got["se"] == pytest.approx(sqrt(2) / 2)
    assert got["cohens_dz"] == pytest.approx(2 / sqrt(2))
    average_sd = sqrt((np.var(base, ddof=1) + np.var(other, ddof=1)) / 2)
    assert got["hedges_g_av"] == pytest.approx(2 / average_sd * (1 - 3 / 23))
    assert got["ci_low"] <= 1.25
    assert got["ci_high"] >= 2.75
    assert (got["test"], got["method"]) == ("sign flip", "bca")
    assert (got["odds_ratio"], got["cohens_g"]) == (None, None)


def test_mcnemar_agrees_with_scipy(tmp_path: Path) -> None:
    with open_run(str(tmp_path), hold=True) as connection:
        got = connection.execute(
            "select b, c, macro.mcnemar_p(b, c) from range(40) as one(b), range(40) as other(c) "
            "union all select 700, 800, macro.mcnemar_p(700, 800)"
        ).fetchall()
    for b, c, p in got:
        expected = scipy.stats.binomtest(b, b + c).pvalue if b + c else 1.0
        assert p == pytest.approx(expected, rel=1e-9), (b, c)


def test_sign_flips_agree_with_scipy() -> None:
    differences = np.array([0.5, -1.0, 2.0, 3.0, 0.0, 1.5])
    bits = (np.arange(64)[:, np.newaxis] >> np.arange(6)) & 1
    expected = scipy.stats.permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip_p(differences, [1.0 - 2.0 * bits], is_whole=True) == expected.pvalue


def test_random_flips_come_near_the_exact_p_and_are_never_0(tmp_path: Path) -> None:
    # 16 scenes, all a step longer: exact p is 2 / 2^16; of 10,000 flips hardly one is as far.
    played = [
        *in_scenes(lasting(2) for _ in range(16)),
        *in_scenes((lasting(3) for _ in range(16)), temperature=0.7),
    ]
    (got,) = contrasts(tmp_path, played, "metric = 'ttd'")
    assert (got["axis"], got["baseline"], got["value"]) == ("temperature", "0.2", "0.7")
    assert 1 / 10_001 <= got["p"] <= 5 / 10_001
    # No spread, no interval: undefined, not zero wide.
    assert (got["ci_low"], got["ci_high"], got["cohens_dz"]) == (None, None, None)


def test_holm_by_hand(tmp_path: Path) -> None:
    # Over 8 scenes: a always right, b half, c never. McNemar: a–b 4 of 4, a–c 8 of 8, b–c 4 of 4.
    half = [RIGHT] * 4 + [WRONG] * 4
    played = [
        *in_scenes([RIGHT] * 8),
        *in_scenes(half, model="scripted/b"),
        *in_scenes([WRONG] * 8, model="scripted/c"),
    ]
    rows = contrasts(tmp_path, played, "metric = 'tsa'")
    assert [row["n_tests"] for row in rows] == [3, 3, 3]
    assert [row["p"] for row in rows] == pytest.approx([2 / 16, 2 / 256, 2 / 16])
    # Smallest × 3, then × 2; the third's × 1 may not be below it.
    assert [row["p_holm"] for row in rows] == pytest.approx([4 / 16, 6 / 256, 4 / 16])
    tied = found(str(tmp_path), "from contrast.pairs_tied where metric = 'tsa' order by rank")
    assert [(row["model"], row["tied"]) for row in tied] == [
        ("scripted/a", True),
        ("scripted/b", True),
        ("scripted/c", False),
    ]
    assert [row["behind_best"] for row in tied] == [None, 0.5, 1.0]
    # a and c alone are told apart; b shares a letter with either.
    assert [row["letters"] for row in tied] == ["a", "ab", "b"]


def test_letters_by_hand(tmp_path: Path) -> None:
    # All discordant scenes of two models point one way. Exact p: a–b 2/2², a–c 2/2⁵, b–c 2/2³,
    # a–d 2/2¹¹, b–d 2/2⁹, c–d 2/2⁶, of which Holm leaves a–d (× 6) and b–d (× 5), not c–d (× 4).
    played = [
        episode
        for name, right in zip("abcd", (40, 38, 35, 29), strict=True)
        for episode in in_scenes([RIGHT] * right + [WRONG] * (40 - right), model=f"lab/{name}")
    ]
    write_run(tmp_path, played)
    query = "select model, letters from contrast.pairs_tied where metric = 'tsa' order by model"
    letters = {row["model"]: row["letters"] for row in found(str(tmp_path), query)}
    assert letters == {"lab/a": "a", "lab/b": "a", "lab/c": "ab", "lab/d": "b"}


def test_whose_letters_meet_are_not_told_apart(tmp_path: Path) -> None:
    # Nine models that are right by chance: whatever the tests say, letters say the same.
    chance = np.random.default_rng(3)
    played = [
        episode
        for place, share in enumerate(chance.uniform(size=9))
        for episode in in_scenes(
            [RIGHT if hit else WRONG for hit in chance.uniform(size=40) < share],
            model=f"lab/{place}",
        )
    ]
    write_run(tmp_path, played)
    rows = found(str(tmp_path), "from contrast.pairs where metric = 'tsa' and axis = 'model'")
    letters = {
        row["model"]: set(row["letters"])
        for row in found(str(tmp_path), "from contrast.pairs_tied where metric = 'tsa'")
    }
    assert len({letter for own in letters.values() for letter in own}) > 2
    for row in rows:
        assert bool(letters[row["baseline"]] & letters[row["value"]]) == (row["p_holm"] >= 0.05)


def test_only_equal_scenes_are_compared(tmp_path: Path) -> None:
    failed = replace(WRONG, scene_seed=1, error_kind="timeout")
    played = [
        *in_scenes([RIGHT] * 3),
        replace(RIGHT, model="scripted/b"),
        replace(failed, model="scripted/b"),
        replace(WRONG, model="scripted/b", scene_seed=9),
    ]
    (got,) = contrasts(tmp_path, played, "metric = 'tsa'")
    assert (got["n"], got["estimate"], got["p"]) == (1, 1.0, 1.0)


def test_scenes_that_hold_something_else_are_not_compared(tmp_path: Path) -> None:
    # L1 has a screen and cards of its own; generated strings are other cards.
    kinds = {"L2": "egocentric", "ToM": "correct", "MR": "correct", "L1": "correct"}
    answers = [
        Answered(kind, condition, scene_seed=seed)
        for condition, kind in kinds.items()
        for seed in range(3)
    ]
    answers += [
        Answered("correct", scene_seed=seed, axes=((axis, value),))
        for axis, value in (("strings", "length-5"), ("prompting", "cot"))
        for seed in range(3)
    ]
    run = write_flipset_run(tmp_path, answers)
    rows = found(run, "from contrast.pairs where metric = 'accuracy'")
    assert {
        (row["axis"], row["baseline"], row["value"]): (row["n"], row["difference"]) for row in rows
    } == {
        ("condition", "L2", "ToM"): (3, 1.0),
        ("condition", "L2", "MR"): (3, 1.0),
        ("condition", "MR", "ToM"): (3, 0.0),
        ("prompting", "direct", "cot"): (3, 1.0),
    }


def test_cells_that_differ_in_two_things_are_not_compared(tmp_path: Path) -> None:
    narrow = {"variant": "paper+fov_deg=70", "says_otherwise": {"fov_deg": 70.0, "history": 1}}
    both = {
        "variant": "paper+fov_deg=70+history=5",
        "says_otherwise": {"fov_deg": 70.0, "history": 5},
    }
    wide = {"says_otherwise": {"fov_deg": 110.0, "history": 1}}
    clarified = {"variant": "clarified", **wide}
    played = [
        *in_scenes([RIGHT], **wide),
        *in_scenes([RIGHT], **clarified),
        *in_scenes([RIGHT], **narrow),
        *in_scenes([RIGHT], **both),
        *in_scenes([RIGHT], model="scripted/b", condition="E3"),
    ]
    rows = contrasts(tmp_path, played, "metric = 'tsa'")
    assert {row["contrast"] for row in rows} == {
        "selfid · variant paper → clarified · E1 · scripted/a · 0.2",
        "selfid · fov_deg 110 → 70 · E1 · scripted/a · 0.2 · paper",
        "selfid · history 1 → 5 · E1 · scripted/a · 0.2 · paper+fov_deg=70",
    }
