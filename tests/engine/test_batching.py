"""When what is ready is handed over: at once, together, or to whoever asked last."""

import asyncio

from mirror_ray.engine.batching import BatchingQueue

NEVER_S = 1e6


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_half_of_what_is_under_way_is_enough():
    under_way = 4
    queue: BatchingQueue[int] = BatchingQueue(lambda: under_way, linger_s=NEVER_S)
    fetching = asyncio.create_task(queue.fetch())
    await settle()
    for thing in (1, 2):
        under_way -= 1
        queue.put(thing)
        await settle()
        assert fetching.done() == (thing == 2)
    assert await fetching == [1, 2]


async def test_the_last_one_waits_for_nobody():
    queue: BatchingQueue[str] = BatchingQueue(lambda: 0, linger_s=NEVER_S)
    queue.put("before anybody fetches")
    assert await queue.fetch() == ["before anybody fetches"]


async def test_where_nothing_is_to_come_nobody_waits():
    queue: BatchingQueue[int] = BatchingQueue(lambda: 0, linger_s=NEVER_S)
    assert await queue.fetch() == []
    queue.put(1)
    assert await queue.fetch() == [1]


async def test_what_finds_no_company_goes_alone():
    queue: BatchingQueue[int] = BatchingQueue(lambda: 100, linger_s=0.001)
    queue.put(1)
    assert await queue.fetch() == [1]
    queue.put(2)
    queue.put(3)
    assert await queue.fetch() == [2, 3]


async def test_who_fetches_last_gets_it_and_who_waited_hears_so():
    queue: BatchingQueue[int] = BatchingQueue(lambda: 1, linger_s=NEVER_S)
    first, second = asyncio.create_task(queue.fetch()), asyncio.create_task(queue.fetch())
    await settle()
    queue.put(1)
    assert (await first, await second) == ([], [1])


async def test_nothing_is_lost_on_one_that_has_gone():
    queue: BatchingQueue[int] = BatchingQueue(lambda: 100, linger_s=0.001)
    gone = asyncio.create_task(queue.fetch())
    await settle()
    queue.put(1)
    gone.cancel()
    await asyncio.sleep(0.005)
    assert await queue.fetch() == [1]
