"""The backend around an agent: what it reports, and what it makes of a prompt it cannot serve."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from mirror_ray.agents import prompt_for
from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.types import Encoding, Request
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.scripted import Scripted
from mirror_ray.world.opengl.encode import encode

USER = "No previous steps. Position: x=1.0, y=-0.5; heading=90 degrees. Steps remaining: 87."


def model(agent: str, latency_s: float = 0.0) -> Model:
    return Model(f"scripted/{agent}", "scripted", agent, Limits("offline"), latency_s=latency_s)


def request(user: str, agent: str = "mute") -> Request:
    return Request(
        episode_id="e",
        ask_index=1,
        cell_id="c",
        model=f"scripted/{agent}",
        system="s",
        user=user,
        images=(),
        reply_schema=None,
        temperature=0.2,
        max_tokens=512,
    )


async def test_a_reply_is_free_and_says_who_gave_it() -> None:
    backend = Scripted(model("mute"))
    reply = await backend.reply(request(USER))
    await backend.aclose()
    assert reply.text == AGENTS["mute"](prompt_for("mute", "s", USER, []))
    assert (reply.error_kind, reply.cost_usd, reply.finish_reason) == ("none", 0.0, "stop")
    assert (reply.tokens_in, reply.tokens_out, reply.tokens_image) == (None, None, None)
    assert reply.model_version == "scripted/mute 1"
    assert reply.started_at.endswith("+00:00")


@pytest.mark.parametrize("encoding", ["png", "jpeg"])
async def test_a_picture_is_the_same_in_process_and_over_a_wire(encoding: Encoding) -> None:
    pixels = np.random.default_rng(0).integers(0, 256, (24, 32, 3), dtype=np.uint8)
    image = encode(pixels, encoding)
    backend = Scripted(model("blind"))
    for number in range(8):
        asked = replace(request(f"{number} {USER}", "blind"), images=(image,))
        reply = await backend.reply(asked)
        over_a_wire = prompt_for("blind", asked.system, asked.user, [image.data])
        assert reply.text == AGENTS["blind"](over_a_wire)


async def test_a_pretended_latency_is_waited_for() -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(Scripted(model("mute", latency_s=60.0)).reply(request(USER)), 0.02)


async def test_an_unfamiliar_prompt_is_a_bad_request_not_an_exception() -> None:
    reply = await Scripted(model("oracle")).reply(request("What is on the card?", "oracle"))
    assert (reply.text, reply.error_kind, reply.finish_reason) == ("", "bad_request", None)
    assert reply.error is not None
    assert reply.error.startswith("scripted/oracle: ")
