"""Text from models as pixels: bounded, printable, and never wider than its place."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mirror_ray.replay.film.text_layout import (
    MAX_DRAWN_CHARS,
    drawable_text,
    fitted_text,
    shares,
    text_width_px,
    wrapped_lines,
)

ROOM_PX = 160
SIZE_PX = 16


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("  two\n\tlines ", "two lines"),
        ("café – naïve × 2 → done", "cafe - naive x 2 -> done"),
        ("鏡 🤖", "? ?"),
        ("\x1b[31mred\x07", "?[31mred?"),
        ("\ud83d", "?"),
        ("", ""),
    ],
)
def test_plain(text, seen):
    assert drawable_text(text) == seen


texts = st.text(max_size=300) | st.text("W i\n…", max_size=3_000)


@given(texts, st.integers(1, 6))
@example("W" * 400, 2)
@example("a " * 400, 1)
def test_lines_fit_and_none_is_lost_without_a_mark(text, max_lines):
    lines = wrapped_lines(text, SIZE_PX, ROOM_PX, max_lines)
    assert len(lines) <= max_lines
    # An ellipsis may stand where a letter just fitted.
    assert all(text_width_px(line, SIZE_PX) <= ROOM_PX + 2 for line in lines)
    whole = drawable_text(text).replace(" ", "")
    shown = "".join(lines).replace(" ", "")
    if shown != whole:
        assert shown.endswith("…")
        assert whole.startswith(shown[:-1])


@given(texts)
def test_fitted_is_one_line_that_fits(text):
    line = fitted_text(text, SIZE_PX, ROOM_PX)
    assert text_width_px(line, SIZE_PX) <= ROOM_PX + 2
    assert line == drawable_text(text) or line.endswith("…")


def test_length_is_bounded():
    assert len(drawable_text("a" * 10**6)) == MAX_DRAWN_CHARS


@pytest.mark.parametrize(
    ("wanted", "available", "given_lines"),
    [
        ((1, 2, 3), 10, (1, 2, 3)),
        ((1, 9, 9), 9, (1, 4, 4)),
        ((5, 5), 0, (0, 0)),
        ((0, 4), 3, (0, 3)),
        ((2, 2, 2), 2, (1, 1, 0)),
    ],
)
def test_shares(wanted, available, given_lines):
    assert shares(wanted, available) == given_lines


@given(st.lists(st.integers(0, 30), max_size=6), st.integers(0, 40))
def test_shares_waste_nothing(wanted, available):
    given_lines = shares(wanted, available)
    assert sum(given_lines) == min(sum(wanted), available)
    assert all(got <= want for got, want in zip(given_lines, wanted, strict=True))
