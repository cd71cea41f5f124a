"""What one question tells of a model, over real HTTP: servers that refuse, ignore and look away."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.probe import Probe, at_most_usd, probe, request_for
from support.loopback import PROGRAM, Loopback, loopback_server

FULL = ("temperature", "seed", "schema", "picture", "max_tokens")


@pytest.fixture(scope="module")
def picky() -> Iterator[Loopback]:
    with loopback_server(program=PROGRAM.with_name("picky_server.py")) as server:
        yield server


async def check(server: Loopback, name: str, provider: str = "hosted_vllm", **changes) -> Probe:
    model = Model(
        name,
        "hosted",
        f"{provider}/{name}",
        Limits(name),
        base_url=server.base_url,
        sends_seed=True,
        usd_per_mtok_in=1.0,
        usd_per_mtok_out=2.0,
        timeout_s=20.0,
    )
    backends = []

    async def ask(model, request):
        backends.append(Hosted(model))
        return await backends[-1].reply(request)

    try:
        return await probe(replace(model, **changes), ask)
    finally:
        await backends[0].aclose()


async def test_a_model_that_is_as_it_is_listed(picky):
    found = await check(picky, "seer")
    assert found.sent == FULL
    assert found.is_fine
    assert {parameter: found.accepts(parameter) for parameter in FULL} == dict.fromkeys(FULL, True)
    assert found.mend() == {}
    assert found.calls == 1
    assert found.cost_usd == pytest.approx((60 * 1.0 + 10 * 2.0) / 1e6)
    assert (found.reply.quota.rpm, found.reply.quota.tpm) == (500.0, 30_000.0)


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("seer~no-temperature", {}, (["temperature"], {"sends_temperature": False}, 2)),
        ("seer~no-seed", {}, (["seed"], {"sends_seed": False}, 2)),
        ("seer~no-schema", {}, (["schema"], {"sends_schema": False}, 2)),
        ("seer~no-picture", {}, (["picture"], {"vision": False}, 2)),
        (
            "seer~no-max_tokens",
            {},
            (["max_tokens"], {"max_tokens_name": "max_completion_tokens"}, 2),
        ),
        (
            "seer~no-effort",
            {"reasoning_effort": "low"},
            (["reasoning_effort"], {"reasoning_effort": None}, 2),
        ),
        (
            "seer~no-seed~no-temperature",
            {},
            (["temperature", "seed"], {"sends_seed": False, "sends_temperature": False}, 3),
        ),
        ("seer~no-picture~terse", {}, (["picture"], {"vision": False}, 4)),
        ("seer~no-temperature~terse", {}, (["temperature"], {"sends_temperature": False}, 3)),
    ],
)
async def test_what_is_refused_is_found_and_mended(picky, name, changes, expected):
    refused, mend, calls = expected
    found = await check(picky, name, **changes)
    assert list(found.refused) == refused
    assert found.mend() == mend
    assert found.calls == calls
    assert found.is_reached
    assert not found.is_fine
    assert [parameter for parameter in found.sent if found.accepts(parameter) is False] == [
        parameter for parameter in found.sent if parameter in refused
    ]
    again = await check(picky, name, **{**changes, **mend})
    assert (again.is_fine, again.calls) == (True, 1)


@pytest.mark.parametrize(
    ("name", "parameter", "mend"),
    [
        ("seer~blind", "picture", {"vision": False}),
        ("seer~prose", "schema", {"sends_schema": False}),
    ],
)
async def test_what_is_taken_and_not_heeded_is_noticed(picky, name, parameter, mend):
    found = await check(picky, name)
    assert found.refused == ()
    assert found.accepts(parameter) is False
    assert found.mend() == mend


async def test_prose_is_no_blindness(picky):
    found = await check(picky, "seer", sends_schema=False)
    assert found.accepts("picture") is True
    assert found.accepts("schema") is None
    assert found.is_fine


async def test_a_model_without_sight_is_asked_without_a_picture(picky):
    found = await check(picky, "seer~no-picture", vision=False)
    assert found.accepts("picture") is None
    assert found.is_fine


async def test_a_reply_cut_short_tells_nothing_but_that(picky):
    found = await check(picky, "seer~short")
    assert found.accepts("picture") is None
    assert found.accepts("schema") is None
    assert not found.is_fine
    assert found.mend() == {"max_tokens": 8192}


async def test_a_server_that_fails_is_asked_once(picky):
    found = await check(picky, "seer~down")
    assert (found.reply.error_kind, found.calls, found.mend()) == ("server", 1, {})
    assert not found.is_reached
    assert found.accepts("temperature") is None


async def test_the_clients_own_refusal_is_told_apart_in_the_same_way(picky):
    """litellm refuses by the model's name, without any traffic."""
    found = await check(picky, "gpt-5-mini", "openai")
    assert found.refused == ("temperature",)
    assert found.calls == 2
    assert "temperature" in found.refusal


def test_the_bound_on_the_cost_by_hand():
    model = Model("m", "hosted", "openai/m", Limits("m"), usd_per_mtok_in=2.0, usd_per_mtok_out=8.0)
    dearest = replace(model, tokens_per_image=1000, max_tokens=5000)
    question = request_for(dearest)
    least_usd = (1000 * 2.0 + len(question.user) / 4 * 2.0 + 5000 * 8.0) / 1e6
    assert 3 * least_usd <= at_most_usd(dearest) <= 3 * least_usd + 3 * 1000 * 2.0 / 1e6
    assert at_most_usd(replace(model, usd_per_mtok_out=None)) is None
