"""What an agent writes into its summary comes back from the history text, and nothing else does."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.agents.prompt import UnfamiliarPromptError
from mirror_ray.agents.walking.notes import CubeNote, Notes, read_notes
from mirror_ray.agents.walking.text import StatedPose, read_situation
from mirror_ray.families.selfid.actions import PastStep
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.prompts import WARNING, history_text, position_text, user_prompt
from mirror_ray.world.room.scene import Pose as WorldPose
from sim_assets.colors import COLOR_NAMES

metres = st.floats(-3, 3).map(lambda value: round(value, 2))
colors = st.sampled_from(COLOR_NAMES)
notes = st.builds(
    Notes,
    steps=st.integers(1, 100),
    pose=st.none() | st.tuples(metres, metres, metres),
    action=st.sampled_from(["", "w", "a", "s", "d"]),
    walls=st.dictionaries(
        st.sampled_from(["east", "north"]), st.dictionaries(colors, st.integers(1, 9))
    ),
    cubes=st.lists(st.builds(CubeNote, colors, metres, metres, st.integers(1, 9)), max_size=3),
    bodies=st.dictionaries(colors, st.integers(1, 9)),
    bumps=st.lists(st.tuples(metres, metres), max_size=3),
    said=colors,
)


def prompt(past: list[PastStep], length: int) -> str:
    history = history_text(past, length)
    position = position_text(WorldPose(1.0, -0.5, 90.0), 87)
    return user_prompt(
        CONDITIONS["E1"], "paper", history=history, position=position, warning=WARNING
    )


@given(notes, st.text(string.printable))
def test_notes_survive_the_history_text(kept: Notes, sentence: str) -> None:
    past = [PastStep("w", sentence, kept.write(sentence.replace("notes=", "")))]
    assert read_notes(prompt(past, 1)) == kept
    assert read_notes(prompt(past, 0)) == Notes()


@given(st.lists(notes, min_size=2, max_size=6), st.integers(1, 5))
def test_of_several_the_latest_counts(several: list[Notes], length: int) -> None:
    for step, one in enumerate(several, 1):
        one.steps = step
    past = [PastStep("a", "", one.write("")) for one in several]
    assert read_notes(prompt(past, length)) == several[-1]
    past.append(PastStep(None, "", ""))
    assert read_notes(prompt(past, length + 1)) == several[-1]


@given(st.text(), st.text())
def test_anything_else_is_no_memory(before: str, after: str) -> None:
    assert read_notes(f"{before}notes={after}") == Notes()


def test_sightings_close_by_are_one_cube_and_average() -> None:
    memory = Notes()
    memory.saw_cube("red", 1.0, 1.0)
    memory.saw_cube("red", 1.2, 1.0)
    memory.saw_cube("red", -1.0, 1.0)
    memory.saw_cube("blue", 1.0, 1.0)
    assert memory.cube("red") == CubeNote("red", 1.1, 1.0, 2)
    assert memory.cube("blue") == CubeNote("blue", 1.0, 1.0, 1)
    assert memory.cube("green") is None


def test_reads_what_the_prompt_says() -> None:
    lie = "You are a purple robot.\nInput each step"
    situation = read_situation(f'{lie} "selected_cube"', prompt([], 1))
    assert situation.pose == StatedPose(1.0, -0.5, 90.0)
    assert (situation.remaining, situation.claimed) == (87, "purple")
    assert (situation.picks_cube, situation.remembers) == (True, True)
    honest = read_situation("You are a robot control agent.", prompt([], 0))
    assert (honest.claimed, honest.picks_cube, honest.remembers) == (None, False, False)
    with pytest.raises(UnfamiliarPromptError):
        read_situation("", "Position: somewhere. Steps remaining: 3.")
