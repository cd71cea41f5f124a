"""A stage may name models in a role of its own: they are planned, priced and checked."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from mirror_ray.core.errors import SweepError
from mirror_ray.records.usage import NO_USAGE
from mirror_ray.sweep.estimate import estimate
from mirror_ray.sweep.sampling import sample_scenes
from mirror_ray.sweep.stages import presume
from support.staged_run import staged_plan

M = "metacog"
KNOWN = {"family": M, "conditions": ["exp1"], "seeds": 24, "channel": ["natural"]}
JUDGE = {"family": M, "conditions": ["judge"], "judge": "openai/gpt-5.1"}


def refused(tmp_path: Path, *stages: dict[str, Any]) -> str:
    with pytest.raises(SweepError) as caught:
        staged_plan(tmp_path / "run", ["scripted/calibrated"], *stages)
    return str(caught.value)


def test_judge_calls_are_counted_and_priced(tmp_path: Path) -> None:
    models = ["scripted/calibrated", "scripted/overconfident"]
    plan = presume(staged_plan(tmp_path / "run", models, KNOWN, JUDGE))
    counted = Counter(spec.cell.model for spec in plan.episodes)
    assert counted["openai/gpt-5.1"] % 2 == 0
    assert 0 < counted["openai/gpt-5.1"] < 48
    [cell] = [
        one
        for one in estimate(plan, sample_scenes(plan.episodes), NO_USAGE)
        if one.cell.condition == "judge"
    ]
    assert cell.basis == "samples"
    assert cell.left.calls.expected == counted["openai/gpt-5.1"]
    assert cell.left.cost_usd is not None
    assert 0 < cell.left.cost_usd.low < cell.left.cost_usd.high < cell.at_most.cost_usd.high  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("stages", "says"),
    [
        ((KNOWN, {**JUDGE, "judge": "nobody"}), "'nobody'"),
        ((KNOWN, {**JUDGE, "judge": []}), "stages.1.judge"),
        ((KNOWN, {**JUDGE, "judge": {"a": 1}}), "stages.1.judge"),
        ((KNOWN, {**JUDGE, "judge": ["scripted/judge"] * 2}), "stages.1.judge"),
        ((KNOWN, {"family": M, "conditions": ["judge"]}), "e.g. judge: openai/gpt-5.1"),
        (({**KNOWN, "judge": "scripted/judge"},), "only with conditions: [judge]"),
        ((KNOWN, {**JUDGE, "conditions": ["judge", "exp3"]}), "split it into two stages"),
        ((JUDGE,), "put a stage with conditions: [exp1] before"),
        ((KNOWN, JUDGE, JUDGE), "a second time"),
        (
            (KNOWN, {"family": M, "conditions": ["exp9-C3"], "seeds": 2, "matching": "judge"}),
            "put a stage with conditions: [judge] before",
        ),
    ],
)
def test_what_cannot_be_judged_is_refused_first(
    stages: tuple[dict[str, Any], ...], says: str, tmp_path: Path
) -> None:
    assert says in refused(tmp_path, *stages)
