"""The simulation of stopping decides as a run does."""

import numpy as np
import pytest

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.stopping.boards import answers, by_best, by_verdict, looks
from mirror_ray.stopping.rounds import due, settled_ids
from mirror_ray.stopping.shared_units import questions_of
from mirror_ray.sweep.plan import Until

VERDICTS = ("better", "worse", "not told apart")


@pytest.mark.parametrize("scenes", [21, 50])
@pytest.mark.parametrize("rule", ["verdict", "best_of"])
def test_a_board_is_asked_as_much_as_by_a_run_and_told_the_same(rule, scenes):
    until = Until(rule, 0.99, 5, 5)
    right = answers(np.random.default_rng(scenes), np.array([0.95, 0.6, 0.4]), 12, scenes)
    simulated = {"verdict": by_verdict, "best_of": by_best}[rule]
    asked, verdicts, _ = simulated(right, until.bound, looks(until, scenes))
    for board in range(len(right)):
        n_asked, decisions = _run(right[board], until)
        assert list(asked[board]) == n_asked
        if rule == "verdict":
            told = {(one.model, one.against): one.verdict for one in decisions}
            pairs = [("0", "1"), ("0", "2"), ("1", "2")]
            assert [told[pair] for pair in pairs] == [VERDICTS[one] for one in verdicts[board]]
        else:
            worse = {int(one.model) for one in decisions if one.verdict == "worse"}
            assert worse == set(np.flatnonzero(verdicts[board] == 0))


def _run(right, until):
    """Units asked of each model, and the decisions."""
    models = [str(at) for at in range(len(right))]
    cells = [Cell("selfid", "E1", (("subject", name),), None, "paper") for name in models]
    specs = [EpisodeSpec(cell, seed, 0) for seed in range(right.shape[1]) for cell in cells]
    (question,) = questions_of(specs)
    # The simulation's scenes are in the order of asking.
    place = {unit: at for at, unit in enumerate(question.units)}
    scores = {
        spec.episode_id: float(right[int(name), place[unit]])
        for (name, unit), (spec,) in question.episodes.items()
    }
    ended, decisions = set(), []
    while True:
        missing, new = due(question, until, decisions, ended, lambda: scores)
        decisions += new
        if not missing:
            break
        ended |= {spec.episode_id for spec in missing}
    assert not ended & settled_ids(question, until, decisions)
    units = question.units
    return [
        sum(one.episode_id in ended for one in question.of(m, units)) for m in models
    ], decisions
