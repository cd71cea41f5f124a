"""When what is ready is handed over: at once, together, or to whoever asked last."""

import asyncio

from mirror_ray.engine.outbox import Outbox

NEVER_S = 1e6


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_half_of_what_is_under_way_is_enough():
    under_way = 4
    outbox: Outbox[int] = Outbox(lambda: under_way, linger_s=NEVER_S)
    fetching = asyncio.create_task(outbox.fetch())
    await settle()
    for thing in (1, 2):
        under_way -= 1
        outbox.put(thing)
        await settle()
        assert fetching.done() == (thing == 2)
    assert await fetching == [1, 2]


async def test_the_last_one_waits_for_nobody():
    outbox: Outbox[str] = Outbox(lambda: 0, linger_s=NEVER_S)
    outbox.put("before anybody fetches")
    assert await outbox.fetch() == ["before anybody fetches"]


async def test_where_nothing_is_to_come_nobody_waits():
    outbox: Outbox[int] = Outbox(lambda: 0, linger_s=NEVER_S)
    assert await outbox.fetch() == []
    outbox.put(1)
    assert await outbox.fetch() == [1]


async def test_what_finds_no_company_goes_alone():
    outbox: Outbox[int] = Outbox(lambda: 100, linger_s=0.001)
    outbox.put(1)
    assert await outbox.fetch() == [1]
    outbox.put(2)
    outbox.put(3)
    assert await outbox.fetch() == [2, 3]


async def test_who_fetches_last_gets_it_and_who_waited_hears_so():
    outbox: Outbox[int] = Outbox(lambda: 1, linger_s=NEVER_S)
    first, second = asyncio.create_task(outbox.fetch()), asyncio.create_task(outbox.fetch())
    await settle()
    outbox.put(1)
    assert (await first, await second) == ([], [1])


async def test_nothing_is_lost_on_one_that_has_gone():
    outbox: Outbox[int] = Outbox(lambda: 100, linger_s=0.001)
    gone = asyncio.create_task(outbox.fetch())
    await settle()
    outbox.put(1)
    gone.cancel()
    await asyncio.sleep(0.005)
    assert await outbox.fetch() == [1]
