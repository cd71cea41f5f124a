"""Every hostile way, on both routes: the call ends in a reply that can be kept and shown."""

import asyncio
from collections.abc import Iterable, Iterator

import pytest
from hostile_server import HONEST
from hostile_sweep import KEYS, ROUTES, Adversary, adversary, asked_since, patience_s
from hostile_ways import CLASSES, WAYS
from reply_findings import findings

from mirror_ray.core.types import Reply, Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from mirror_ray.records.journal.entry import Entry, read_entry, write_entry
from support.whole import mostly_thorough

AT_ONCE = 8
ROUNDS = 3
"""A call may break before it comes to the server, on a connection that another way has spoilt."""


@pytest.fixture(scope="module")
def server() -> Iterator[Adversary]:
    with adversary() as running:
        yield running


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)


def request_of() -> Request:
    return Request(
        episode_id="e",
        ask_index=1,
        cell_id="c",
        model="m",
        system="You are asked.",
        user="What do you see?",
        images=(),
        reply_schema=None,
        temperature=0.2,
        max_tokens=300,
    )


def model_of(server: Adversary, route: str, name: str) -> Model:
    honest = name.startswith(HONEST)
    return Model(
        name=name,
        backend="hosted",
        target=f"{route}/{name}",
        limits=Limits(key=name),
        api_key_env="HONEST_KEY" if honest else "HOSTILE_KEY",
        base_url=server.base_url_of(name),
        timeout_s=patience_s(name),
        usd_per_mtok_in=1.0,
        usd_per_mtok_out=2.0,
    )


async def replies_of(server: Adversary, route: str, ways: Iterable[str]) -> dict[str, Reply]:
    """Name → the reply of every way, and of an honest model asked beside them."""
    turns = asyncio.Semaphore(AT_ONCE)
    replies: dict[str, Reply] = {}

    async def ask(name: str) -> None:
        async with turns:
            replies[name] = await Hosted(model_of(server, route, name)).reply(request_of())

    honest = f"{HONEST}-{route}-0"
    names, before = (*ways, honest), server.asked()
    try:
        for _ in range(ROUNDS):
            arrived = asked_since(before, server.asked())
            await asyncio.gather(*(ask(name) for name in names if name not in arrived))
    finally:
        await Hosted(model_of(server, route, honest)).aclose()
    assert asked_since(before, server.asked()).keys() == set(names)
    calm = replies[honest]
    assert (calm.error_kind, calm.error, calm.model_version) == ("none", None, "honest-1")
    return replies


# One route a class, in turn; `make test-thorough` has the other.
IN_TURN = [
    (ways, route) for turn, ways in enumerate(CLASSES) for route in ROUTES[:: -1 if turn % 2 else 1]
]


@pytest.mark.parametrize(("ways", "route"), mostly_thorough(len(ROUTES), IN_TURN))
async def test_every_reply_is_typed_bounded_printable_and_keyless(
    server: Adversary, ways: str, route: str
) -> None:
    replies = await replies_of(server, route, CLASSES[ways])
    found = {name: list(findings(reply, KEYS.values())) for name, reply in replies.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}
    for reply in replies.values():
        entry = Entry("e", 1, "p", None, {}, reply)
        assert read_entry(write_entry(entry)).reply.text == reply.text


@pytest.mark.parametrize("route", ROUTES)
async def test_what_was_said_beside_odd_fields_is_kept(server: Adversary, route: str) -> None:
    """The reply has been paid for: an odd name, count or cost does not cost it."""
    replies = await replies_of(server, route, [way for way in WAYS if way.startswith(KEPT)])
    lost = {
        name: f"{reply.error_kind}: {reply.error}"
        for name, reply in replies.items()
        if not (reply.error_kind == "none" and reply.text)
    }
    assert lost == {}


KEPT = ("usage-", "tokens-", "details-", "cost-", "cache-", "model-", "id-", "created-")
"""How ways are called that spoil something beside the words."""


def test_one_call_each_none_elsewhere_and_no_strange_cookies(server: Adversary) -> None:
    """Runs after all others of this module."""
    log = server.log()
    assert log["gone_elsewhere"] == []
    assert log["strange"] == []
    asked = {name: sum(counts.values()) for name, counts in log["asked"].items()}
    often = len(ROUTES)
    expected = {name: often * (1 + name.startswith(KEPT)) for name in WAYS}
    assert {n: c for n, c in asked.items() if n in WAYS and c > expected[n]} == {}
