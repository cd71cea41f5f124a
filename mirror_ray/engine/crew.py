"""The actors of one run: who is there, who joins as hosts come, who is gone with a lost host.

Knows how actors are placed and named; does not know what a Simulator is playing. Ray puts a new
process on any of them that dies; only a Simulator whose host is lost is given up, since its
host's share of the cluster is gone with it.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.engine.calls import Actor
from mirror_ray.engine.hosts import hosts_alive, strangers, want_simulators
from mirror_ray.engine.keys import Keys
from mirror_ray.engine.placement import Host, Slots, next_places, providers_wanted, slots_of
from mirror_ray.engine.provider import Provider, Terms
from mirror_ray.engine.simulator import Simulator
from mirror_ray.errors import EngineError
from mirror_ray.sweep.demands import draws
from mirror_ray.sweep.in_flight import in_flight_for
from mirror_ray.sweep.plan import Plan

FOREVER = -1
BESIDE_PLAYING = 16
"""Calls to an actor that are no episodes: counters, probes, orders."""

ONE_THREAD = {
    "LP_NUM_THREADS": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "4194304",
}
"""One Simulator per core: software rendering must not spread over its neighbours' cores, and
threads that do nothing cost memory. A frame's buffers (0.9 MB each) come from the heap and stay
there: mapping them anew for every picture took a third of a core in page faults."""

FIRST_VISIBLE_GPU = {"MUJOCO_EGL_DEVICE_ID": "0"}
"""Ray names an actor's GPU in ``CUDA_VISIBLE_DEVICES``, and MuJoCo counts among those. Left to
itself it would go on to a neighbour's where that one fails."""


@dataclass(frozen=True, slots=True)
class Member:
    """A Simulator and where it is."""

    index: int
    actor: Actor
    host: Host


@dataclass(frozen=True, slots=True)
class Muster:
    """What has changed since the last one.

    Args:
        lost: those whose host is no longer there.
        news: what a person should read.
    """

    joined: tuple[Member, ...] = ()
    lost: tuple[Member, ...] = ()
    news: tuple[str, ...] = ()


@dataclass(slots=True)
class Hiring:
    """Starts actors under names of this run, and ends them all.

    Actors know each other by name: a handle among its arguments, and an actor may not come back
    once its creator has let go of it (ray-project/ray#53727). No call is repeated by Ray: a
    repeated ask would be paid twice.
    """

    run: str
    hired: dict[str, Actor] = field(default_factory=dict)

    def whole(self, name: str) -> str:
        """An actor's name in the cluster, which may have other runs too."""
        return f"{name}-{self.run}"

    def hire(
        self, name: str, kind: type[Any], options: Mapping[str, Any], *arguments: Any, **named: Any
    ) -> str:
        """Starts an actor, which comes back whenever it dies; its whole name."""
        whole_name = self.whole(name)
        actor_class = ray.remote(kind).options(
            name=whole_name, max_restarts=FOREVER, max_task_retries=0, **options
        )
        self.hired[whole_name] = actor_class.remote(*arguments, **named)
        return whole_name

    def dismiss(self, names: Iterable[str]) -> None:
        """Ends actors for good."""
        for name in names:
            with suppress(RayError):
                ray.kill(self.hired.pop(name), no_restart=True)


