"""When a Simulator that fails again and again is out of service."""

import asyncio
from types import SimpleNamespace

from mirror_ray.engine.simulator.client import MAX_DEATHS_IN_A_ROW, MAX_HANGS_IN_A_ROW
from mirror_ray.engine.simulator.client import SimulatorHandle as Handle
from mirror_ray.engine.simulator.messages import RenderEnvironment


def handle() -> Handle:
    async def ready() -> RenderEnvironment:
        return RenderEnvironment(None, None)

    return Handle(0, SimpleNamespace(ready=SimpleNamespace(remote=ready)), "node", "host")


def hang(one: Handle) -> None:
    """Two episodes of one process tell of it; its third is lost with the process."""
    before = one.losses
    for _ in range(2):
        one.hung(before)
        one.lost(before, "the graphics driver hangs")
    assert one.has_hung(before)
    one.lost(before, "the actor died")


async def test_a_driver_that_hangs_at_once_again_is_out_of_service():
    one = handle()
    for _ in range(MAX_HANGS_IN_A_ROW):
        assert await one.open()
        hang(one)
    assert one.losses == MAX_HANGS_IN_A_ROW
    assert not await one.open()


async def test_hangs_between_which_it_played_are_forgiven():
    one = handle()
    for _ in range(3 * MAX_HANGS_IN_A_ROW):
        hang(one)
        assert await one.open()
        one.survived()


async def test_other_deaths_are_forgiven_longer():
    one = handle()
    for _ in range(MAX_DEATHS_IN_A_ROW):
        assert await one.open()
        assert not one.has_hung(one.losses)
        one.lost(one.losses, "the actor died")
    assert not await one.open()


async def test_one_that_never_comes_up_holds_back_no_run_that_is_over():
    """As where a host was lost, and the others have no core left for its successor."""

    async def ready() -> RenderEnvironment:
        await asyncio.Event().wait()
        raise AssertionError

    one = Handle(0, SimpleNamespace(ready=SimpleNamespace(remote=ready)), "node", "host")
    over = asyncio.Event()
    waiting = asyncio.create_task(one.open(over))
    await asyncio.sleep(0)
    assert not waiting.done()
    over.set()
    async with asyncio.timeout(5.0):
        assert not await waiting


async def test_one_that_is_up_hands_back_what_is_left_to_do():
    one, over = handle(), asyncio.Event()
    assert await one.open(over)
    over.set()
    assert await one.open(over)
