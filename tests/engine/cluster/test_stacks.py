"""The stacks of ended calls are not kept in an actor's heap."""

import asyncio
from typing import Any

import pytest

from mirror_ray.engine.cluster.actors import STACKS_APART
from mirror_ray.engine.cluster.spawner import ActorSpawner

CALLS = 200
STACK_BYTES = 2**18


@pytest.mark.usefixtures("ray_session")
async def test_stacks_of_concurrent_calls_lie_outside_the_heap() -> None:
    class Waiting:
        """Defined here, as processes cannot import this module."""

        def __init__(self) -> None:
            self._waiting = self._mapped_bytes = 0
            self._all = asyncio.Event()

        async def wait_for_all(self) -> None:
            self._waiting += 1
            if self._waiting < CALLS:
                await self._all.wait()
            else:
                self._mapped_bytes, self._waiting = _mapped_bytes(), 0
                self._all.set()
                self._all = asyncio.Event()

        def mapped_bytes(self) -> int:
            return self._mapped_bytes

    def _mapped_bytes() -> int:
        import ctypes

        class Mallinfo(ctypes.Structure):
            """glibc's `mallinfo2`: the fifth field is the number of bytes outside all heaps."""

            _fields_ = [(f"field_{i}", ctypes.c_size_t) for i in range(10)]

        mallinfo = ctypes.CDLL(None).mallinfo2
        mallinfo.restype = Mallinfo
        return int(mallinfo().field_4)

    spawner = ActorSpawner("test")
    options = {
        "num_cpus": 0,
        "max_concurrency": CALLS + 1,
        "runtime_env": {"env_vars": STACKS_APART},
    }
    name = spawner.spawn("waiting", Waiting, options)
    actor: Any = spawner.spawned[name]
    mapped_bytes = []
    # Once the first calls have ended, glibc would by itself take such blocks from its heap.
    for _ in range(2):
        await asyncio.gather(*(actor.wait_for_all.remote() for _ in range(CALLS)))
        mapped_bytes.append(await actor.mapped_bytes.remote())
    spawner.stop([name])
    assert min(mapped_bytes) > 0.9 * CALLS * STACK_BYTES
