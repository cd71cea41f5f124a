"""Leases to a player and back: together, one by one, and when the player dies."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from ray.exceptions import RayActorError

from mirror_ray.core.errors import LostError, RenderError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.batching import BatchingQueue
from mirror_ray.engine.simulator.client import SimulatorClient
from mirror_ray.engine.simulator.messages import Completed, EndedLease, EpisodeResult, Lease

CELL = Cell("tiny", "T", (("subject", "scripted/counter"),), None, "plain")
FAILS, GOES_ON = 1, 99


def lease(seed: int, run: int = 0) -> Lease:
    return Lease(EpisodeSpec(CELL, seed, run))


class Player:
    """Plays nothing: most seeds end at once, `FAILS` cannot be played, `GOES_ON` never ends.

    It is asked as an actor is, in this process; `die` fails what is asked of it, and it lives on.
    """

    def __init__(self) -> None:
        self.messages: list[int] = []
        self._life = 0
        self.exchange = SimpleNamespace(remote=self._exchange)
        self._be_born()

    def die(self) -> None:
        self._death.set_exception(RayActorError())
        self._be_born()

    def _be_born(self) -> None:
        self._life += 1
        self._playing = 0
        self._results: BatchingQueue[EndedLease] = BatchingQueue(
            lambda: self._playing, linger_s=0.001
        )
        self._death: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def _exchange(self, leases: Sequence[Lease]) -> Completed:
        self.messages.append(len(leases))
        for one in leases:
            seed = one.spec.scene_seed
            if seed == GOES_ON:
                self._playing += 1
                continue
            failed = RenderError("too dark") if seed == FAILS else None
            self._results.put(
                EndedLease(one.spec.episode_id, failed or EpisodeResult("none", str(seed)))
            )
        death, fetching = self._death, asyncio.create_task(self._results.fetch())
        await asyncio.wait({death, fetching}, return_when=asyncio.FIRST_COMPLETED)
        if death.done():
            fetching.cancel()
            await death
        return Completed(str(self._life), tuple(await fetching))


@pytest.fixture
async def player():
    return Player()


async def test_leases_of_one_moment_share_a_message_and_each_hears_of_its_own(player):
    client = SimulatorClient(player)
    played = await asyncio.gather(*(client.play(lease(seed)) for seed in (2, 4, 6)))
    assert [one.error for one in played] == ["2", "4", "6"]
    assert player.messages == [3]


async def test_an_episode_that_cannot_be_played_says_why_and_no_other_does(player):
    client = SimulatorClient(player)
    good, bad = await asyncio.gather(
        client.play(lease(2)), client.play(lease(FAILS)), return_exceptions=True
    )
    assert good.error_kind == "none"
    assert isinstance(bad, RenderError)


async def test_short_episodes_pass_by_a_long_one_which_somebody_goes_on_waiting_for(player):
    client = SimulatorClient(player)
    long = asyncio.create_task(client.play(lease(GOES_ON)))
    for seed in (2, 4, 6):
        assert (await client.play(lease(seed))).error == str(seed)
    assert not long.done()
    player._results.put(
        EndedLease(lease(GOES_ON).spec.episode_id, EpisodeResult("none", "at last"))
    )
    assert (await long).error == "at last"


async def test_a_death_is_told_to_all_that_were_there_and_the_next_life_plays(player):
    client = SimulatorClient(player)
    there = [asyncio.create_task(client.play(lease(GOES_ON, run))) for run in (0, 1)]
    await client.play(lease(2))
    await asyncio.sleep(0.005)  # they are asked after again
    player.die()
    untold = asyncio.create_task(client.play(lease(4)))
    for told in await asyncio.gather(*there, return_exceptions=True):
        assert isinstance(told, RayActorError)
    assert (await untold).error == "4"
    assert (await client.play(lease(6))).error == "6"


@pytest.mark.parametrize("is_first_to_hear", [False, True])
async def test_a_death_between_two_messages_is_noticed(player, is_first_to_hear):
    client = SimulatorClient(player)
    there = asyncio.create_task(client.play(lease(GOES_ON)))
    await client.play(lease(2))
    player.die()
    if is_first_to_hear:
        assert (await client.play(lease(4))).error == "4"
    with pytest.raises(LostError):
        await there
    assert (await client.play(lease(6))).error == "6"
