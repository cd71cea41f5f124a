"""Budgets against servers that bill more than was agreed, less than nothing, or in no number."""

import json
from collections import Counter
from collections.abc import Iterator
from math import isfinite
from pathlib import Path

import pytest
from hostile_rounds import play
from hostile_server import HONEST
from hostile_sweep import KEYS, ROUTES, Adversary, adversary, asked_since, way_of, write_sweep

from mirror_ray.records.so_far import spent_so_far
from support.shard_rows import rows_of

pytestmark = pytest.mark.thorough("engine/limiter/test_dearer_than_priced.py, on a virtual clock")

AT_ONCE = 4
EPISODES = 6
BUDGET_USD = 0.05
STAGES = (
    {
        "family": "flipset",
        "conditions": ["L2"],
        "seeds": EPISODES,
        "image": ["320x240"],
        "encoding": ["jpeg"],
    },
)

PRICES = {
    "free": {"usd_per_mtok_in": 0.0, "usd_per_mtok_out": 0.0},
    "priced": {"usd_per_mtok_in": 1.0, "usd_per_mtok_out": 2.0},
    "unpriced": {"usd_per_mtok_in": None, "usd_per_mtok_out": None},
}
BILLS = ("cost-tenth", "cost-minus-1000", "cost-NaN", "cost-1e300", "tokens-both-minus")


@pytest.fixture(scope="module")
def server() -> Iterator[Adversary]:
    with adversary() as running:
        yield running


@pytest.fixture(scope="module", autouse=True)
def _keys() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name, key in KEYS.items():
            patch.setenv(name, key)
        yield


def _of_all_prices(sweep: Path) -> Path:
    """The same sweep, each hostile model in it once for each of `PRICES`: one run serves all."""
    catalogue = sweep.with_name("models-0.yaml")
    listed = json.loads(catalogue.read_text())["models"]
    priced = {
        f"{name}-{price}": {**entry, **keys}
        for name, entry in listed.items()
        if not name.startswith(HONEST)
        for price, keys in PRICES.items()
    }
    catalogue.write_text(json.dumps({"models": listed | priced}))
    keys = json.loads(sweep.read_text())
    sweep.write_text(json.dumps({**keys, "models": list(priced)}))
    return sweep


def _calls(out: Path) -> Counter[str]:
    """Model → calls that its rows tell of."""
    found: Counter[str] = Counter()
    for row in rows_of(out, "steps"):
        found[row["model"]] += row["attempts"]
    return found


def test_a_budget_is_passed_by_the_calls_in_flight_at_the_first_surprise(
    server: Adversary, tmp_path: Path, ray_session: None
) -> None:
    entry = {"concurrency": AT_ONCE}
    sweep = _of_all_prices(
        write_sweep(tmp_path, server, BILLS, STAGES, entry, budget_per_model_usd=BUDGET_USD)
    )
    before = server.asked()
    summary, _ = play(sweep, tmp_path / "out")
    asked = asked_since(before, server.asked())
    calls = _calls(tmp_path / "out")
    for route in ROUTES:
        for price in PRICES:
            # A tenth of a dollar is twice the budget: the first reply ends it.
            assert 1 <= calls[f"hostile-{route}-cost-tenth-{price}"] <= AT_ONCE, price
    assert sum(asked["cost-tenth"].values()) <= AT_ONCE * len(ROUTES) * len(PRICES)
    assert summary.exit_code == 3
    spent = spent_so_far(str(tmp_path / "out"))
    assert all(isfinite(usd) and usd >= 0 for usd in spent.values())
    for row in rows_of(tmp_path / "out", "episodes"):
        usd = row["cost_usd"]
        assert usd is None or (isfinite(usd) and usd >= 0)
        assert way_of(row["model"]).rpartition("-")[0] in BILLS
    again, _ = play(sweep, tmp_path / "out")
    assert again.exit_code == 3
    assert asked_since(before, server.asked())["cost-tenth"] == asked["cost-tenth"]
    assert not any(model.startswith(HONEST) for model in asked)
