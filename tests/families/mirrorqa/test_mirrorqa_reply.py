"""Reading a chosen option: what counts, with which liberties, and that nothing ever raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.types import PARSE_STATUSES
from mirror_ray.families.mirrorqa.item import FOUR, TWO, opposite, shifted, written
from mirror_ray.families.mirrorqa.reply import read_choice

SIDES = st.sampled_from([TWO, FOUR])


@st.composite
def offers(draw: st.DrawFn) -> tuple[str, ...]:
    return tuple(draw(st.permutations(draw(SIDES))))


@pytest.mark.parametrize(
    ("text", "options", "expected", "status"),
    [
        ("A", TWO, "left", "strict"),
        ("B. Right", TWO, "right", "strict"),
        ("Right rear", FOUR, "right rear", "strict"),
        ("b", TWO, "right", "cleaned"),
        ("(B)", TWO, "right", "cleaned"),
        ("**B. Right**", TWO, "right", "cleaned"),
        ("B) right front.", FOUR, "right front", "cleaned"),
        ("The answer is: left.", TWO, "left", "cleaned"),
        ("So she raises her left hand.", TWO, "left", "cleaned"),
        ("Stage 1: it faces left.\nStage 3, decision.\nAnswer: B. Right", TWO, "right", "cleaned"),
        ("<think>left? no, right</think>A", TWO, "left", "cleaned"),
        (r"\boxed{C}", FOUR, "left rear", "cleaned"),
        ("The left hind leg", FOUR, "left rear", "cleaned"),
        ("its right foreleg", FOUR, "right front", "cleaned"),
        ("the back left one", FOUR, "left rear", "cleaned"),
        ("front-right", FOUR, "right front", "cleaned"),
        ("right-hand side", TWO, "right", "cleaned"),
    ],
)
def test_readings(text: str, options: tuple[str, ...], expected: str, status: str) -> None:
    choice = read_choice(text, options)
    assert (choice.option, choice.status) == (expected, status)


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("", TWO, "unread"),
        ("I cannot tell.", TWO, "refused"),
        ("Either left or right.", TWO, "unread"),
        ("A. Right", TWO, "unread"),
        ("the left leg", FOUR, "unread"),
        ("D", TWO, "unread"),
        ("Answer: A\nAnswer: B", TWO, "several answers"),
        ("Answer: the other one", TWO, "an answer of another kind"),
        # Whose right or left is meant, a sentence of its own does not say.
        ("The raised hand is on the right.", TWO, "unread"),
    ],
)
def test_no_answers(text: str, options: tuple[str, ...], reason: str) -> None:
    choice = read_choice(text, options)
    assert (choice.option, choice.status) == (None, "failed")
    assert reason in choice.fixes


def test_a_reply_cut_off_is_none() -> None:
    assert read_choice("A", TWO, "length").status == "failed"


@pytest.mark.parametrize("text", ["</" * 10_000, "answer " * 3_000, "left" + ", " * 9_000])
def test_hostile_text_is_survived(text: str) -> None:
    assert read_choice(text, FOUR).option is None


@given(offers(), st.integers(0, 3))
def test_every_option_is_read_however_it_is_written(options: tuple[str, ...], place: int) -> None:
    place %= len(options)
    line, option = written(options)[place], options[place]
    for text in (line, line.upper(), f"I think it is {option}.", f"Answer: {line}", line[0]):
        assert read_choice(text, options).option == option


@given(st.text(max_size=400), offers())
def test_nothing_raises_and_a_choice_is_an_option(text: str, options: tuple[str, ...]) -> None:
    choice = read_choice(text, options)
    assert choice.status in PARSE_STATUSES
    assert (choice.option is None) == (choice.status == "failed")
    assert choice.option in (*options, None)
    assert choice.status == "strict" or choice.fixes or choice.option is not None


@given(offers())
def test_shifts_are_cyclic_and_opposites_are_options(options: tuple[str, ...]) -> None:
    seen = {shifted(options, shift) for shift in range(len(options))}
    assert len(seen) == len(options)
    assert shifted(options, 1) == (*options[1:], options[0])
    assert all(opposite(opposite(one)) == one != opposite(one) in options for one in options)
