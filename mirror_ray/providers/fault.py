"""Finds the parameter that a provider refuses with few calls: by its message, then by halving."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mirror_ray.core.types import Reply

MORE_CALLS = 3

_WORDS: Mapping[str, str] = {
    "temperature": r"temperature",
    "seed": r"seed",
    "schema": r"response_format|schema|output_format|output_config|structured|\bformat\b",
    "picture": r"image|vision|multimodal|modalit|content type",
    "reasoning_effort": r"reasoning|thinking|effort",
    "max_tokens": r"max_tokens|max_completion_tokens|max_output_tokens",
}
"""How a refusal names a parameter; those of the catalogue's `extra` are ``extra.<name>`` here."""

_ONLY_IF_NAMED = frozenset({"max_tokens"})
"""A call must bound its reply, and the other name of this bound may be refused in turn."""

AskWithout: TypeAlias = Callable[[frozenset[str]], Awaitable[Reply]]
"""Makes the same call again, without some of its parameters."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The parameters that a provider does not accept.

    Args:
        parameters: without them the call passes; empty if no single parameter is at fault.
        reply: the last reply, which passed if any did.
        is_sure: a call without exactly these has passed; otherwise they are inferred.
    """

    parameters: tuple[str, ...]
    reply: Reply
    is_sure: bool


async def find_fault(sent: Sequence[str], refusal: Reply, ask_without: AskWithout) -> Fault:
    """Leave out the parameters that refusals name, one after another. Without a name, halve the
    rest, assuming one faulty parameter. Make at most `MORE_CALLS` calls.

    Args:
        sent: the parameters that the refused call carried.
        refusal: its reply, of error kind ``bad_request``.
    """
    left_out: list[str] = []
    reply, calls = refusal, 0
    while calls < MORE_CALLS and (name := _named_in(reply, sent, left_out)):
        left_out.append(name)
        reply = await ask_without(frozenset(left_out))
        calls += 1
        if reply.error_kind != "bad_request":
            passed = reply.error_kind == "none"
            return Fault(tuple(left_out) if passed else (), reply, passed)
    suspects = [name for name in sent if name not in {*left_out, *_ONLY_IF_NAMED}]
    passed_reply: Reply | None = None
    proven = False
    while calls < MORE_CALLS and suspects and not (len(suspects) == 1 and proven):
        half = suspects[: (len(suspects) + 1) // 2]
        reply = await ask_without(frozenset([*left_out, *half]))
        calls += 1
        if reply.error_kind == "none":
            suspects, passed_reply, proven = half, reply, True
        elif len(suspects) == 1 or reply.error_kind != "bad_request":
            suspects = []
        else:
            suspects, proven = suspects[len(half) :], False
    if len(suspects) != 1 or passed_reply is None:
        return Fault((), passed_reply or reply, is_sure=False)
    return Fault((*left_out, *suspects), passed_reply, proven)


def _named_in(reply: Reply, sent: Sequence[str], left_out: Sequence[str]) -> str | None:
    """Return the parameter that a refusal mentions first."""
    if reply.error_kind != "bad_request":
        return None
    found = [
        (match.start(), name)
        for name in sent
        if name not in left_out
        and (match := re.search(_words_for(name), reply.error or "", re.IGNORECASE))
    ]
    return min(found)[1] if found else None


def _words_for(name: str) -> str:
    return _WORDS.get(name) or re.escape(name.removeprefix("extra."))
