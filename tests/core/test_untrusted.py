import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.untrusted import (
    MAX_INT,
    bounded_float,
    bounded_int,
    one_printable_line,
    printable,
)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (0, 0),
        (MAX_INT, MAX_INT),
        (MAX_INT + 1, None),
        (-1, None),
        (12.0, 12),
        (12.5, None),
        (math.nan, None),
        (math.inf, None),
        (1e300, None),
        (True, None),
        ("5", None),
        (None, None),
        ([5], None),
    ],
)
def test_an_integer_is_kept_within_its_column(value, kept):
    assert bounded_int(value) == kept


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (0, 0.0),
        (0.25, 0.25),
        (-0.01, None),
        (math.nan, None),
        (math.inf, None),
        (1e300, None),
        (10**400, None),
        (False, None),
        ("0.25", None),
    ],
)
def test_a_float_is_kept_finite_and_not_negative(value, kept):
    assert bounded_float(value) == kept


@given(st.text(st.characters(codec=None)))
def test_nothing_printed_acts_on_a_terminal(text):
    shown = printable(text)
    shown.encode("utf-8")
    assert not {c for c in shown if ord(c) < 32 and c not in "\n\t"}
    assert not {c for c in shown if 0x7F <= ord(c) <= 0x9F}
    assert "\u202e" not in shown
    assert len(shown) == len(text)


def test_words_in_any_script_stay_as_they_are():
    text = "Müller\n\t日本語 – 100 % \N{NO-BREAK SPACE}€"
    assert printable(text) == text


def test_a_line_is_cut_before_it_is_read():
    assert one_printable_line("a\x1b[31m\r\n b" + "x" * 10_000_000, 10) == "a�[31m bx…"
