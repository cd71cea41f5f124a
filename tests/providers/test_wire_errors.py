"""Providers' own error bodies over real HTTP, each through litellm's code for that provider."""

import json

import pytest

from mirror_ray.core.types import Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from support.canned_server import Canned, canned_server
from support.providers.wire_errors import CASES as FIRST_HAND
from support.providers.wire_errors_of_open_models import CASES as OF_OPEN_MODELS

CASES = FIRST_HAND | OF_OPEN_MODELS


@pytest.fixture(scope="module")
def wire():
    replies = {
        name: Canned(
            case.status,
            case.body if isinstance(case.body, str) else json.dumps(case.body),
            case.headers,
        )
        for name, case in CASES.items()
    }
    with canned_server(replies) as address:
        yield address


@pytest.mark.parametrize("name", CASES)
async def test_each_providers_words_are_understood(wire, name, monkeypatch):
    monkeypatch.setenv("WIRE_KEY", "sk-wire-0123456789")
    case = CASES[name]
    model = Model(
        name=case.target,
        backend="hosted",
        target=case.target,
        limits=Limits(key="wire"),
        api_key_env="WIRE_KEY",
        base_url=f"{wire}/{name}",
    )
    backend = Hosted(model)
    reply = await backend.reply(Request("e", 1, "c", case.target, "s", "u", (), None, None, 50))
    await backend.aclose()
    assert (reply.error_kind, reply.retry_after_s) == (case.kind, case.wait_s), reply.error
    assert reply.quota == case.quota
    assert "sk-wire" not in reply.error
