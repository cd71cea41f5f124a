"""Rounds of a question: what is asked, what is decided on whom, and that nothing but the replies
decides it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.records.decisions import StoppingDecision
from mirror_ray.stopping.outlook import outlook
from mirror_ray.stopping.rounds import due, settled_ids
from mirror_ray.stopping.shared_units import StoppingQuestion, questions_of
from mirror_ray.sweep.plan import Until

VERDICT = Until("verdict", 0.99, least_units=5, round_units=5)
BEST = Until("best_of", 0.99, least_units=5, round_units=5)
WIDTH = Until("half_width", 0.15, least_units=20, round_units=5)

Right = Callable[[EpisodeSpec], float | None]


def question(models: str = "ab", seeds: int = 21, runs: int = 1) -> StoppingQuestion:
    cells = [Cell("selfid", "E1", (("subject", name),), 0.2, "paper") for name in models]
    specs = [EpisodeSpec(cell, seed, run) for seed in range(seeds) for run in range(runs)
             for cell in cells]  # fmt: skip
    (found,) = questions_of(specs)
    return found


def by_model(**scores: float) -> Right:
    return lambda spec: scores[spec.cell.model]


def played(
    of: StoppingQuestion, until: Until, right: Right, decisions: Sequence[StoppingDecision] = ()
) -> tuple[list[StoppingDecision], dict[str, int]]:
    """All decisions, and how many episodes each model was asked."""
    known, scores = list(decisions), {}
    ended: set[str] = set()
    while True:
        missing, new = due(of, until, known, ended, lambda: scores)
        known += new
        if not missing:
            break
        for spec in missing:
            ended.add(spec.episode_id)
            if (score := right(spec)) is not None:
                scores[spec.episode_id] = score
    settled = settled_ids(of, until, known)
    every = {spec.episode_id for model in of.models for spec in of.of(model, of.units)}
    assert ended | settled == every
    assert not ended & settled
    n_asked = {
        model: sum(one.episode_id in ended for one in of.of(model, of.units)) for model in of.models
    }
    return known, n_asked


def test_units_come_in_one_random_order_for_every_model_and_more_models_change_none():
    few, many = question("ab"), question("abcd")
    assert few.units == many.units
    assert list(few.units) != sorted(few.units, key=lambda unit: int(unit.split(".")[0]))
    assert len(few.units) == 21


def test_a_clear_verdict_ends_the_pair_at_the_first_round_that_foretells_it():
    # After 5 to 0 the planned verdict is foretold with .949, after 10 to 0 with .998.
    (found,), asked = played(question(), VERDICT, by_model(a=1.0, b=0.0))
    assert asked == {"a": 10, "b": 10}
    assert (found.model, found.against, found.verdict) == ("a", "b", "better")
    assert (found.n_asked, found.n_planned, found.round) == (10, 21, 2)
    assert (found.only_model, found.only_against, found.alpha) == (10, 0, 0.05)
    assert found.probability == outlook(10, 0, 10, 21, 0.05).first


def test_what_no_round_foretells_is_asked_to_the_end_and_has_the_test_s_own_verdict():
    # 6 to 0: p = 2/64. A single further unit for a would make that 2 · 8/128.
    def right(spec: EpisodeSpec) -> float:
        return float(spec.cell.model == "b" and spec.scene_seed < 6)

    (found,), asked = played(question(), VERDICT, right)
    assert asked == {"a": 21, "b": 21}
    assert (found.verdict, found.probability) == ("worse", pytest.approx(1.0))


def test_a_failed_episode_is_an_end_and_its_unit_is_left_out():
    # One unit fails: after 10 asked it is 9 to 0 of 9, with 11 left.
    of = question()
    fails = next(of.of("a", of.units[:1]))

    def right(spec: EpisodeSpec) -> float | None:
        return None if spec == fails else float(spec.cell.model == "a")

    (found,), _ = played(of, VERDICT, right)
    assert (found.n_asked, found.n_scored, found.only_model) == (10, 9, 9)
    assert found.probability == outlook(9, 0, 9, 20, 0.05).first


def test_a_model_that_only_fails_is_never_settled_early():
    (found,), asked = played(
        question(), VERDICT, lambda spec: None if spec.cell.model == "a" else 1.0
    )
    assert asked == {"a": 21, "b": 21}
    assert (found.n_scored, found.verdict) == (0, "not told apart")


def test_repetitions_of_a_unit_are_one_and_the_better_mean_wins_it():
    cells = [Cell("mirrorqa", "data", (("subject", name),), None, "paper") for name in "ab"]
    specs = [
        EpisodeSpec(cell, seed, run, {"name": f"picture {seed}"})
        for seed in range(12)
        for run in range(3)
        for cell in cells
    ]
    (of,) = questions_of(specs)
    assert len(of.units) == 12
    # a is right in two of three, b in one: a wins every unit, 10 of them by the second round.
    (found,), asked = played(
        of, VERDICT, lambda spec: float(spec.run < (2 if spec.cell.model == "a" else 1))
    )
    assert (found.only_model, found.only_against) == (found.n_asked, 0)
    assert asked == {"a": 3 * found.n_asked, "b": 3 * found.n_asked}


def test_a_model_is_asked_as_long_as_one_of_its_comparisons_is_open():
    # a is always right, b on every other unit, c never: a has left both behind before b leaves c.
    def right(spec: EpisodeSpec) -> float:
        if spec.cell.model == "c":
            return 0.0
        return float(spec.cell.model == "a" or spec.scene_seed % 2 == 0)

    found, asked = played(question("abc", seeds=30), VERDICT, right)
    assert [one.n_comparisons for one in found] == [3, 3, 3]
    last = {name: max(d.n_asked for d in found if name in (d.model, d.against)) for name in "abc"}
    assert asked == last
    assert asked["a"] < asked["b"] == asked["c"] < 30


def test_of_the_best_only_who_is_worse_is_dropped_and_then_the_leader_ends_too():
    found, asked = played(question("abc"), BEST, by_model(a=0.0, b=1.0, c=0.0))
    assert [(one.model, one.against, one.verdict) for one in found] == [
        ("a", "b", "worse"),
        ("c", "b", "worse"),
    ]
    assert set(asked.values()) == {found[0].n_asked}
    assert found[0].n_asked < 21


def test_of_the_best_equals_are_asked_to_the_end():
    found, asked = played(question("ab"), BEST, by_model(a=1.0, b=1.0))
    assert asked == {"a": 21, "b": 21}
    assert [(one.model, one.verdict) for one in found] == [("b", "not told apart")]


def test_a_cell_ends_once_its_interval_is_narrow_and_not_before_the_least():
    # ±.081 at 20 of 20; at a half of 30 still ±.17.
    def right(spec: EpisodeSpec) -> float:
        return 1.0 if spec.cell.model == "a" else float(spec.scene_seed % 2)

    found, asked = played(question("ab", seeds=30), WIDTH, right)
    assert {one.model: one.verdict for one in found} == {"a": "precise", "b": "not precise"}
    assert asked == {"a": 20, "b": 30}
    assert [one.probability for one in found] == [None, None]


@pytest.mark.parametrize("until", [VERDICT, BEST, replace(WIDTH, least_units=5)])
def test_a_run_that_is_looked_at_after_every_single_end_decides_the_same(until):
    def right(spec: EpisodeSpec) -> float:
        return float(
            (spec.scene_seed * 7 + ord(spec.cell.model)) % 5 > "abc".index(spec.cell.model)
        )

    of = question("abc")
    expected, _ = played(of, until, right)
    known: list[StoppingDecision] = []
    ended: set[str] = set()
    scores: dict[str, float] = {}
    while (looked := due(of, until, known, ended, lambda: scores))[0]:
        missing, new = looked
        known += new
        # The last first: whoever was faster changes nothing.
        spec = missing[-1]
        ended.add(spec.episode_id)
        scores[spec.episode_id] = right(spec)
    assert [*known, *looked[1]] == expected


def test_what_is_decided_stands_whatever_is_read_anew_and_whoever_joins():
    first, _ = played(question("ab"), VERDICT, by_model(a=1.0, b=0.0))
    again, asked = played(question("abc"), VERDICT, by_model(a=0.0, b=0.0, c=0.0), first)
    assert again[: len(first)] == first
    # Of the same units, in the same order; the newcomer is compared with both.
    assert {frozenset((one.model, one.against)) for one in again[len(first) :]} == {
        frozenset("ac"),
        frozenset("bc"),
    }
    assert asked["c"] >= 10


def test_of_a_design_of_other_size_nothing_is_decided_yet():
    first, _ = played(question("ab"), VERDICT, by_model(a=1.0, b=0.0))
    larger, asked = played(question("ab", seeds=40), VERDICT, by_model(a=1.0, b=0.0), first)
    assert [one.n_planned for one in larger] == [21, 40]
    assert asked["a"] == larger[1].n_asked
