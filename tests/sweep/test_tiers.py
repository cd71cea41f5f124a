"""The tier that a sweep asks its models at."""

import pytest

from mirror_ray.errors import SweepError
from mirror_ray.records.sweep_identity import sweep_sha
from mirror_ray.sweep.load import load_plan

SWEEP = """
name: tiers
models: [openai/gpt-5.1, gemini/gemini-2.5-flash, openrouter/anthropic/claude-sonnet-4.6]
stages: [{family: flipset, conditions: [L1], seeds: 1}]
out: runs/tiers
"""


@pytest.fixture
def sweep(tmp_path):
    path = tmp_path / "tiers.yaml"
    path.write_text(SWEEP)
    return str(path)


def tiers(plan):
    return {name: model.tier for name, model in plan.models.items()}


def test_by_pattern(sweep):
    plan = load_plan(sweep, ["tier={gemini/*: flex, openai/gpt-5.1: flex}", "fallback=standard"])
    assert tiers(plan) == {
        "openai/gpt-5.1": "flex",
        "gemini/gemini-2.5-flash": "flex",
        "openrouter/anthropic/claude-sonnet-4.6": None,
    }
    model = plan.models["openai/gpt-5.1"]
    assert (model.usd_per_mtok_out, model.standard.usd_per_mtok_out) == (5.0, 10.0)
    assert (model.fallback, model.limits.key) == ("standard", "openai/gpt-5.1 (flex)")


def test_a_name_counts_before_a_pattern(sweep):
    plan = load_plan(sweep, ["models=[openai/gpt-5.1,gemini/gemini-2.5-flash]"])
    assert set(tiers(plan).values()) == {None}
    overrides = [
        "models=[openai/gpt-5.1,gemini/gemini-2.5-flash]",
        "tier={'*': flex, openai/gpt-5.1: standard}",
    ]
    plan = load_plan(sweep, overrides)
    assert tiers(plan) == {"openai/gpt-5.1": None, "gemini/gemini-2.5-flash": "flex"}
    assert plan.models["gemini/gemini-2.5-flash"].fallback == "wait"


def test_a_tier_is_no_part_of_a_sweep_s_or_an_episode_s_identity(sweep):
    plain = load_plan(sweep)
    flex = load_plan(sweep, ["tier={openai/*: flex}", "fallback=standard"])
    assert sweep_sha(flex.sweep.resolved) == sweep_sha(plain.sweep.resolved)
    assert [one.episode_id for one in flex.episodes] == [one.episode_id for one in plain.episodes]


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (["tier=flex"], ["claude-sonnet-4.6", "no flex price", "openai/gpt-5.1: flex"]),
        (["tier={openai/gpt-5: flex}"], ["openai/gpt-5", "did you mean"]),
        (["tier=batches"], ["standard", "flex", "batch"]),
        (["tier=batch"], ["openrouter/anthropic/claude-sonnet-4.6", "spoken here", "gemini/…"]),
        (["fallback=standard"], ["no model at flex"]),
        (["tier=flex", "models=scripted/blind"], ["no flex price", "usd_per_mtok_in"]),
        (["tier=flex", "models=hosted_vllm/qwen"], ["no flex price"]),
    ],
)
def test_a_tier_without_a_price_is_refused(sweep, overrides, expected):
    with pytest.raises(SweepError) as refused:
        load_plan(sweep, overrides)
    for words in expected:
        assert words in str(refused.value)


def test_a_tier_is_asked_for_in_one_place(sweep, tmp_path):
    (tmp_path / "own.yaml").write_text(
        "models: {openai/gpt-5.1: {extra: {service_tier: priority}}}"
    )
    with pytest.raises(SweepError, match="service_tier"):
        load_plan(sweep, ["tier={openai/*: flex}", "catalogue=own.yaml"])
