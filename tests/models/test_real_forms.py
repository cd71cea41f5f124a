"""A real engine enforces the form in which replies are requested."""

from collections.abc import Mapping

import pytest
from real_engine import Engine

from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.plain_json import parse_json
from mirror_ray.core.types import Reply, Request
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.reply import read_reply
from mirror_ray.providers.backend import backend_for
from mirror_ray.providers.model import Limits, Model

pytestmark = [pytest.mark.models, pytest.mark.timeout(900)]

MAX_TOKENS = 300
SEEDS = range(3)


async def replies(form: str, engine: Engine) -> list[Reply]:
    """To selfid's first requests, without their pictures, which the engine cannot see."""
    model = Model("smol", "hosted", "hosted_vllm/smol", Limits("smol"), base_url=engine.base_url)
    backend = backend_for(model)
    got = []
    for seed in SEEDS:
        cell = Cell("selfid", "E1", (("subject", "smol"),), 0.7, "paper", (("structured", form),))
        spec = EpisodeSpec(cell, seed, 0)
        ask = next(FAMILIES["selfid"].play(spec, spec.rng()))
        request = Request(
            spec.episode_id,
            1,
            cell.cell_id,
            "smol",
            ask.system,
            ask.user,
            (),
            ask.reply_schema,
            cell.temperature,
            MAX_TOKENS,
        )
        got.append(await backend.reply(request))
    await backend.aclose()
    return got


@pytest.mark.parametrize("form", ["none", "json", "schema"])
async def test_replies_have_the_requested_form(form: str, engines: Mapping[str, Engine]) -> None:
    for reply in await replies(form, engines["smol"]):
        assert reply.error_kind == "none", reply.error
        parsed, decision = read_reply(reply, CONDITIONS["E1"])
        if form != "none":
            assert reply.text.lstrip().startswith("{")
        if reply.is_cut:
            assert decision is None
        elif form == "json":
            assert isinstance(parse_json(reply.text), dict)
        elif form == "schema":
            # No schema says that a cube is selected only when done: such a reply is coerced.
            assert parsed.status in ("strict", "repaired", "coerced"), (reply.text, parsed)
            assert decision is not None
