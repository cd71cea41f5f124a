"""A sweep played in parts: which scenes are in which, and what each may spend."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import content_hash
from mirror_ray.core.types import Reply, Request
from mirror_ray.sweep.growth import growth_there
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.plan import Plan
from support.recorded_run import record_run
from support.whole import examples

SWEEP = {
    "name": "parts",
    "models": ["scripted/observer", "openai/gpt-5.1"],
    "stages": [{"family": "selfid", "conditions": ["E1", "E2"], "seeds": 20, "runs": 2}],
    "budget_usd": 8.0,
    "budget_per_model_usd": {"openai/gpt-5.1": 4.0},
    "out": "runs/parts",
}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "parts.yaml"
    path.write_text(yaml.safe_dump(SWEEP))
    return str(path)


def ids(plan: Plan) -> set[str]:
    return {spec.episode_id for spec in plan.episodes}


def scenes(plan: Plan) -> set[tuple[int, int]]:
    return {(spec.scene_seed, spec.run) for spec in plan.episodes}


def test_parts_are_the_whole_and_share_no_scene(file: str) -> None:
    whole = load_plan(file)
    parts = [load_plan(file, [f"shard={number}/8"]) for number in range(1, 9)]
    assert set().union(*map(ids, parts)) == ids(whole)
    assert sum(len(part.episodes) for part in parts) == len(whole.episodes)
    assert sum(len(scenes(part)) for part in parts) == len(scenes(whole)) == 40
    assert max(len(scenes(part)) for part in parts) <= 12
    assert len({part.sweep.out for part in parts} | {whole.sweep.out}) == 9
    # A part of more scenes has those of fewer.
    grown = load_plan(file, ["shard=2/8", "stages.0.seeds=30"])
    assert ids(parts[1]) < ids(grown)


def test_budgets_and_rate_limits_are_divided(file: str) -> None:
    whole = load_plan(file)
    part = load_plan(file, ["shard=2/8"])
    assert part.sweep.budget_usd == 1.0
    assert part.sweep.budget_per_model_usd == {"openai/gpt-5.1": 0.5}
    before, now = (plan.models["openai/gpt-5.1"].limits for plan in (whole, part))
    assert now.key == before.key
    assert (before.rpm is None) == (now.rpm is None)
    assert now.concurrency == max(1, before.concurrency // 8)
    assert part.models["scripted/observer"] == whole.models["scripted/observer"]
    larger = load_plan(file, ["shard=2/8", "share=0.5"])
    assert larger.sweep.budget_usd == 4.0
    assert larger.models["openai/gpt-5.1"].limits.concurrency == before.concurrency // 2


@pytest.mark.parametrize("text", ["9/8", "0/8", "-1/8", "8", "1/8/2", "x", "1/1001", "01/8", "1/0"])
def test_no_such_part(file: str, text: str) -> None:
    with pytest.raises(SweepError) as refused:
        load_plan(file, [f"shard='{text}'"])
    assert "shard" in str(refused.value)
    assert "NUMBER/COUNT" in refused.value.allowed


def test_a_share_needs_a_part(file: str) -> None:
    with pytest.raises(SweepError, match="without shard"):
        load_plan(file, ["share=0.5"])


def test_parts_that_depend_on_each_other_are_refused(file: str) -> None:
    with pytest.raises(SweepError, match="depend on other episodes"):
        load_plan(file, ["shard=1/2", "until={verdict: 0.95}"])
    following = load_plan("papers/mirror", ["models=[scripted/calibrated]"])
    assert following.begun < len(following.stages)
    with pytest.raises(SweepError, match="depend on other episodes"):
        load_plan("papers/mirror", ["models=[scripted/calibrated]", "shard=1/2"])


def test_the_whole_sweep_keeps_its_identity(file: str) -> None:
    assert "shard" not in load_plan(file).sweep.resolved
    assert load_plan(file, ["shard=1/2"]).sweep.resolved["shard"] == "1/2"


def test_parts_joined_give_the_tables_of_one_run(file: str, tmp_path: Path) -> None:
    """Whatever was replied: here a reply that follows from the request alone."""
    overrides = ["models=scripted/blind", "budget_per_model_usd={}"]
    overrides += ["stages.0.seeds=3", "stages.0.max_steps=3"]

    def says(request: Request) -> Reply:
        digit = int(content_hash([request.episode_id, request.ask_index])[:6], 16)
        action = ("turn_left", "move_forward", "move_forward")[digit % 3]
        color = ("red", "blue", "unknown")[digit // 3 % 3]
        return Reply(json.dumps({"action": action, "identified_color": color, "reasoning": "x"}))

    def played(*words: str) -> str:
        plan = load_plan(file, [*overrides, *words])
        out = str(tmp_path / Path(plan.sweep.out).name)
        record_run(replace(plan, sweep=replace(plan.sweep, out=out)), says)
        return out

    def tables(*directories: str) -> list[list[list[object]]]:
        views = ("metric.selfid", "metric.selfid_answers", "metric.selfid_process")
        with open_run(list(directories)) as connection:
            found = [connection.sql(f"from {view} order by all").fetchall() for view in views]
        # Sums of the same numbers in another order.
        rounded = [[[_rounded(value) for value in row] for row in rows] for rows in found]
        return [sorted(rows, key=repr) for rows in rounded]

    one = played()
    n_parts = examples(3, 8)
    parts = [played(f"shard={number}/{n_parts}") for number in range(1, n_parts + 1)]
    whole = tables(one)
    assert whole[0]
    assert tables(*parts) == whole
    # The whole sweep goes on in a part's directory, as with any larger plan.
    whole_plan = load_plan(file, overrides, parts[0])
    part_plan = load_plan(file, [*overrides, f"shard=1/{n_parts}"])
    growth = growth_there(whole_plan)
    assert growth is not None
    assert {spec.episode_id for spec in growth.added} == ids(whole_plan) - ids(part_plan)
    assert not growth.left_out


def _rounded(value: object) -> object:
    return round(value, 9) if isinstance(value, float) else value
