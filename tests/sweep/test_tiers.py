"""The tier that a sweep asks its models at."""

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.price_tiers import lanes_of
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
        (["tier=batch"], ["openrouter/anthropic/claude-sonnet-4.6", "batch support", "gemini/…"]),
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


STAGES = """
name: stages
models: [openai/gpt-5.1, gemini/gemini-2.5-flash]
tier: {"gemini/*": flex}
fallback: standard
stages:
  - {family: selfid, conditions: [E1], seeds: 1}
  - {family: flipset, conditions: [L1], seeds: 1, tier: {"openai/*": batch}}
  - {family: flipset, conditions: [L2], seeds: 1, tier: standard}
out: runs/tiers
"""


@pytest.fixture
def stages(tmp_path):
    path = tmp_path / "stages.yaml"
    path.write_text(STAGES)
    return str(path)


def test_a_stage_has_a_tier_of_its_own(stages):
    plan = load_plan(stages)
    found = {
        (cell.condition, cell.model): (model.tier, model.usd_per_mtok_out)
        for cell in plan.cells
        for model in [plan.model_of(cell)]
    }
    openai, gemini = "openai/gpt-5.1", "gemini/gemini-2.5-flash"
    assert found == {
        ("E1", openai): (None, 10.0),
        ("E1", gemini): ("flex", 1.25),
        ("L1", openai): ("batch", 5.0),
        ("L1", gemini): ("flex", 1.25),
        ("L2", openai): (None, 10.0),
        ("L2", gemini): ("standard", 2.5),
    }
    assert sorted(lane.limits.key for lane in plan.lanes()) == [
        gemini,
        f"{gemini} (flex)",
        openai,
        f"{openai} (batch)",
    ]
    # What is shed at flex may be made at standard, whichever stage asks; what expires is not.
    found = [[one.tier for one in lanes_of(lane)] for lane in plan.lanes()]
    assert sorted(found, key=str) == [["batch"], ["flex", "standard"], ["standard"], [None]]


def test_a_stage_s_tier_is_no_part_of_a_sweep_s_identity(stages):
    plain = load_plan(stages, ["stages.1.tier={}", "stages.2.tier={}"])
    assert sweep_sha(load_plan(stages).sweep.resolved) == sweep_sha(plain.sweep.resolved)
    assert "tier" not in plain.sweep.resolved["stages"][1]


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (["stages.0.tier=batch"], ["batch for openai/gpt-5.1 in selfid E1", "200 times"]),
        (["stages.1.tier={openai/x: batch}"], ["stages.1.tier", "openai/x"]),
        (["stages.1.tier=quick"], ["stages.1.tier", "standard"]),
        (["models=[hosted_vllm/q]", "tier=flex"], ["no flex price"]),
    ],
)
def test_a_stage_s_tier_that_cannot_be_is_refused(stages, overrides, expected):
    with pytest.raises(SweepError) as error:
        load_plan(stages, overrides)
    assert all(part in str(error.value) for part in expected), str(error.value)
