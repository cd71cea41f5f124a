"""The counting matcher finds what `re` finds, and separates linear patterns from others."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.patterns_in_use import modules, patterns_of
from support.regex_growth import TRIED_IN_PART, growth
from support.regex_steps import Steps, steps_of
from support.worst_texts import PIECES

LINEAR = (
    *(
        r"a*b",
        r"(?<!\d)\d++%",
        r"(?m)^[^\w\n]*+answer",
        r"x(?:ab|cd)*+y",
        r"<[^<>]*>",
        r"a.{0,30}b",
    ),
    *(r"(?s)\A.*?x", r"\bthe (\w++) cube\b", r"-?\d{1,9}(?:\.\d{1,9})?"),
)
SQUARE = (
    *(r"\s+$", r"\d+%", r".*?x", r"\w+@\w+", r"<a[^>]*>", r"(?m)^\W*skip", r"a+b"),
    *(r"(?<![\w.-])-?\d+(?:\.0+)?(?![\d.]*\d)", r"\[TOOL\s*:\s*(\w+)\s*\|\s*([^\]]*)\]"),
)
EXPONENTIAL = (r"(a+)+$", r"(?:\s*\d+\s*(?:s|m)[a-z]*,?)+!", r"(x+x+)+y", r"(?:a|aa)+$", r"(.*)*x")


@pytest.mark.parametrize("pattern", LINEAR)
def test_a_linear_pattern_takes_four_times_the_steps(pattern: str) -> None:
    anchored = pattern in (r"a*b", r"(?s)\A.*?x")
    assert growth(re.compile(pattern), anchored=anchored)[0] < 5


@pytest.mark.parametrize("pattern", [*SQUARE, *EXPONENTIAL])
def test_any_other_is_found_out(pattern: str) -> None:
    assert growth(re.compile(pattern))[0] > 10
    assert growth(re.compile(pattern), every=TRIED_IN_PART)[0] > 10


def test_two_repetitions_that_share_characters_are_square_at_the_beginning_too() -> None:
    assert growth(re.compile(r"a*a*b"), anchored=True)[0] > 10
    assert growth(re.compile(r"\s*(\w+)\s*(?:,\s*([^|]*))?\|"), anchored=True)[0] > 10


def test_steps_are_the_same_each_time() -> None:
    pattern = re.compile(r"(?:\w+\s?)*:")
    assert steps_of(pattern, "a b c d" * 3) == steps_of(pattern, "a b c d" * 3)


@settings(max_examples=60, derandomize=True, database=None)
@given(st.lists(st.sampled_from([*PIECES, "a", "1"]), max_size=5).map("".join))
def test_matches_end_where_those_of_re_end(text: str) -> None:
    for pattern, _ in (found for name in modules() for found in patterns_of(name).values()):
        if isinstance(pattern.pattern, str) and "1,300" not in pattern.pattern:
            steps = Steps(pattern)
            for at in range(0, len(text) + 1, 3):
                found = pattern.match(text, at)
                assert steps.match(text, at) == (found.end() if found else None), pattern
                steps.taken = 0
