"""What of a reply is thinking, and what is said."""

import pytest

from mirror_ray.reading.thinking import without_thinking


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("42", "42"),
        ("", ""),
        ("<think>6 × 7</think>42", "42"),
        ("<THINK>\nB?\n</THINK>\n\nA", "\n\nA"),
        ("<Thinking>no</Thinking> yes", " yes"),
        ("<reasoning>a</reasoning>b<reasoning>c</reasoning>d", "bd"),
        ("first 41, no …\n</think>\n42", "\n42"),
        ("a</think>b</think>c", "c"),
        ("42<think>but is it", "42"),
        ("<think>it never ends", ""),
        ("<think>a<think>b</think>c</think>d", "d"),
        ("<think >a</think >b", "b"),
        ("<|channel|>analysis<|message|>a<|channel|>final <|constrain|>json<|message|>b", "b"),
        ("3 < 4 > 2 and <thinker> stays", "3 < 4 > 2 and <thinker> stays"),
    ],
)
def test_only_what_stands_outside_of_the_tags_is_said(text: str, said: str) -> None:
    assert without_thinking(text) == said
