"""Replies in the styles of chat models: none is read as another option than it commits to.

What commits to an option beyond doubt is read, whichever the style; what does not is no answer.
"""

from collections import Counter
from collections.abc import Mapping

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.families.flipset.reply import read_answer
from mirror_ray.families.mirrorqa.item import FOUR, TWO
from mirror_ray.families.mirrorqa.reply import read_choice
from support.each_case import each
from support.replies import flipset, mirrorqa

Styles = Mapping[str, tuple[tuple[str, str | None], ...]]

LEAST_READ = 0.75
"""Of the replies that commit to an option, in every style."""


def _flipset(text: str) -> str | None:
    labels = {read_answer(Reply(text), flipset.OPTIONS, how).label for how in ("direct", "cot")}  # type: ignore[arg-type]
    assert len(labels) == 1, "the same reply is read alike, whatever was asked for"
    return labels.pop()


READINGS = [
    *(("flipset", *one) for one in flipset.REPLIES.items()),
    *(("mirrorqa", *one) for one in mirrorqa.REPLIES.items()),
    *(("mirrorqa of four", *one) for one in mirrorqa.OF_FOUR.items()),
]
READERS = {
    "flipset": _flipset,
    "mirrorqa": lambda text: read_choice(text, TWO).option,
    "mirrorqa of four": lambda text: read_choice(text, FOUR).option,
}


@each(
    ("family", "text", "expected"),
    [
        pytest.param(family, text, expected, id=f"{family}, {style}: {text[:40]!r}")
        for family, style, replies in READINGS
        for text, expected in replies
    ],
)
def test_no_reply_is_read_as_another_option(family: str, text: str, expected: str | None) -> None:
    assert READERS[family](text) in {expected, None}


@pytest.mark.parametrize("family", READERS)
def test_what_commits_is_read(family: str) -> None:
    replies = [one for name, _, style in READINGS if name == family for one in style]
    committed = [(text, expected) for text, expected in replies if expected is not None]
    unread = [text for text, expected in committed if READERS[family](text) != expected]
    assert len(unread) <= (1 - LEAST_READ) * len(committed), unread


def test_there_are_enough_of_them_and_half_are_wrong() -> None:
    for styles, right in ((flipset.REPLIES, {"A"}), (mirrorqa.REPLIES, {"left"})):
        said = Counter(option in right for one in styles.values() for _, option in one if option)
        assert sum(said.values()) >= 60
        assert abs(said[True] - said[False]) <= 0.1 * sum(said.values())
