"""The loopback server's requests: a model's name selects the agent that replies, and the fault.

The protocol itself is the mock provider's.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.providers.mock import chat_wire
from mirror_ray.providers.mock.chat_wire import failure, rate_limited

__all__ = ["Call", "completion", "decode", "failure", "rate_limited", "words_of"]


@dataclass(frozen=True, slots=True)
class Call(chat_wire.DecodedCall):
    agent: str
    fault: str | None
    fault_times: int | None


def decode(body: Mapping[str, Any], headers: Mapping[str, str]) -> Call:
    """KeyError for an unknown agent, ValueError for a message of another shape."""
    call = chat_wire.decode_call(body, headers)
    agent, *fault = call.model.split("~")
    if agent not in AGENTS:
        raise KeyError(agent)
    return Call(
        **asdict(call),
        agent=agent,
        fault=fault[0] if fault else None,
        fault_times=int(fault[1]) if len(fault) > 1 else None,
    )


def words_of(call: Call) -> str:
    return AGENTS[call.agent](prompt_for(call.agent, call.system, call.user, call.images))


def completion(call: Call, text: str | None, **choice: Any) -> dict[str, Any]:
    """OpenAI's schema; `choice` overrides the choice's fields."""
    return chat_wire.completion(call, text, model=f"{call.agent}-2026-01-01", **choice)
