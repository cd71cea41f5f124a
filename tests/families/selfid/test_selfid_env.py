"""The environments keep Gymnasium's contract, and show the very scenes of a sweep."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mirror_ray.integrations.gym
from mirror_ray.core.errors import SweepError
from mirror_ray.families.selfid.gym_environment import GYM_MOVES, PLAYED, SelfIDEnv
from mirror_ray.world.renderer import Renderer
from sim_assets.colors import COLOR_NAMES
from support.agents.scripted_episodes import episode, play
from support.whole import mostly_thorough


def made(condition: str = "E1", **axes):
    return gymnasium.make(f"mirror_ray/SelfID-{condition}-v0", **axes)


@pytest.mark.parametrize("condition", mostly_thorough(3, PLAYED))
def test_gymnasium_s_own_check(condition: str) -> None:
    env = made(condition, image="320x240", render_mode="rgb_array")
    check_env(env.unwrapped)
    env.close()


def test_making_them_known_again_changes_nothing() -> None:
    before = dict(gymnasium.registry)
    mirror_ray.integrations.gym.register()
    assert dict(gymnasium.registry) == before


@pytest.mark.parametrize("condition", ["E1", "E4", "E5"])
def test_the_pictures_are_those_of_a_sweep(renderer: Renderer, condition: str) -> None:
    """What an agent saw and did in a sweep's episode, done again here, shows the same."""
    played = play(renderer, episode(condition, "observer", 7, 1, image="320x240", max_steps=12))
    env = made(condition, image="320x240", max_steps=12)
    seen, info = env.reset(seed=7, options={"run": 1})
    for one in played.steps:
        assert {name: info[name] for name in one.facts} == dict(one.facts)
        assert info["system"] == one.ask.system
        assert info["truth"] == one.ask.truth
        said = one.reply
        named = said.get("selected_cube", said["identification"])
        if named not in COLOR_NAMES:
            # It does not know: here it has to guess, and wrongly.
            named = next(color for color in COLOR_NAMES if color != played.truth)
        is_move = said["action"] in GYM_MOVES
        action = (
            GYM_MOVES.index(said["action"])
            if is_move
            else len(GYM_MOVES) + COLOR_NAMES.index(named)
        )
        seen, reward, terminated, truncated, info = env.step(action)
        assert seen["image"].shape == (240, 320, 3)
    assert (terminated, truncated) == (played.outcome.terminated, played.outcome.truncated)
    assert reward == float(played.outcome.terminated and played.answer == played.truth)
    assert info["outcome"]["ego_color"] == played.truth
    env.close()


def test_only_the_own_colour_is_rewarded() -> None:
    env = made(image="320x240")
    for offset in (0, 1):
        _, info = env.reset(seed=3)
        own = COLOR_NAMES.index(info["truth"]["ego_color"])
        said = len(GYM_MOVES) + (own + offset) % len(COLOR_NAMES)
        _, reward, terminated, _, info = env.step(said)
        assert (reward, terminated) == (1.0 - offset, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step(0)
    env.close()


def test_an_episode_without_an_end_is_truncated() -> None:
    env = made(image="320x240", max_steps=3)
    env.reset(seed=0)
    ends = [env.step(GYM_MOVES.index("d"))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    env.close()


def test_several_at_once_are_what_each_is_alone() -> None:
    several = gymnasium.make_vec(
        "mirror_ray/SelfID-E1-v0", num_envs=3, vectorization_mode="sync", image="320x240"
    )
    seen, _ = several.reset(seed=[5, 6, 7])
    alone = made(image="320x240")
    for number, seed in enumerate((5, 6, 7)):
        expected, _ = alone.reset(seed=seed)
        assert np.array_equal(seen["image"][number], expected["image"])
        assert seen["text"][number] == expected["text"]
    several.close()
    alone.close()


@pytest.mark.parametrize(
    ("condition", "axes", "word"),
    [
        ("E9", {}, "E1, E2, E3, E4, E5"),
        ("E1", {"channel": "wager"}, "max_steps"),
        ("E1", {"image": "1x1"}, "320x240"),
        ("E1", {"max_steps": 0}, "≥ 1"),
    ],
)
def test_bad_input_is_refused_with_what_is_allowed(condition, axes, word) -> None:
    with pytest.raises(SweepError, match=word):
        SelfIDEnv(condition, **axes)


def test_what_is_no_action_is_refused() -> None:
    env = SelfIDEnv("E1", image="320x240")
    env.reset(seed=0)
    with pytest.raises(gymnasium.error.InvalidAction, match="0 to 13"):
        env.step(np.int64(14))
    env.close()
