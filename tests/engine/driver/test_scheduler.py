"""Which Simulators get episodes once one of them is dead, without Ray."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from ray.exceptions import ActorDiedError, RayError

from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.engine.driver import scheduler as module
from mirror_ray.engine.driver.counters import RunCounters
from mirror_ray.engine.driver.episode_order import EpisodeOrder
from mirror_ray.engine.driver.fleet import Fleet
from mirror_ray.engine.driver.leases import Leases
from mirror_ray.engine.driver.scheduler import Scheduler
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.provider.counters import ModelCounters
from mirror_ray.engine.simulator.client import SimulatorHandle
from mirror_ray.engine.simulator.messages import EpisodeResult, Lease, RenderEnvironment
from mirror_ray.providers.model import Limits, Model
from mirror_ray.sweep.plan import EngineSettings, Plan, Sweep

MODEL = Model("scripted/mute", "scripted", "mute", Limits("scripted/mute"))
CELL = Cell("selfid", "E1", (("subject", MODEL.name),), None, "paper")
DONE = EpisodeResult("none", None)


def remote(method: Callable[..., Awaitable[object]]) -> Any:
    return SimpleNamespace(remote=method)


class Reporting:
    """An actor that only reports."""

    def __init__(self, stats: Callable[..., Awaitable[object]]) -> None:
        self.stats = remote(stats)


class Simulator:
    """Counts its leases and plays them with `play`; does not come back once it has died."""

    def __init__(self, index: int, play: Callable[[Lease], Awaitable[EpisodeResult]]) -> None:
        self.leases: list[Lease] = []
        self._play = play
        self._has_died = False
        actor: Any = SimpleNamespace(ready=remote(self._ready))
        self.handle = SimulatorHandle(index, actor, f"node-{index}", "host")
        client: Any = SimpleNamespace(play=self.play)
        self.handle.client = client

    async def _ready(self) -> RenderEnvironment:
        if self._has_died:
            raise RayError("killed")
        return RenderEnvironment(None, None)

    async def play(self, lease: Lease) -> EpisodeResult:
        self.leases.append(lease)
        try:
            return await self._play(lease)
        except ActorDiedError:
            self._has_died = True
            raise


async def test_a_killed_simulator_gets_no_further_episodes() -> None:
    """Its second place waits for an episode when it dies, and is the next in turn."""
    all_wait, is_played_elsewhere = asyncio.Event(), asyncio.Event()

    async def dies(_: Lease) -> EpisodeResult:
        await all_wait.wait()
        raise ActorDiedError

    async def ends_last(_: Lease) -> EpisodeResult:
        if len(other.leases) == 2:
            is_played_elsewhere.set()
        asyncio.get_running_loop().call_later(0.1, all_wait.set)
        await is_played_elsewhere.wait()
        return DONE

    killed, other = Simulator(0, dies), Simulator(1, ends_last)
    leases = [Lease(EpisodeSpec(CELL, seed, 0), scene=seed) for seed in range(2)]
    async with asyncio.timeout(30.0):
        await scheduler_of([killed, other], leases).play_all()
    assert len(killed.leases) == 1
    assert len(other.leases) == 2


async def test_counters_that_always_come_late_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that asked again after each timeout would never get an answer."""
    monkeypatch.setattr(module, "POLL_WITHIN_S", 0.01)
    asked = []

    async def stats(since: int) -> tuple[int, dict[str, ModelCounters]]:
        asked.append(since)
        await asyncio.sleep(0.05)
        return since + 1, {MODEL.name: ModelCounters(calls=since + 7)}

    scheduler = scheduler_of([], [], [Reporting(stats)])
    counters = scheduler._counters
    async with asyncio.timeout(30.0):
        while counters.calls < 8:
            await scheduler.read_counters()
    assert asked[:2] == [0, 1]
    assert counters.calls == 8


def scheduler_of(
    simulators: list[Simulator], leases: list[Lease], providers: Sequence[Any] = ()
) -> Scheduler:
    """Of two places in each Simulator."""
    handles = [one.handle for one in simulators]
    joining = [handles]

    async def nothing(*_: object) -> dict[str, object]:
        return {}

    async def no_limits() -> None:
        return None

    async def keeps_its_host(_: SimulatorHandle) -> bool:
        return False

    async def update_membership(_: int) -> tuple[list[SimulatorHandle], list[str]]:
        return (joining.pop() if joining else []), []

    actors: Any = SimpleNamespace(
        in_flight=2,
        simulators={one.index: one for one in handles},
        providers=providers,
        limiter=Reporting(no_limits),
        recorder=SimpleNamespace(finished=remote(nothing), prefixes=remote(nothing)),
        has_lost_its_host=keeps_its_host,
        update_membership=update_membership,
    )
    plan = Plan(
        sweep=Sweep("test", "test.yaml", "out", None, EngineSettings(), {}),
        cells=(CELL,),
        episodes=tuple(one.spec for one in leases),
        models={MODEL.name: MODEL},
    )
    order = EpisodeOrder(leases, {MODEL.name: MODEL.limits.key})
    servers: Any = SimpleNamespace(served={})
    fleet = Fleet(servers, ServerLog())
    counters = RunCounters({MODEL.name: len(leases)}, {}, {})
    return Scheduler(plan, actors, Leases(order), counters, fleet)
