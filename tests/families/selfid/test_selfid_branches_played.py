"""Agents that go on from a recorded step: nobody is asked again; a lie takes in who believes it."""

import pytest

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.selfid.scenes import sample_wrong_color
from mirror_ray.world.renderer import Renderer
from support.agents.scripted_episodes import Played, episode, play

EVIDENCE_PX = 50


def branch_of(parent: EpisodeSpec, played: Played, condition: str) -> EpisodeSpec:
    """A branch after the first frame with the own reflection."""
    seen = [step.facts["ego_reflection_px"] >= EVIDENCE_PX for step in played.steps]
    steps = [
        {"action": row["action"], "reasoning": row["thought"], "summary": row["summary"]}
        for row in played.outcome.steps[: seen.index(True) + 1]
    ]
    agent = parent.cell.model.removeprefix("scripted/")
    spec = episode(condition, agent, parent.scene_seed, parent.run)
    return EpisodeSpec(
        spec.cell, spec.scene_seed, spec.run, {"parent_id": parent.episode_id, "steps": steps}
    )


@pytest.mark.parametrize(("agent", "believes"), [("observer", False), ("gullible", True)])
def test_a_lie_from_a_step_on(agent: str, believes: bool, renderer: Renderer) -> None:
    parent = episode("E1", agent, 0, 0)
    before = play(renderer, parent)
    assert before.answer == before.truth
    branch = branch_of(parent, before, "E1-lied")
    after = play(renderer, branch)
    begun_at = len(branch.given["steps"])
    # The first ask is the one that came next, with the same words and the very same picture.
    assert after.steps[0].ask.step == begun_at + 1
    assert after.steps[0].ask.user == before.steps[begun_at].ask.user
    assert after.steps[0].image == before.steps[begun_at].image
    assert after.answer == (sample_wrong_color(branch) if believes else after.truth)


def test_a_mirror_that_is_covered_shows_nothing_more(renderer: Renderer) -> None:
    parent = episode("E1", "observer", 0, 0)
    after = play(renderer, branch_of(parent, play(renderer, parent), "E1-covered"))
    assert {step.facts["mirror_px"] for step in after.steps} == {0}
    # It had seen itself once, and asks for a second look that never comes.
    assert len(after.steps) > 1
