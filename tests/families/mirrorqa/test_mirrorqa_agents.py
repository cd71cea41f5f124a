"""MirrorQA's agents: each trait shows, and only the oracle knows what it cannot see."""

import pytest

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Facts, Observation, Reply, Turn
from mirror_ray.families.mirrorqa.family import FAMILY
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer


def answered(
    renderer: Renderer, agent: str, seed: int, condition: str, variant: str = "paper"
) -> tuple[Facts, Facts]:
    """The episode's fields and its step's, as an agent plays it."""
    cell = Cell("mirrorqa", condition, (("subject", agent),), 0.0, variant)
    spec = EpisodeSpec(cell, seed, 0)
    playing = FAMILY.play(spec, spec.rng())
    ask = next(playing)
    frame = renderer.draw(ask.views[0])
    image = encode(frame.rgb, "png")
    text = AGENTS[agent](prompt_for(agent, ask.system, ask.user, [image.data], ask.truth))
    with pytest.raises(StopIteration) as end:
        playing.send(Turn(Observation((image,), None, frame.facts), Reply(text)))
    outcome = end.value.value
    return outcome.fields, outcome.steps[0]


def side(option: str) -> str:
    return option.split(maxsplit=1)[0]


def test_the_oracle_is_right(renderer: Renderer) -> None:
    for seed in range(4):
        for condition in ("sim", "sim-reflected"):
            _, step = answered(renderer, "oracle", seed, condition)
            assert step["correct"]
            assert step["parse_status"] == "strict"


def test_viewer_frame_takes_the_pictures_left_for_left(renderer: Renderer) -> None:
    hits = []
    for seed in range(40):
        fields, step = answered(renderer, "viewer-frame", seed, "sim")
        if fields["kind"] == "human":
            hits.append(side(step["choice"]) == side(fields["viewer_answer"]))
    assert len(hits) >= 12
    assert sum(hits) >= 0.8 * len(hits)


def test_first_option_takes_the_first_and_coin_any(renderer: Renderer) -> None:
    firsts = {
        answered(renderer, "first-option", seed, "sim")[1]["choice_position"] for seed in range(6)
    }
    assert firsts == {1}
    tossed = [answered(renderer, "coin", seed, "sim")[1]["choice_position"] for seed in range(12)]
    assert len(set(tossed)) >= 2


def test_agents_reason_where_they_are_asked_to(renderer: Renderer) -> None:
    _, step = answered(renderer, "viewer-frame", 1, "sim", "cot")
    assert step["choice"] is not None
    assert step["parse_status"] == "cleaned"


@pytest.mark.parametrize("agent", ["viewer-frame", "first-option", "coin", "oracle"])
def test_foreign_prompts_are_refused(agent: str) -> None:
    with pytest.raises(UnfamiliarPromptError):
        AGENTS[agent](prompt_for(agent, "", "Which story is better?", []))