class Crew:
    """All actors of one run.

    Args:
        recorder, limiter: their names.
        episodes: that are left.
        grows: there may be an autoscaler, which is told what is wanted.
    """

    def __init__(
        self,
        plan: Plan,
        hiring: Hiring,
        *,
        recorder: str,
        limiter: str,
        keys: Keys,
        episodes: int,
        grows: bool,
    ) -> None:
        self._plan = plan
        self._hiring = hiring
        self._terms = Terms(plan.models, limiter, recorder, plan.sweep.engine.max_attempts)
        self._keys = keys
        self._episodes = episodes
        self._grows = grows
        self._here = str(ray.get_runtime_context().get_node_id())
        self._strangers: dict[str, str] = {}
        self._known: set[str] = {self._here}
        self._asked_for = 0
        self._providers: list[tuple[str, str]] = []
        self._hired = 0
        self.recorder = hiring.hired[recorder]
        self.limiter = hiring.hired[limiter]
        self.simulators: dict[int, Member] = {}
        """Those whose hosts are there."""
        self.in_flight = 0
        """Episodes under way per Simulator; 0 before the first one is there."""

    @property
    def providers(self) -> tuple[Actor, ...]:
        """Those that ask hosted models, in the order they came."""
        return tuple(self._hiring.hired[name] for name, _ in self._providers)

    async def muster(self, useful: int) -> Muster:
        """Drops Simulators of lost hosts, and places new ones where there is room and use.

        Args:
            useful: more Simulators would only wait.

        Raises:
            EngineError: before anybody plays, a host runs other code than this one.
        """
        hosts = {host.node_id: host for host in await asyncio.to_thread(hosts_alive)}
        lost = tuple(one for one in self.simulators.values() if one.host.node_id not in hosts)
        for one in lost:
            del self.simulators[one.index]
            self._hiring.dismiss([self._hiring.whole(f"simulator-{one.index}")])
        target = min(useful, self._plan.sweep.engine.simulators or useful)
        slots = slots_of(hosts.values(), self._plan.sweep.engine.simulators)
        news = await self._look_at([hosts[node_id] for node_id in slots])
        slots = {node_id: its for node_id, its in slots.items() if node_id not in self._strangers}
        if self._grows:
            await self._ask_for(target, slots)
        joined = self._place(hosts, slots, target)
        return Muster(joined, lost, (*news, *_losses(lost)))

    async def has_lost_the_host_of(self, index: int) -> bool:
        """Whether the Simulator's host is gone."""
        alive = {host.node_id for host in await asyncio.to_thread(hosts_alive)}
        member = self.simulators.get(index)
        return member is None or member.host.node_id not in alive

    async def _look_at(self, hosts: Iterable[Host]) -> list[str]:
        """Hosts seen for the first time are asked which code they run."""
        new = [host for host in hosts if host.node_id not in self._known]
        if not new:
            return []
        found = await strangers(new, self._here)
        if found and not self._hired:
            raise EngineError(
                "the hosts of the cluster do not run the same code\n"
                + "".join(f"  got:     {told}\n" for told in found.values())
                + "  allowed: on every host what this one runs, or rows would depend on the host\n"
                "  fix:     bring them in line (ray up syncs the code and sets up every host)"
            )
        self._known.update(host.node_id for host in new)
        self._strangers.update(found)
        return [f"left out, it runs other code: {told}" for told in found.values()]

    async def _ask_for(self, target: int, slots: Mapping[str, Slots]) -> None:
        if 0 < target <= self._asked_for:
            return
        self._asked_for = target
        by_core = bool(slots) and not any(its.renderers for its in slots.values())
        await asyncio.to_thread(want_simulators, target, by_core=by_core)

    def _place(
        self, hosts: Mapping[str, Host], slots: Mapping[str, Slots], target: int
    ) -> tuple[Member, ...]:
        taken = Counter(one.host.node_id for one in self.simulators.values())
        places = next_places(slots, taken, target)
        if not places:
            return ()
        if not self.in_flight:
            self.in_flight = self._in_flight(len(places))
        self._place_providers([*taken.elements(), *places])
        return tuple(self._start(hosts[node_id], slots[node_id]) for node_id in places)

    def _in_flight(self, n_simulators: int) -> int:
        engine = self._plan.sweep.engine
        wanted = engine.in_flight or in_flight_for(self._plan.models.values(), n_simulators)
        # No more seats than episodes: the first Simulator to be ready would take them all.
        return min(wanted, ceil(self._episodes / n_simulators))

    def _place_providers(self, simulators: list[str]) -> None:
        """Providers for hosted models; offline agents live within the Simulators."""
        if all(model.backend == "scripted" for model in self._plan.models.values()):
            return
        placed = Counter(node_id for _, node_id in self._providers)
        for node_id in providers_wanted(simulators, placed, self._plan.sweep.engine.providers):
            index = len(self._providers)
            name = self._hiring.hire(
                f"provider-{index}",
                Provider,
                {
                    "num_cpus": 0,
                    # A byte: Ray puts what asks for nothing on any node, whatever it prefers.
                    "memory": 1,
                    "max_concurrency": self._episodes + BESIDE_PLAYING,
                    # It comes back elsewhere: the episodes it serves may be anywhere.
                    "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=True),
                },
                index,
                self._terms,
                keys=self._keys,
            )
            self._providers.append((name, node_id))

    def _start(self, host: Host, its: Slots) -> Member:
        index, self._hired = self._hired, self._hired + 1
        resources = {"renderer": its.renderers} if its.renderers else {}
        environment = {**ONE_THREAD, **(FIRST_VISIBLE_GPU if its.gpus else {})}
        name = self._hiring.hire(
            f"simulator-{index}",
            Simulator,
            {
                "num_cpus": its.cpus,
                "num_gpus": its.gpus,
                "resources": resources,
                "max_concurrency": self.in_flight + BESIDE_PLAYING,
                "runtime_env": {"env_vars": environment},
                "scheduling_strategy": NodeAffinitySchedulingStrategy(host.node_id, soft=False),
            },
            index,
            self._plan.sweep.name,
            self._terms,
            tuple(name for name, _ in self._providers),
            draws=draws(self._plan),
        )
        member = Member(index, self._hiring.hired[name], host)
        self.simulators[index] = member
        return member


def _losses(lost: Iterable[Member]) -> list[str]:
    names = dict.fromkeys(one.host.name for one in lost)
    return [f"{name} is lost; the episodes it played go on elsewhere" for name in names]
