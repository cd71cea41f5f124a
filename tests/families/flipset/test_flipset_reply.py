"""Replies as models give them, and what no reader may make of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.types import Reply
from mirror_ray.families.flipset.items import ITEMS, QUARTER_ITEMS
from mirror_ray.families.flipset.options import OPTION_KINDS
from mirror_ray.families.flipset.reply import read_answer
from mirror_ray.families.flipset.trials import LABELS, STATEMENTS

DIGITS = ("18", "81", "78", "87")
LETTERS = ("b", "q", "p", "d")
YES_NO = ("Yes", "No")
MEANT = tuple(STATEMENTS.values())


@pytest.mark.parametrize(
    ("text", "options", "label", "status"),
    [
        ("B", DIGITS, "B", "strict"),
        (" D\n", LETTERS, "D", "strict"),
        ("d", LETTERS, "D", "cleaned"),
        ("b", LETTERS, "A", "cleaned"),
        ("b", DIGITS, "B", "cleaned"),
        ("**B**", DIGITS, "B", "cleaned"),
        ("(C)", DIGITS, "C", "cleaned"),
        ("B) 81", DIGITS, "B", "cleaned"),
        ("B. 81", DIGITS, "B", "cleaned"),
        ("D) d", LETTERS, "D", "cleaned"),
        ("Option C", DIGITS, "C", "cleaned"),
        ("The answer is B.", DIGITS, "B", "cleaned"),
        ("The correct answer is **C) 78**", DIGITS, "C", "cleaned"),
        ('{"answer": "B"}', DIGITS, "B", "cleaned"),
        ("\\boxed{A}", DIGITS, "A", "cleaned"),
        ("<think>A, or B?</think>\nA", DIGITS, "A", "cleaned"),
        ("Answer: B\nNo, I was wrong.\nFinal answer: A", DIGITS, "A", "cleaned"),
        ("B) because the monkey sits opposite", DIGITS, "B", "cleaned"),
        ("18", DIGITS, "A", "cleaned"),
        ("The monkey sees 18.", DIGITS, "A", "cleaned"),
        ('It looks from the other side, so the monkey sees "pou".', ("uop", "pou"), "B", "cleaned"),
        ("Yes", YES_NO, "A", "cleaned"),
        ("B) No", YES_NO, "B", "cleaned"),
        ("Yes, it looks straight at it.", YES_NO, "A", "cleaned"),
        ("The monkey sees exactly what you see", MEANT, "B", "cleaned"),
        # What is not beyond doubt is no answer.
        ("B) 18", DIGITS, None, "failed"),
        ("A or B", DIGITS, None, "failed"),
        ("It is not B", DIGITS, None, "failed"),
        ("The answer is not A.", DIGITS, None, "failed"),
        ("B) is wrong, so C", DIGITS, "C", "cleaned"),
        ("The monkey does not see 18.", DIGITS, None, "failed"),
        ("A monkey", DIGITS, None, "failed"),
        ("E", DIGITS, None, "failed"),
        ("C", YES_NO, None, "failed"),
        ("I cannot tell.", DIGITS, None, "failed"),
        ("", DIGITS, None, "failed"),
    ],
)
def test_shapes_of_replies(
    text: str, options: tuple[str, ...], label: str | None, status: str
) -> None:
    answer = read_answer(Reply(text), options, "direct")
    assert (answer.label, answer.status) == (label, status)
    assert (answer.status == "strict") == (answer.fixes == ())


def test_reasoning_first_is_read_at_its_end() -> None:
    text = "I see 81, option B. From the other side:\n1. reversed 18\n\nAnswer: A"
    assert read_answer(Reply(text), DIGITS, "cot").status == "strict"
    assert read_answer(Reply(text), DIGITS, "cot").label == "A"
    assert read_answer(Reply(text), DIGITS, "direct").status == "cleaned"


def test_a_reply_that_was_cut_off_says_only_what_a_line_follows() -> None:
    for text, label in (
        ("Answer: A", None),
        ("Answer: A\n", None),
        ("Answer: A\nIt sits", None),
        ("Answer: A\nIt sits opposite.\nThe", "A"),
        ("A\nIt sits opposite.\nThe", None),
    ):
        assert read_answer(Reply(text, finish_reason="length"), DIGITS, "cot").label == label


ALL_SETS = [
    tuple(item.options.text(kind) for kind in OPTION_KINDS)
    for item in (*ITEMS, *QUARTER_ITEMS[90], *QUARTER_ITEMS[270])
]
WRAPPINGS = ["{}", "**{}**", "({})", "{}.", "Answer: {}", "answer is: **{}**", "Option {}", "`{}`"]


@given(
    options=st.sampled_from(ALL_SETS),
    place=st.integers(0, 3),
    wrapping=st.sampled_from(WRAPPINGS),
    with_text=st.booleans(),
)
def test_a_capital_letter_is_read_in_any_wrapping(
    options: tuple[str, ...], place: int, wrapping: str, with_text: bool
) -> None:
    said = f"{LABELS[place]}) {options[place]}" if with_text else LABELS[place]
    assert read_answer(Reply(wrapping.format(said)), options, "direct").label == LABELS[place]


@given(options=st.sampled_from(ALL_SETS), place=st.integers(0, 3), other=st.integers(0, 3))
def test_a_letter_with_another_options_text_is_no_answer(
    options: tuple[str, ...], place: int, other: int
) -> None:
    answer = read_answer(Reply(f"{LABELS[place]}) {options[other]}"), options, "direct")
    assert answer.label == (LABELS[place] if place == other else None)


@given(options=st.sampled_from(ALL_SETS), place=st.integers(0, 3))
def test_the_options_own_text_is_read(options: tuple[str, ...], place: int) -> None:
    assert read_answer(Reply(options[place]), options, "direct").label == LABELS[place]


@given(st.text(max_size=400), st.sampled_from([DIGITS, LETTERS, YES_NO, MEANT]))
def test_any_text_is_read_or_refused(text: str, options: tuple[str, ...]) -> None:
    for prompting in ("direct", "cot"):
        answer = read_answer(Reply(text), options, prompting)  # type: ignore[arg-type]
        assert (answer.label is None) == (answer.status == "failed")
        assert answer.label is None or answer.label in LABELS[: len(options)]
