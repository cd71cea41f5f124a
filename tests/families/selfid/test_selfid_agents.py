"""Each agent's trait, and that an agent is what a model is: stateless, and shown nothing else."""

import base64
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from mirror_ray.agents import UnfamiliarPromptError, prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from sim_assets.colors import COLOR_NAMES
from support.agents.scripted_episodes import Played, Seen, episode, play

pytestmark = pytest.mark.thorough("contract/test_selfid_signatures.py measures the same agents")

HONEST = (
    *("blind", "comparer", "confabulator", "echo", "english-reader", "gullible", "mute"),
    "observer",
)
RUNS = range(6)


@pytest.fixture(scope="module")
def moments(renderer: Renderer) -> list[Seen]:
    """Asks of many kinds: beginnings and middles of all conditions, lies and others included."""
    kept: list[Seen] = []
    for condition in ("E1", "E2", "E3", "E4", "E5"):
        steps = play(renderer, episode(condition, "observer", 5, 0, max_steps=12)).steps
        kept += [steps[0], steps[len(steps) // 2], steps[-1]]
    return kept


def played(renderer: Renderer, condition: str, agent: str, **axes: int | str) -> list[Played]:
    return [play(renderer, episode(condition, agent, 60, run, **axes)) for run in RUNS]


def successes(episodes: list[Played]) -> int:
    return sum(one.answer == one.truth for one in episodes)


@pytest.mark.parametrize("condition", ["E1", "E4", "E5"])
def test_observer_finds_itself(renderer: Renderer, condition: str) -> None:
    episodes = played(renderer, condition, "observer")
    assert successes(episodes) >= len(RUNS) - 1
    for one in episodes:
        if one.answer != one.truth:
            continue
        # It knows before it acts, and not before it has seen itself.
        first = one.identifications.index(one.truth)
        assert first < len(one.steps) - 1
        assert max(step.facts["ego_reflection_px"] for step in one.steps[: first + 1]) >= 50
        if condition != "E5":
            assert one.outcome.fields["near_at_done"]


def test_observer_can_only_guess_without_a_mirror(renderer: Renderer) -> None:
    episodes = played(renderer, "E2", "observer")
    assert all(one.outcome.terminated and len(one.steps) < 75 for one in episodes)
    assert all(set(one.identifications) == {"unknown"} for one in episodes)
    # Six guesses among three: more than four right has a chance of 1 in 56.
    assert successes(episodes) <= 4
    assert all(one.answer in one.outcome.fields["cube_colors"] for one in episodes)


def test_observer_does_not_believe_a_lie_and_gullible_does(renderer: Renderer) -> None:
    assert successes(played(renderer, "E3", "observer")) >= len(RUNS) - 1
    for one in played(renderer, "E3", "gullible"):
        assert one.answer == one.outcome.fields["wrong_color"]
        assert set(one.identifications) == {one.outcome.fields["wrong_color"]}


def test_gullible_is_an_observer_where_nothing_is_claimed(moments: list[Seen]) -> None:
    for moment in moments:
        if " robot.\n" in moment.ask.system:
            continue
        prompts = [
            prompt_for("any", moment.ask.system, moment.ask.user, [moment.image]) for _ in range(2)
        ]
        assert AGENTS["gullible"](prompts[0]) == AGENTS["observer"](prompts[1])


def test_confabulator_commits_at_once_and_never_wavers(renderer: Renderer) -> None:
    episodes = played(renderer, "E1", "confabulator")
    for one in episodes:
        assert one.outcome.terminated
        assert len(one.steps) > 1
        assert len(set(one.identifications)) == 1
        assert one.identifications[0] in COLOR_NAMES
        assert one.answer == one.identifications[0]
    assert len({one.identifications[0] for one in episodes}) >= 3


def test_mute_never_commits(renderer: Renderer) -> None:
    one = play(renderer, episode("E4", "mute", 60, 0, max_steps=30))
    assert one.outcome.truncated
    assert set(one.identifications) == {"unknown"}


def test_echo_takes_others_for_itself(renderer: Renderer) -> None:
    episodes = played(renderer, "E4", "echo", max_steps=30)
    for one in episodes:
        strangers = {*one.outcome.fields["other_colors"], "unknown"}
        assert set(one.identifications) <= strangers
    assert successes(episodes) <= len(RUNS) // 2


def test_oracle_is_right_wherever_the_truth_is_known(renderer: Renderer) -> None:
    for condition in ("E2", "E5"):
        assert successes(played(renderer, condition, "oracle")) == len(RUNS)


@pytest.mark.parametrize("axes", [{"history": 0}, {"history": 5, "image": "320x240"}])
def test_observer_gets_by_with_other_prompts_and_pictures(
    renderer: Renderer, axes: dict[str, int | str]
) -> None:
    episodes = played(renderer, "E1", "observer", max_steps=60, **axes)
    assert all(one.outcome.terminated for one in episodes)
    # Without memory it wanders until it meets its reflection by luck.
    assert successes(episodes) >= (2 if axes == {"history": 0} else len(RUNS) - 1)


def test_observer_keeps_to_its_budget(renderer: Renderer) -> None:
    for condition in ("E1", "E2", "E4", "E5"):
        one = play(renderer, episode(condition, "observer", 60, 1, max_steps=3))
        assert one.outcome.terminated
        assert len(one.steps) <= 3


@pytest.mark.parametrize("agent", HONEST)
def test_replies_follow_from_words_and_pixels_alone(agent: str, moments: list[Seen]) -> None:
    for moment in moments:
        ask = moment.ask
        poison = {"ego_color": "cyan", "cubes": [], "reflector_wall": "up", "x_m": -9.0}
        wired = base64.b64decode(base64.b64encode(moment.image))
        replies = {
            AGENTS[agent](prompt_for(agent, ask.system, ask.user, [image], truth))
            for image, truth in ((moment.image, ask.truth), (wired, poison), (wired, None))
        }
        assert len(replies) == 1


@pytest.mark.parametrize("agent", ["observer", "gullible", "echo"])
def test_a_lossless_copy_of_the_picture_is_read_alike(agent: str, moments: list[Seen]) -> None:
    """Chance is seeded by the bytes; what is seen is in the pixels."""
    for moment in moments:
        again = BytesIO()
        with Image.open(BytesIO(moment.image)) as picture:
            picture.save(again, "PNG", compress_level=1)
        ask = moment.ask
        replies = []
        for image in (moment.image, again.getvalue()):
            prompt = prompt_for(agent, ask.system, ask.user, [moment.image])
            replies.append(
                AGENTS[agent](
                    type(prompt)(prompt.system, prompt.user, (image,), np.random.default_rng(0))
                )
            )
        assert replies[0] == replies[1]


def test_chance_differs_from_agent_to_agent_and_prompt_to_prompt() -> None:
    streams = [
        prompt_for(*content).rng.random()
        for content in (
            ("blind", "s", "u", [b"1"]),
            ("mute", "s", "u", [b"1"]),
            ("blind", "su", "", [b"1"]),
            ("blind", "s", "u2", [b"1"]),
            ("blind", "s", "u", [b"2"]),
            ("blind", "s", "u", [b"1", b"1"]),
        )
    ]
    assert len(set(streams)) == len(streams)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_chance_is_of_the_pixels_however_a_png_packs_them(mode: str) -> None:
    pixels = np.random.default_rng(0).choice([0, 80, 255], (24, 32, 1)).repeat(3, axis=2)
    picture = Image.fromarray(pixels.astype(np.uint8)).convert(mode)
    packed = []
    for level in (0, 1, 9):
        picture.save(buffer := BytesIO(), "PNG", compress_level=level)
        packed.append(buffer.getvalue())
    assert len(set(packed)) == len(packed)
    packed.append(encode(pixels.astype(np.uint8), "png").data)
    streams = {prompt_for("blind", "s", "u", [data]).rng.random() for data in packed}
    assert len(streams) == 1
    pixels[0, 0] ^= 1
    other = encode(pixels.astype(np.uint8), "png").data
    assert prompt_for("blind", "s", "u", [other]).rng.random() not in streams


@pytest.mark.parametrize("agent", [*HONEST, "oracle"])
def test_replies_have_exactly_the_keys_asked_for(agent: str, renderer: Renderer) -> None:
    keys = ["view-description", "reasoning", "action", "summary", "selected_cube", "identification"]
    for condition in ("E1", "E5"):
        one = play(renderer, episode(condition, agent, 61, 2, max_steps=8))
        expected = keys if condition == "E1" else [key for key in keys if key != "selected_cube"]
        assert all(list(step.reply) == expected for step in one.steps)
        assert {row["parse_status"] for row in one.outcome.steps} == {"strict"}


def test_blind_does_not_open_its_eyes(moments: list[Seen]) -> None:
    ask = moments[0].ask
    prompt = prompt_for("blind", ask.system, ask.user, [b"not a picture"])
    assert AGENTS["blind"](prompt)


@pytest.mark.parametrize("agent", sorted(AGENTS.keys() - {"guesser"}))
def test_a_foreign_prompt_is_refused(agent: str) -> None:
    prompt = prompt_for(agent, "You are a judge.", "Which story is better?", [])
    with pytest.raises(UnfamiliarPromptError):
        AGENTS[agent](prompt)
