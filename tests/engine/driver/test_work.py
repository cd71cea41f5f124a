"""What a run says of stages that follow from rows."""

from pathlib import Path

from mirror_ray.core.types import Reply, Request
from mirror_ray.engine.driver.work import _cells_without_episodes
from mirror_ray.sweep.earlier import next_stages
from support.staged_run import agents_reply, play_stages, staged_plan

KNOWN = {"family": "metacog", "conditions": ["exp1"], "seeds": 8, "channel": ["natural"]}
PARTS = {"family": "metacog", "conditions": ["exp9-C1", "exp9-C3"], "seeds": 2}
MUMBLING = "scripted/underconfident"


def reply(request: Request) -> Reply:
    """One model says nothing that can be read."""
    if request.model == MUMBLING:
        return Reply("BET: [1-10]", finish_reason="stop", cost_usd=0.0)
    return agents_reply(request)


def test_a_model_without_readable_replies_does_not_end_the_others(tmp_path: Path) -> None:
    plan = staged_plan(tmp_path / "run", ["scripted/calibrated", MUMBLING], KNOWN, PARTS)
    whole = play_stages(plan, reply)
    played = {(spec.cell.condition, spec.cell.model) for spec in whole.episodes}
    assert ("exp9-C3", "scripted/calibrated") in played
    assert ("exp9-C1", MUMBLING) in played
    assert ("exp9-C3", MUMBLING) not in played
    assert next_stages(plan).episodes == whole.episodes
    (line,) = _cells_without_episodes(plan, whole)
    assert line.startswith(f"No episodes of exp9-C3 of {MUMBLING}: ")
