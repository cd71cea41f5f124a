"""The reader of contingency's replies on what chat models write, and on hostile texts."""

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.families.contingency.reply import read_reply
from support.replies.contingency import REPLIES, WHOLE


@pytest.mark.parametrize(("text", "said"), REPLIES.items())
def test_an_answer_is_read_or_none_is(text: str, said: tuple[str, str] | None) -> None:
    parsed, decision = read_reply(Reply(text, finish_reason="stop"))
    assert ((decision.move, decision.answer) if decision else None) == said, parsed
    assert (parsed.status == "failed") == (said is None)


def test_a_reply_that_was_cut_off_says_nothing() -> None:
    assert read_reply(Reply(WHOLE, finish_reason="length"))[1] is None
    assert read_reply(Reply("Answer: left", finish_reason="length"))[1] is None


def test_two_objects_that_disagree_are_no_answer() -> None:
    other = WHOLE.replace("unsure", "left")
    assert read_reply(Reply(f"{WHOLE}\n{other}", finish_reason="stop"))[1] is None


def test_words_are_bounded_and_printable() -> None:
    text = f'{{"view": "a\\u001b[31m{"b" * 9_000}", "move": "up", "answer": "none"}}'
    _, decision = read_reply(Reply(text, finish_reason="stop"))
    assert decision is not None
    assert len(decision.view) <= 4_000
    assert "\x1b" not in decision.view
