"""`control`: how far a budget may be raised while the run plays."""

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.records.sweep_identity import sweep_sha
from mirror_ray.sweep.load import load_plan


def test_it_is_no_part_of_a_sweeps_identity():
    plain, bound = load_plan("quickstart"), load_plan("quickstart", ["control.budget_usd_max=20"])
    assert (plain.sweep.budget_usd_max, bound.sweep.budget_usd_max) == (None, 20.0)
    assert sweep_sha(plain.sweep.resolved) == sweep_sha(bound.sweep.resolved)


@pytest.mark.parametrize(
    "overrides", [["control.budget_usd_max=2"], ["budget_usd=null", "control.budget_usd_max=2"]]
)
def test_a_bound_below_the_budget_or_without_one_is_refused(overrides):
    with pytest.raises(SweepError, match=r"control\.budget_usd_max"):
        load_plan("quickstart", overrides)
