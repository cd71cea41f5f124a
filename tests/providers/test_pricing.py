"""Costs by hand; what is unknown stays unknown."""

from dataclasses import replace

import pytest

from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.price_tiers import cost_usd

PRICED = Model("m", "hosted", "openai/m", Limits("m"), usd_per_mtok_in=2.0, usd_per_mtok_out=10.0)


def cost(model=PRICED, reported=None, tokens_in=1000, tokens_out=100, cached=None):
    return cost_usd(
        model,
        reported_usd=reported,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        tokens_cached=cached,
    )


def test_list_prices():
    assert cost() == pytest.approx(0.003)


def test_cached_input():
    assert cost(cached=400) == pytest.approx(0.003)
    cheaper = replace(PRICED, usd_per_mtok_cached=0.5)
    assert cost(cheaper, cached=400) == pytest.approx((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6)
    assert cost(cheaper, cached=5000) == pytest.approx((1000 * 0.5 + 100 * 10) / 1e6)


def test_reported_first_and_free_is_free():
    assert cost(reported=0.0) == 0.0
    assert cost(reported=0.25) == 0.25


@pytest.mark.parametrize(
    "changes",
    [
        {"model": replace(PRICED, usd_per_mtok_in=None)},
        {"model": replace(PRICED, usd_per_mtok_out=None)},
        {"tokens_in": None},
        {"tokens_out": None},
    ],
)
def test_unknown_is_none(changes):
    assert cost(**changes) is None
