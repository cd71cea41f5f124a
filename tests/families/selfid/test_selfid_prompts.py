"""The stimuli are the published ones, to the character."""

from pathlib import Path
from typing import get_args

import pytest

from mirror_ray.families.selfid.actions import PastStep
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.prompts import (
    WARNING,
    history_text,
    position_text,
    reask_prompt,
    system_prompt,
    user_prompt,
    warning_text,
)
from mirror_ray.families.selfid.settings import MirrorCalled
from mirror_ray.world.room.motion import Obstacle
from mirror_ray.world.room.scene import Pose

PUBLISHED = Path(__file__).parent / "published"
POSITION = "Position: x=1.0, y=-0.5; heading=90 degrees. Steps remaining: 87."


def published(name: str) -> str:
    return (PUBLISHED / f"{name}.txt").read_text().removesuffix("\n")


@pytest.mark.parametrize("condition", ["E1", "E2", "E4"])
def test_system_prompt_is_the_published_one(condition: str) -> None:
    assert system_prompt(CONDITIONS[condition], None) == published("system_cubes")


def test_the_lie_changes_the_first_line_and_nothing_else() -> None:
    first, _, rest = system_prompt(CONDITIONS["E3"], "pink").partition("\n")
    assert first == "You are a pink robot."
    assert rest == published("system_cubes").partition("\n")[2]


def test_the_open_ended_system_prompt_is_the_published_one() -> None:
    assert system_prompt(CONDITIONS["E5"], None) == published("system_open")


@pytest.mark.parametrize("condition", ["E1", "E2", "E3", "E4"])
def test_user_prompt_fills_the_published_slots(condition: str) -> None:
    expected = (
        published("user_cubes")
        .replace("<history_text>", "No previous steps.")
        .replace("<position_text>", POSITION)
        .replace("<warning_if_bumped_wall>", "Warning: your last movement was blocked by a wall.")
    )
    text = user_prompt(
        CONDITIONS[condition],
        "paper",
        history="No previous steps.",
        position=POSITION,
        warning=WARNING,
    )
    assert text == expected


def test_an_empty_slot_leaves_no_double_space() -> None:
    text = user_prompt(CONDITIONS["E1"], "paper", history="", position=POSITION, warning="")
    expected = (
        published("user_cubes")
        .replace("<history_text> ", "")
        .replace("<position_text>", POSITION)
        .replace("<warning_if_bumped_wall> ", "")
    )
    assert text == expected
    assert "  " not in text


def test_the_open_ended_user_prompt_takes_the_shared_warning_behind_the_position() -> None:
    expected = (
        published("user_open")
        .replace("<history_text>", "No previous steps.")
        .replace("<position_text>", POSITION)
    )
    for warning, whole in (
        ("", expected),
        (WARNING, expected.replace(POSITION, f"{POSITION} {WARNING}")),
    ):
        text = user_prompt(
            CONDITIONS["E5"],
            "paper",
            history="No previous steps.",
            position=POSITION,
            warning=warning,
        )
        assert text == whole


@pytest.mark.parametrize("name", ["E1", "E4", "E5"])
def test_a_wall_is_said_of_walls_alone(name: str) -> None:
    obstacles: tuple[Obstacle, ...] = get_args(Obstacle)
    said = {obstacle: warning_text(CONDITIONS[name], "paper", obstacle) for obstacle in obstacles}
    assert said == {"wall": WARNING, "cube": "", "agent": "", "clutter": ""}
    assert warning_text(CONDITIONS[name], "paper", None) == ""


def test_a_variant_names_the_obstacle() -> None:
    said = [
        warning_text(CONDITIONS["E4"], "obstacles", obstacle) for obstacle in get_args(Obstacle)
    ]
    assert said == [
        f"Warning: your last movement was blocked by {what}."
        for what in ("a wall", "a cube", "another robot", "a box")
    ]


def test_clarified_differs_in_the_open_ended_user_prompt_alone() -> None:
    for condition in CONDITIONS.values():
        paper, clarified = (
            user_prompt(condition, variant, history="H.", position=POSITION, warning="")
            for variant in ("paper", "clarified")
        )
        assert (paper == clarified) == (condition.cubes or condition.glance)
        if not condition.glance:
            assert ("color of your own body" in clarified) == (not condition.cubes)
            assert " H. Position:" in clarified


def test_position_text_as_the_protocol_prints_it() -> None:
    assert position_text(Pose(1.0, -0.5, 90.0), 87) == POSITION
    assert position_text(Pose(-0.04, 2.249, 359.9999), 1) == (
        "Position: x=0.0, y=2.2; heading=0 degrees. Steps remaining: 1."
    )


def test_history_of_one_step() -> None:
    past = [PastStep("a", "earlier", "gone"), PastStep("w", "r" * 300, "saw  a\nmirror")]
    assert history_text([], 1) == "No previous steps."
    assert history_text(past, 1) == (
        f"Previous step: action=w; reasoning={'r' * 200}; summary=saw a mirror"
    )


def test_history_of_five_steps_is_oldest_first_and_ends_with_the_previous_one() -> None:
    past = [PastStep("w", str(index), "s") for index in range(7)]
    text = history_text(past, 5)
    assert text.startswith("5 steps ago: action=w; reasoning=2; summary=s 4 steps ago:")
    assert text.endswith("Previous step: action=w; reasoning=6; summary=s")
    assert history_text(past[:1], 5) == "Previous step: action=w; reasoning=0; summary=s"


def test_no_history_says_nothing_at_all() -> None:
    assert history_text([], 0) == ""
    assert history_text([PastStep("w", "r", "s")], 0) == ""


def test_an_unread_step_is_remembered_as_no_action() -> None:
    assert history_text([PastStep(None, "", "")], 1) == (
        "Previous step: action=none; reasoning=; summary=(the reply could not be read)"
    )


def test_a_second_ask_adds_one_line_that_names_the_problem() -> None:
    first, _, line = reask_prompt("the same prompt", "it was cut off").partition("\n")
    assert first == "the same prompt"
    assert line == (
        "Your last reply could not be read: it was cut off. Return only the JSON object."
    )


def prompts(condition: str, called: MirrorCalled) -> str:
    """Both prompts of a step."""
    one = CONDITIONS[condition]
    user = user_prompt(
        one, "paper", history="", position=POSITION, warning="", mirror_called=called
    )
    return f"{system_prompt(one, None, called)}\n{user}"


@pytest.mark.parametrize("condition", ["E1", "E5"])
def test_the_mirror_is_called_what_the_axis_says(condition: str) -> None:
    said = prompts(condition, "mirror")
    assert said.count("mirror") == 1
    assert "mirror" not in prompts(condition, "unsaid")
    for word in ("window", "picture", "screen"):
        renamed = prompts(condition, word)
        assert renamed.count(word) == 1
        assert "mirror" not in renamed
    # Nothing else changes.
    for word in ("unsaid", "window", "picture", "screen"):
        assert len(set(prompts(condition, word).split()) ^ set(said.split())) <= 5


def test_of_several_frames_the_prompt_says_which_is_which() -> None:
    one = CONDITIONS["E1"]
    few = {
        n: user_prompt(one, "paper", history="", position=POSITION, warning="", n_frames=n)
        for n in (1, 4)
    }
    said = "The 4 images are your last frames, oldest first; the last one is the current one. "
    assert said in few[4]
    assert few[1] == few[4].replace(said, "")
