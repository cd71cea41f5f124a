"""The agents of FlipSet see: other sizes, encodings, places and strings change no answer."""

import pytest

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.families.flipset.play import play
from mirror_ray.families.flipset.trials import LABELS, trial_of
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from support.whole import mostly_thorough


def said(renderer: Renderer, agent: str, condition: str, seed: int, **axes: Scalar) -> str:
    """What the option is that the agent chose."""
    cell = Cell("flipset", condition, (("subject", "m"),), None, "paper", tuple(axes.items()))
    spec = EpisodeSpec(cell, seed, 0)
    ask = next(play(spec, spec.rng()))
    image = encode(renderer.draw(ask.views[0]).rgb, ask.views[0].encoding)
    text = AGENTS[agent](prompt_for(agent, ask.system, ask.user, [image.data]))
    trial = trial_of(spec)
    return trial.kinds[LABELS.index(text.splitlines()[-1].removeprefix("Answer: "))]


@pytest.mark.parametrize(
    "axes",
    mostly_thorough(
        3,
        [
            {"image": "320x240", "encoding": "jpeg"},
            {"image": "1280x960"},
            {"angle_deg": 90},
            {"angle_deg": 270},
            {"strings": "length-8"},
            {"prompting": "cot"},
        ],
    ),
    ids=str,
)
@pytest.mark.parametrize(("agent", "kind"), [("rotator", "correct"), ("egocentric", "egocentric")])
def test_level_2(renderer: Renderer, agent: str, kind: str, axes: dict[str, Scalar]) -> None:
    for seed in (6, 27):
        assert said(renderer, agent, "L2", seed, **axes) == kind


@pytest.mark.parametrize("angle_deg", [90, 270])
@pytest.mark.parametrize("condition", ["MR", "ToM", "L1"])
def test_controls_with_the_monkey_at_the_side(
    renderer: Renderer, condition: str, angle_deg: int
) -> None:
    for seed in (1, 2):
        assert said(renderer, "egocentric", condition, seed, angle_deg=angle_deg) == "correct"


@pytest.mark.parametrize("agent", ["rotator", "egocentric", "mirror-imager", "position-biased"])
def test_a_strange_prompt_is_refused(agent: str) -> None:
    with pytest.raises(UnfamiliarPromptError):
        AGENTS[agent](prompt_for(agent, "", "What is this?", []))


def test_without_a_picture_any_option_is_taken() -> None:
    question = "What does the monkey see?\nA) 1\nB) 2"
    replies = {AGENTS["rotator"](prompt_for("rotator", str(n), question, [])) for n in range(20)}
    assert len(replies) == 2
    assert all("guess" in reply or reply.strip() in "AB" for reply in replies)
