"""The stimuli are the published ones, to the character."""

from pathlib import Path

import pytest

from mirror_ray.tasks.selfid.conditions import CONDITIONS
from mirror_ray.tasks.selfid.prompts import (
    PastStep,
    history_text,
    position_text,
    reask_prompt,
    system_prompt,
    user_prompt,
)
from mirror_ray.world.scene import Pose

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
        CONDITIONS[condition], "paper", history="No previous steps.", position=POSITION, bumped=True
    )
    assert text == expected


def test_an_empty_slot_leaves_no_double_space() -> None:
    text = user_prompt(CONDITIONS["E1"], "paper", history="", position=POSITION, bumped=False)
    expected = (
        published("user_cubes")
        .replace("<history_text> ", "")
        .replace("<position_text>", POSITION)
        .replace("<warning_if_bumped_wall> ", "")
    )
    assert text == expected
    assert "  " not in text


def test_the_open_ended_user_prompt_has_no_warning_slot() -> None:
    expected = (
        published("user_open")
        .replace("<history_text>", "No previous steps.")
        .replace("<position_text>", POSITION)
    )
    for bumped in (False, True):
        text = user_prompt(
            CONDITIONS["E5"],
            "paper",
            history="No previous steps.",
            position=POSITION,
            bumped=bumped,
        )
        assert text == expected


def test_clarified_differs_in_the_open_ended_user_prompt_alone() -> None:
    for condition in CONDITIONS.values():
        paper, clarified = (
            user_prompt(condition, variant, history="H.", position=POSITION, bumped=False)
            for variant in ("paper", "clarified")
        )
        assert (paper == clarified) == condition.cubes
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
