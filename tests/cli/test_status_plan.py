"""The budgets that `status` shows are those of the manifest, which may contain anything."""

from typing import Any

import pytest

from mirror_ray.cli.status_plan import recorded_budgets
from mirror_ray.core.errors import MirrorRayError, RunDirError, SweepError

STAGES = [{"family": "selfid", "conditions": ["E1"]}]
MODELS = ["lab/a", "lab/b", "other/c"]
SWEEP = {"name": "budgets", "models": MODELS, "stages": STAGES, "out": "runs/x"}


def budgets(**keys: Any) -> tuple[float | None, dict[str, float]]:
    found = recorded_budgets("runs/x", {"sweep": {**SWEEP, **keys}})
    return found.sweep_usd, dict(found.by_model_usd)


def test_a_sweep_s_budget_is_that_of_its_share() -> None:
    assert budgets() == (None, {})
    assert budgets(budget_usd=8) == (8.0, {})
    assert budgets(budget_usd=8.0, shard="2/4") == (2.0, {})
    assert budgets(budget_usd=8.0, shard="2/4", share=0.5) == (4.0, {})


def test_models_have_their_budgets_by_name_or_pattern() -> None:
    of_models = {"lab/*": 4.0, "lab/b": 1.0}
    assert budgets(budget_per_model_usd=of_models) == (None, {"lab/a": 4.0, "lab/b": 1.0})
    assert budgets(budget_per_model_usd=of_models, shard="1/2")[1] == {"lab/a": 2.0, "lab/b": 0.5}


@pytest.mark.parametrize("value", ["much", None, True, -1.0, float("nan"), 1e13, [5.0], {}])
def test_a_budget_that_is_no_amount_is_none(value: object) -> None:
    assert budgets(budget_usd=value) == (None, {})


@pytest.mark.parametrize(
    ("keys", "error"),
    [
        ({"shard": "9/8"}, SweepError),
        ({"shard": 3}, SweepError),
        ({"shard": {"of": "x"}}, SweepError),
        ({"budget_per_model_usd": {"lab/a": "much"}}, RunDirError),
        ({"budget_per_model_usd": "much"}, RunDirError),
        ({"budget_per_model_usd": {"nobody/*": 1.0}}, SweepError),
    ],
)
def test_budgets_and_shards_that_cannot_be_read_are_named(
    keys: dict[str, Any], error: type[MirrorRayError]
) -> None:
    with pytest.raises(error) as raised:
        budgets(**keys)
    assert "runs/x" in str(raised.value)
