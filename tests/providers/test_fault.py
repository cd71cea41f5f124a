"""Which parameter a refusal is about: named ones at once, the others by halving."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mirror_ray.core.types import Reply
from mirror_ray.providers.fault import MORE_CALLS, Fault, find_fault

REFUSAL = {
    "temperature": "'temperature' does not support 0.2 with this model.",
    "seed": "anthropic does not support parameters: ['seed'], for model=x.",
    "schema": "Invalid parameter: 'response_format' of type 'json_schema' is not supported.",
    "picture": "Invalid content type. image_url is only supported by certain models.",
    "reasoning_effort": "Unrecognized request argument supplied: reasoning_effort",
    "max_tokens": "'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
    "extra.top_k": "Unknown parameter: 'top_k'.",
}
SENT = tuple(REFUSAL)


class Server:
    """Refuses calls that carry one of the culprits, saying which, or not."""

    def __init__(self, *culprits: str, is_terse: bool = False) -> None:
        self._culprits, self._is_terse = culprits, is_terse
        self.asked: list[frozenset[str]] = []

    def reply(self, left_out: frozenset[str]) -> Reply:
        found = [name for name in self._culprits if name not in left_out]
        if not found:
            return Reply("fine")
        said = "Bad request" if self._is_terse else REFUSAL[found[0]]
        return Reply("", error_kind="bad_request", error=said)

    async def ask_without(self, left_out: frozenset[str]) -> Reply:
        self.asked.append(left_out)
        return self.reply(left_out)

    def fault(self, sent=SENT) -> Fault:
        return asyncio.run(find_fault(sent, self.reply(frozenset()), self.ask_without))


@pytest.mark.parametrize("name", SENT)
def test_what_is_named_is_found_at_once(name):
    server = Server(name)
    fault = server.fault()
    assert (fault.parameters, fault.is_sure, fault.reply.text) == ((name,), True, "fine")
    assert server.asked == [{name}]


@given(st.permutations(SENT))
def test_up_to_three_that_are_named_in_turn(names):
    server = Server(*names[:3])
    fault = server.fault()
    assert fault.parameters == tuple(names[:3])
    assert fault.is_sure
    assert len(server.asked) == 3


@given(st.sets(st.sampled_from(SENT), min_size=1), st.data())
def test_one_that_nobody_names_is_halved_out(sent, data):
    suspects = [name for name in SENT if name in sent and name != "max_tokens"]
    if not suspects:
        return
    culprit = data.draw(st.sampled_from(suspects))
    server = Server(culprit, is_terse=True)
    fault = server.fault([name for name in SENT if name in sent])
    assert fault.parameters == (culprit,)
    assert fault.reply.text == "fine"
    assert len(server.asked) <= MORE_CALLS
    # Sure is what a call without this one alone has shown.
    assert fault.is_sure == (frozenset([culprit]) in server.asked)


def test_a_fault_that_is_not_the_parameters():
    async def refuse(_: frozenset[str]) -> Reply:
        return Reply("", error_kind="bad_request", error="No such deployment")

    refusal = Reply("", error_kind="bad_request", error="No such deployment")
    fault = asyncio.run(find_fault(SENT, refusal, refuse))
    assert fault.parameters == ()
    assert not fault.is_sure


def test_another_failure_on_the_way_blames_nobody():
    async def overload(_: frozenset[str]) -> Reply:
        return Reply("", error_kind="rate_limit", error="slow down")

    refusal = Reply("", error_kind="bad_request", error=REFUSAL["seed"])
    fault = asyncio.run(find_fault(SENT, refusal, overload))
    assert (fault.parameters, fault.reply.error_kind) == ((), "rate_limit")


def test_the_first_one_mentioned_is_meant():
    said = "doesn't support temperature=0.2 while reasoning is active, unless reasoning_effort is"
    refusal = Reply("", error_kind="bad_request", error=said)
    server = Server("temperature")
    fault = asyncio.run(find_fault(SENT, refusal, server.ask_without))
    assert fault.parameters == ("temperature",)
