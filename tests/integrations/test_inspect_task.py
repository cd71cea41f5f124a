"""selfid under Inspect: a model is sent what a sweep sends, and the score is the paper's."""

import base64
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.scenes import sample_scene

AXES = (("image", "320x240"), ("max_steps", 3))
SENT: list[list[Any]] = []
"""What the model got, call by call."""
LOOKS = '{"view-description": "", "reasoning": "", "action": "d", "summary": "s", '
LOOKS += '"identification": "unknown", "selected_cube": "none"}'


def spec_of(seed: int) -> EpisodeSpec:
    return EpisodeSpec(Cell("selfid", "E1", (("subject", "m"),), None, "paper", AXES), seed, 0)


def ends_with(color: str) -> str:
    return LOOKS.replace('"d"', '"done"').replace('"none"', f'"{color}"')


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Three scenes: one is ended with the own cube after a turn, one never, one is unreadable."""
    from inspect_ai import eval as play_task
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from mirror_ray.integrations.inspect_task import selfid

    own = sample_scene(spec_of(0)).ego.color
    said = [LOOKS, "I cannot tell.", ends_with(own), LOOKS, LOOKS, LOOKS]
    said += ["I cannot tell."] * 6
    usage = ModelUsage(input_tokens=9, output_tokens=9, total_tokens=18)
    left = iter(said)

    def answer(messages: list[Any], *_: Any) -> ModelOutput:
        SENT.append(messages)
        output = ModelOutput.from_content("mockllm/model", next(left))
        # Else Inspect counts them, with a vocabulary that it would download.
        output.usage = usage
        return output

    (found,) = play_task(
        selfid(seeds=3, runs=1, image="320x240", max_steps=3),
        model=get_model("mockllm/model", custom_outputs=answer),
        log_dir=str(tmp_path_factory.mktemp("logs")),
        max_samples=1,
        display="none",
    )
    assert found.status == "success", found.error
    return found


def test_the_score_is_the_share_that_selected_their_own_colour(log: Any) -> None:
    samples = {sample.id: sample for sample in log.samples}
    assert {name: str(one.scores["selects_own_color"].value) for name, one in samples.items()} == {
        "0.0": "C",
        "1.0": "I",
        "2.0": "nan",
    }
    assert log.results.scores[0].metrics["accuracy"].value == 0.5
    assert samples["1.0"].scores["selects_own_color"].answer is None
    assert samples["2.0"].scores["selects_own_color"].metadata == {"unscored_reason": "unread"}


def test_a_model_is_sent_what_a_sweep_sends(log: Any, renderer: Any) -> None:
    assert log.status == "success"
    first = next(FAMILY.play(spec_of(0), spec_of(0).rng()))
    # A turn, an unreadable reply and its second ask, the end: each a conversation of its own.
    assert [[message.role for message in one] for one in SENT[:3]] == [["system", "user"]] * 3
    system, user = SENT[0]
    assert (system.text, user.text) == (first.system, first.user)
    (picture,) = (part for part in user.content if part.type == "image")
    sent = Image.open(BytesIO(base64.b64decode(picture.image.partition("base64,")[2])))
    drawn = renderer.draw(first.views[0]).rgb
    assert sha256(sent.convert("RGB").tobytes()).digest() == sha256(drawn.tobytes()).digest()
    assert "could not be read" in SENT[2][1].text


def test_what_there_is_not_is_refused() -> None:
    from mirror_ray.integrations.inspect_task import selfid

    for wrong in ({"condition": "E9"}, {"image": "1x1"}, {"mirror": True}):
        with pytest.raises(SweepError):
            selfid(**wrong)


def test_inspect_finds_it_by_its_name(tmp_path: Path) -> None:
    from importlib.metadata import entry_points

    (found,) = (one for one in entry_points(group="inspect_ai") if one.name == "mirror_ray")
    assert found.value == "mirror_ray.integrations.inspect_task"
