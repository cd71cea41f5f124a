"""Right answers are right however they are put, and wrong ones are not; leniency is a mode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.families.metacog.bank import keys
from mirror_ray.families.metacog.bank.distractor import wrong_answer
from mirror_ray.families.metacog.bank.question import Key
from mirror_ray.families.metacog.levels.bank import MOST_SEEDS, question_at
from mirror_ray.families.metacog.matching import (
    chosen,
    in_one_spelling,
    is_right,
    is_right_leniently,
    plain,
)

COMPASS = ("north", "northeast", "east", "south", "west")
NUMBER, LARGE, PERCENT = keys.number_key(138), keys.number_key(12_500), Key("22%", "number")
WEST = keys.text("west", COMPASS)
OPEN_ENDED = Key("Romulus Augustulus", "text", ("Romulus Augustus",))
LETTER = Key("C", "letter", ("pay the invoice",), ("A", "B", "C", "D"))


@pytest.mark.parametrize(
    ("key", "answer", "right"),
    [
        (NUMBER, "138", True),
        (NUMBER, "138 pencils", True),
        (NUMBER, "187 - 49 = 138", True),
        (NUMBER, "**138**", True),
        (NUMBER, "138.005", True),
        (NUMBER, "138.02", False),
        (NUMBER, "one hundred", False),
        (LARGE, "12,499", True),
        (LARGE, "$12,500.00", True),
        (LARGE, "12,498", False),
        (PERCENT, "22", True),
        (PERCENT, "0.22", True),
        (PERCENT, "22 percent", True),
        (PERCENT, "0.23", False),
        (Key("8 minutes", "number"), "480 seconds", True),
        (Key("1.5 km", "number"), "1500 m", True),
        (Key("1/3", "number"), "0.333", True),
        (WEST, "West.", True),
        (WEST, "They face west, not east", True),
        (WEST, "north or west", False),
        (WEST, "northwest", False),
        (keys.text("northeast", COMPASS), "north", False),
        (OPEN_ENDED, "romulus augustulus", True),
        (OPEN_ENDED, "Romulus Augustus (476 AD)", True),
        (OPEN_ENDED, "Romulus", False),
        (keys.text("cannot be determined", ("yes", "no", "cannot be determined")), "No.", False),
        (LETTER, "C", True),
        (LETTER, "c) pay the invoice", True),
        (LETTER, "(C)", True),
        (LETTER, "Option C", True),
        (LETTER, "Pay the invoice", True),
        (LETTER, "B", False),
        (LETTER, "Cancel it", False),
        (keys.yes_no(is_yes=True), "True", True),
        (keys.yes_no(is_yes=False), "not true", True),
        (keys.yes_no(is_yes=True), "No, yes would be odd", False),
        (Key("21:10", "time"), "9:10 pm", True),
        (Key("21:10", "time"), "9:10", False),
        (keys.sequence((8, -2)), "(8, -2)", True),
        (keys.sequence((8, -2)), "x = 8, y = −2", True),
        (keys.sequence((8, -2)), "-2, 8", False),
        (keys.sequence("BAC"), "B, A, C", True),
        (keys.sequence("BAC"), "B → A → C", True),
        (keys.sequence("BAC"), "B, C, A", False),
    ],
)
def test_strictly(key: Key, answer: str, *, right: bool) -> None:
    assert is_right(answer, key) is right


def test_leniently_either_may_contain_the_other() -> None:
    assert not is_right("Romulus", OPEN_ENDED)
    assert is_right_leniently("Romulus", OPEN_ENDED)
    assert is_right_leniently("The last was Romulus Augustulus, I think.", OPEN_ENDED)
    assert is_right_leniently("138 of 187", NUMBER)
    assert not is_right_leniently("", OPEN_ENDED)
    assert not is_right_leniently("Nero", OPEN_ENDED)


def test_no_key_decides_an_open_answer() -> None:
    key = Key("An object in motion stays in motion unless acted upon by a force.", "open")
    assert is_right("anything", key) is None
    assert is_right_leniently("an object in motion stays in motion", key)


def test_options_are_told_apart_by_whole_words() -> None:
    assert chosen("the new york office", ("york", "new york")) == "new york"
    assert chosen("neither", ("york", "new york")) is None


@given(st.integers(0, MOST_SEEDS - 1))
def test_a_generated_key_is_right_and_its_distractor_wrong(index: int) -> None:
    key = question_at("exp1", index).key
    assert is_right(key.answer, key)
    assert is_right(f"{key.answer}.", key)
    wrong = wrong_answer(key)
    assert not is_right(wrong, key)
    if key.options:
        assert wrong in key.options


@given(st.text(max_size=60), st.integers(0, 2_000))
def test_strict_is_within_lenient(answer: str, index: int) -> None:
    key = question_at("exp1", index).key
    if is_right(answer, key):
        assert is_right_leniently(answer, key)


@given(st.text(max_size=200))
def test_plain_is_idempotent(words: str) -> None:
    assert plain(plain(words)) == plain(words)


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        (NUMBER, "138 pencils", "187 - 49 = 138.00"),
        (NUMBER, "1,000", "$1000"),
        (Key("8 minutes", "number"), "540 seconds", "9"),
        (WEST, "They face North, not east", "north"),
        (WEST, "upwards", "Upwards."),
        (LETTER, "b) cancel it", "Option B"),
        (keys.yes_no(is_yes=True), "Not true.", "no"),
        (Key("21:10", "time"), "9:15 pm", "21:15"),
        (keys.sequence((8, -2)), "(8, 3)", "8 and 3"),
        (Key("an essay of more than eight words it would be", "open"), "The sea", "sea!"),
    ],
)
def test_what_says_the_same_is_spelled_alike(key: Key, one: str, other: str) -> None:
    assert in_one_spelling(one, key) == in_one_spelling(other, key) != ""


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        (NUMBER, "138", "139"),
        (WEST, "north", "northeast"),
        (LETTER, "B", "D"),
        (keys.yes_no(is_yes=True), "yes", "no"),
        (Key("21:10", "time"), "9:10", "21:10"),
        (keys.sequence((8, -2)), "8, 2", "8, -2"),
    ],
)
def test_what_says_another_thing_is_not(key: Key, one: str, other: str) -> None:
    assert in_one_spelling(one, key) != in_one_spelling(other, key)


@given(st.integers(0, MOST_SEEDS - 1))
def test_the_right_answer_has_one_spelling_and_the_wrong_one_another(n: int) -> None:
    key = question_at("exp1", n).key
    right, wrong = in_one_spelling(key.answer, key), in_one_spelling(wrong_answer(key), key)
    assert right != wrong
    assert in_one_spelling(f"**{key.answer}**", key) == right
