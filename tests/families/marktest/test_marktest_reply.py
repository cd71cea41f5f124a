"""Readers of marktest's replies on what chat models write, and on hostile texts."""

import pytest

from mirror_ray.core.types import Reply
from mirror_ray.families.marktest.reply import read_reply
from mirror_ray.families.marktest.words import claim_of, image_as
from support.replies.marktest import NOTICED, REPLIES, WORDS


@pytest.mark.parametrize(("text", "action"), REPLIES.items())
def test_an_action_is_read_or_none_is(text: str, action: str | None) -> None:
    parsed, decision = read_reply(Reply(text, finish_reason="stop"))
    assert (decision.action if decision else None) == action, parsed
    assert (parsed.status == "failed") == (action is None)


def test_a_reply_that_was_cut_off_says_nothing() -> None:
    whole = next(iter(REPLIES))
    assert read_reply(Reply(whole, finish_reason="length"))[1] is None


def test_what_else_is_missing_never_costs_the_action() -> None:
    _, decision = read_reply(Reply('{"action": "up", "noticed": ["a", 1]}'))
    assert decision is not None
    assert (decision.action, decision.view, decision.noticed) == ("up", "", '["a", 1]')


@pytest.mark.parametrize(("text", "claim"), NOTICED)
def test_whose_mark_it_is_said_to_be(text: str, claim: str) -> None:
    assert claim_of(text) == claim


@pytest.mark.parametrize(("text", "taken_for"), WORDS)
def test_whom_the_image_is_taken_for(text: str, taken_for: str | None) -> None:
    assert image_as(text) == taken_for


def test_the_own_body_goes_before_others() -> None:
    both = "The person has a green mark. The same mark is on my forehead."
    assert claim_of(both) == "own"
    assert image_as("A person stands opposite. It is my own reflection.") == "self"
