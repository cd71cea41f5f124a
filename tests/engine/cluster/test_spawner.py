"""Actors come back with the arguments that they were started with, however large."""

import os
import signal
from typing import Any

import pytest

from mirror_ray.engine.actor_calls import retry_until_restarted
from mirror_ray.engine.cluster.spawner import ActorSpawner

TOO_LARGE_TO_INLINE = 1_000_000


@pytest.mark.usefixtures("ray_session")
async def test_a_killed_actor_with_large_arguments_comes_back(
    capfd: pytest.CaptureFixture[str],
) -> None:
    class Holder:
        """Defined here, as processes cannot import this module."""

        def __init__(self, data: bytes, *, word: str) -> None:
            self._held = len(data), word

        def told(self) -> tuple[int, tuple[int, str]]:
            return os.getpid(), self._held

    spawner, data = ActorSpawner("test"), os.urandom(TOO_LARGE_TO_INLINE)
    name = spawner.spawn("holder", Holder, {"num_cpus": 0}, data, word="there")
    actor: Any = spawner.spawned[name]
    pid, held = await actor.told.remote()
    assert held == (TOO_LARGE_TO_INLINE, "there")
    os.kill(pid, signal.SIGKILL)
    again = pid
    while again == pid:
        again, held = await retry_until_restarted(actor.told, "asking again")
    assert held == (TOO_LARGE_TO_INLINE, "there")
    assert "object store" not in capfd.readouterr().err
    spawner.stop([name])
