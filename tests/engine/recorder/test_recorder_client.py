"""When a message goes to the Recorder, and what it carries."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from mirror_ray.core.errors import LostError
from mirror_ray.engine.recorder import client as client_module
from mirror_ray.engine.recorder.client import RecorderClient
from mirror_ray.records.journal.entry import Entry
from mirror_ray.records.rows.finished import WrittenEpisode
from support.engine.recorder_samples import entry, finished

NEVER_S = 1e6


class Recorder:
    """Notes what every message carries, and keeps it."""

    def __init__(self) -> None:
        self.messages: list[tuple[int, int]] = []
        self.keep = SimpleNamespace(remote=self._keep)
        self.asked: list[Sequence[str]] = []
        self.finished = SimpleNamespace(remote=self._finished)

    async def _keep(
        self, entries: Sequence[Entry], ended: Sequence[WrittenEpisode], asker: str
    ) -> list[None]:
        self.messages.append((len(entries), len(ended)))
        return [None] * (len(entries) + len(ended))

    async def _finished(self, episode_ids: Sequence[str]) -> dict[str, tuple[int, str]]:
        self.asked.append(episode_ids)
        return {}


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


def client_of(recorder: Recorder, under_way: int, linger_s: float = NEVER_S) -> RecorderClient:
    return RecorderClient(recorder, "asker", lambda: under_way, linger_s=linger_s)  # type: ignore[arg-type]


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_half_of_what_is_under_way_is_enough(recorder):
    client = client_of(recorder, under_way=4)
    first = client.record_reply(entry("one", 1, "x"))
    await settle()
    assert not recorder.messages
    second = client.record_reply(entry("two", 1, "x"))
    assert [(await kept).episode_id for kept in (first, second)] == ["one", "two"]
    assert recorder.messages == [(2, 0)]


async def test_what_finds_no_company_goes_alone(recorder):
    client = client_of(recorder, under_way=100, linger_s=0.001)
    await client.record_reply(entry("one", 1, "x"))
    await client.finish(finished("two", [entry("two", 1, "x")]))
    assert recorder.messages == [(1, 0), (0, 1)]


async def test_what_is_free_waits_and_is_dropped_where_its_episode_ends(recorder, monkeypatch):
    monkeypatch.setattr(client_module, "FREE_LINGER_S", NEVER_S)
    client = client_of(recorder, under_way=4)
    free = [client.record_reply(entry(f"free-{k}", 1, "x"), free=True) for k in range(10)]
    await settle()
    assert not recorder.messages
    ends = [finished(name, [entry(name, 1, "x")]) for name in ("free-3", "another")]
    await asyncio.gather(*map(client.finish, ends))
    # The reply of the episode that has ended is in its row.
    assert recorder.messages == [(0, 2)]
    assert [future.done() for future in free] == [k == 3 for k in range(10)]


async def test_what_is_free_goes_in_its_own_time(recorder, monkeypatch):
    monkeypatch.setattr(client_module, "FREE_LINGER_S", 0.001)
    client = client_of(recorder, under_way=4)
    await asyncio.gather(*(client.record_reply(entry("one", k, "x"), free=True) for k in (1, 2, 3)))
    assert recorder.messages == [(3, 0)]


async def test_whoever_waits_does_not_wait_as_long_as_what_is_free(recorder, monkeypatch):
    monkeypatch.setattr(client_module, "FREE_LINGER_S", NEVER_S)
    client = client_of(recorder, under_way=100, linger_s=0.001)
    free = client.record_reply(entry("one", 1, "x"), free=True)
    await client.record_reply(entry("two", 1, "x"))
    assert recorder.messages == [(1, 0)]
    assert not free.done()


async def test_whoever_waits_is_told_that_nothing_was_kept(recorder):
    async def fail(*_: object) -> None:
        raise RuntimeError("the disk is full")

    recorder.keep.remote = fail
    client = client_of(recorder, under_way=2)
    async with asyncio.timeout(60.0):
        told = await asyncio.gather(
            client.record_reply(entry("one", 1, "x")),
            client.finish(finished("two", [entry("two", 1, "x")])),
            return_exceptions=True,
        )
    assert [str(one) for one in told] == ["the disk is full"] * 2


async def test_the_recorder_is_reached_once_for_all_who_wait(recorder):
    client = client_of(recorder, under_way=4)
    await asyncio.gather(*(client.reach() for _ in range(3)))
    await client.reach()
    assert (recorder.asked, recorder.messages) == ([[]], [])


async def test_a_recorder_that_could_not_be_reached_is_tried_again(recorder):
    client = client_of(recorder, under_way=4)
    answers, recorder.finished = recorder.finished, SimpleNamespace(remote=_lost)
    for _ in range(2):
        with pytest.raises(LostError):
            await client.reach()
    recorder.finished = answers
    await client.reach()
    assert recorder.asked == [[]]


async def _lost(*_: object) -> None:
    raise LostError("it is gone")
