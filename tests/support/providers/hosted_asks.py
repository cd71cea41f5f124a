"""Asks of hosted models on the loopback server, as an E1 episode makes its first."""

from dataclasses import replace

import numpy as np

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Request
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from mirror_ray.world.opengl.encode import encode

KEY = "sk-loopback-0123456789abcdef"


def model_of(loopback, agent, provider="hosted_vllm", **changes):
    target = f"{provider}/{agent}"
    model = Model(
        name=f"local/{agent}",
        backend="hosted",
        target=target,
        limits=Limits(key=target),
        api_key_env="LOOPBACK_KEY",
        base_url=loopback.base_url,
        timeout_s=20.0,
    )
    return replace(model, **changes)


def request_of(user=None, **changes):
    """The first ask of an E1 episode, with two painted frames."""
    axes = (("structured", "schema"),)
    cell = Cell("selfid", "E1", (("subject", "local/observer"),), 0.2, "paper", axes)
    spec = EpisodeSpec(cell, 7, 0)
    ask = next(FAMILY.play(spec, spec.rng()))
    frames = np.random.default_rng(5).integers(0, 256, (2, 48, 64, 3), dtype=np.uint8)
    request = Request(
        episode_id=spec.episode_id,
        ask_index=1,
        cell_id=cell.cell_id,
        model="local/observer",
        system=ask.system,
        user=user or ask.user,
        images=(encode(frames[0], "png"), encode(frames[1], "jpeg")),
        reply_schema=ask.reply_schema,
        temperature=0.2,
        max_tokens=300,
    )
    return replace(request, **changes)


async def ask(model, request=None):
    backend = Hosted(model)
    try:
        return await backend.reply(request or request_of())
    finally:
        await backend.aclose()
