"""The actors of one run. Starts them as hosts join, and drops Simulators of lost hosts."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from math import ceil

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.core.errors import EngineError
from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.cluster.actor_placement import (
    Host,
    HostCapacity,
    capacity_of,
    next_places,
    providers_wanted,
)
from mirror_ray.engine.cluster.fate_sharing import RECORDING_S
from mirror_ray.engine.cluster.nodes import hosts_alive, mismatched_nodes, want_simulators
from mirror_ray.engine.cluster.server_actors import ServerActors
from mirror_ray.engine.cluster.spawner import ActorSpawner
from mirror_ray.engine.provider.actor import Provider, ProviderConfig
from mirror_ray.engine.simulator.actor import Simulator
from mirror_ray.engine.simulator.client import SimulatorHandle
from mirror_ray.providers.credentials import Credentials
from mirror_ray.sweep.demands import drawn_on, draws
from mirror_ray.sweep.in_flight import in_flight_for
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.plugged import modules_of

BESIDE_PLAYING = 16
"""Concurrent calls to an actor besides episodes: counters, probes, commands."""

ONE_THREAD = {
    "LP_NUM_THREADS": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "4194304",
}
"""One Simulator per core: software rendering must not spread to its neighbours' cores, and idle
threads cost memory. A frame's buffers (0.9 MB each) come from the heap and are kept there: mapping
them again for every picture took a third of a core in page faults."""

STACKS_APART = {"MALLOC_MMAP_THRESHOLD_": str(2**17)}
"""Ray gives each concurrent call a stack of 256 KiB, of which few pages are used. In the heap,
stacks lie between blocks that stay, and a process with thousands of calls would grow for hours.
Larger blocks than this are outside the heap; unless it is stated, glibc raises the threshold."""

IN_SOFTWARE = {
    "CUDA_VISIBLE_DEVICES": "",
    "LIBGL_ALWAYS_SOFTWARE": "1",
    "__EGL_VENDOR_LIBRARY_FILENAMES": "/usr/share/glvnd/egl_vendor.d/50_mesa.json",
}
"""Only Mesa's EGL, from where distributions put it, even if a GPU driver is installed. If it is
elsewhere, EGL also lists the GPUs, but a Simulator without a GPU uses none of them."""


class RunActors:
    """All actors of one run, and the `servers` of its models. If `grows`, there may be an
    autoscaler, which is told how many Simulators are wanted."""

    def __init__(
        self,
        plan: Plan,
        spawner: ActorSpawner,
        *,
        recorder: str,
        limiter: str,
        servers: ServerActors,
        credentials: Credentials,
        episodes: int,
        grows: bool,
    ) -> None:
        self._plan = plan
        self._spawner = spawner
        self._config = ProviderConfig(
            plan.models,
            limiter,
            recorder,
            plan.sweep.engine.max_attempts,
            servers.names,
            cancel_batches=plan.sweep.engine.cancel_batches,
            tiers=plan.tiers,
        )
        self._draw_on = drawn_on(plan)
        self._credentials = credentials
        self._episodes = episodes
        self._grows = grows
        self._here = str(ray.get_runtime_context().get_node_id())
        self.mismatched: dict[str, str] = {}
        """How the code differs on hosts that are left out for it, by node id."""
        self._known: set[str] = {self._here}
        self._requested = 0
        self._providers: list[tuple[str, str]] = []
        self._spawned = 0
        self.servers = servers
        self.recorder = spawner.spawned[recorder]
        self.limiter = spawner.spawned[limiter]
        self.simulators: dict[int, SimulatorHandle] = {}
        """The Simulators whose hosts are there, by number."""
        self.in_flight = 0
        """Episodes in flight per Simulator; 0 before the first one exists."""

    @property
    def providers(self) -> tuple[Actor, ...]:
        """The Providers for hosted models, in the order in which they started."""
        return tuple(self._spawner.spawned[name] for name, _ in self._providers)

    async def update_membership(self, useful: int) -> tuple[list[SimulatorHandle], list[str]]:
        """Drop Simulators of lost hosts and place new ones where there is room.

        Returns:
            The new Simulators, and readable lines on what has changed.

        Raises:
            EngineError: before the first lease, a host runs other code than this one.
        """
        hosts = {host.node_id: host for host in await asyncio.to_thread(hosts_alive)}
        lost = [one for one in self.simulators.values() if one.node_id not in hosts]
        for one in lost:
            self.simulators.pop(one.index).leave()
            self._spawner.stop([self._spawner.full_name(f"simulator-{one.index}")])
        engine = self._plan.sweep.engine
        target = min(useful, engine.simulators or useful)
        capacity = capacity_of(hosts.values(), engine.simulators, draw_on=self._draw_on)
        if engine.draw_on == "gpu" and not (capacity or self._spawned or self._grows):
            raise EngineError(
                "engine.draw_on: gpu",
                "no host of the cluster offers a GPU to Ray",
                "hosts with a GPU, or engine.draw_on: auto or cpu",
                "start Ray there with --num-gpus, or leave draw_on out",
            )
        news = await self._check_code([hosts[node_id] for node_id in capacity])
        capacity = {
            node_id: its for node_id, its in capacity.items() if node_id not in self.mismatched
        }
        if self._grows:
            await self._request_room(target, capacity)
        names = dict.fromkeys(one.host for one in lost)
        news += [f"{name} is lost; its episodes are played elsewhere" for name in names]
        return self._place(hosts, capacity, target), news

    async def has_lost_its_host(self, handle: SimulatorHandle) -> bool:
        """Return whether a Simulator's host is gone, rather than only its process."""
        if not handle.has_left:
            alive = {host.node_id for host in await asyncio.to_thread(hosts_alive)}
            if handle.index not in self.simulators or handle.node_id not in alive:
                handle.leave()
        return handle.has_left

    async def _check_code(self, hosts: Iterable[Host]) -> list[str]:
        new = [host for host in hosts if host.node_id not in self._known]
        if not new:
            return []
        found = await mismatched_nodes(new, self._here, modules_of(self._plan))
        if found and not self._spawned:
            raise EngineError(
                f"{len(found)} hosts of the cluster run other code than this one",
                "; ".join(found.values()),
                "on every host what this one runs, or rows would depend on the host",
                "bring them in line (ray up syncs the code and sets up every host; a package of"
                " families or agents is installed on each)",
            )
        self._known.update(host.node_id for host in new)
        self.mismatched.update(found)
        return [f"left out, it runs other code: {difference}" for difference in found.values()]

    async def _request_room(self, target: int, capacity: Mapping[str, HostCapacity]) -> None:
        if 0 < target <= self._requested:
            return
        self._requested = target
        by_core = bool(capacity) and not any(its.renderers for its in capacity.values())
        await asyncio.to_thread(want_simulators, target, by_core=by_core)

    def _place(
        self, hosts: Mapping[str, Host], capacity: Mapping[str, HostCapacity], target: int
    ) -> list[SimulatorHandle]:
        taken = Counter(one.node_id for one in self.simulators.values())
        places = next_places(capacity, taken, target)
        if not places:
            return []
        if not self.in_flight:
            self.in_flight = self._in_flight(len(places))
        self._place_providers([*taken.elements(), *places])
        return [self._start(hosts[node_id], capacity[node_id]) for node_id in places]

    def _in_flight(self, n_simulators: int) -> int:
        engine = self._plan.sweep.engine
        models = self._plan.lanes()
        wanted = engine.in_flight or in_flight_for(
            models, n_simulators, holds_pictures=draws(self._plan)
        )
        # No more places than episodes: otherwise the first Simulator to be ready would take them
        # all.
        return min(wanted, ceil(self._episodes / n_simulators))

    def _place_providers(self, simulators: list[str]) -> None:
        if all(model.is_offline for model in self._plan.models.values()):
            return
        placed = Counter(node_id for _, node_id in self._providers)
        for node_id in providers_wanted(simulators, placed, self._plan.sweep.engine.providers):
            index = len(self._providers)
            name = self._spawner.spawn(
                f"provider-{index}",
                Provider,
                {
                    "num_cpus": 0,
                    # One byte, because Ray ignores the preferred node of an actor that requires
                    # nothing.
                    "memory": 1,
                    "max_concurrency": self._episodes + BESIDE_PLAYING,
                    "runtime_env": {"env_vars": STACKS_APART},
                    # It may restart on any host, because the episodes it serves may be anywhere.
                    "scheduling_strategy": NodeAffinitySchedulingStrategy(node_id, soft=True),
                },
                index,
                self._config,
                outlives_raylet_s=RECORDING_S,
                credentials=self._credentials,
            )
            self._providers.append((name, node_id))

    def _start(self, host: Host, its: HostCapacity) -> SimulatorHandle:
        index, self._spawned = self._spawned, self._spawned + 1
        resources = {"renderer": its.renderers} if its.renderers else {}
        in_software = IN_SOFTWARE if self._draw_on == "cpu" else {}
        environment = {**ONE_THREAD, **in_software}
        name = self._spawner.spawn(
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
            self._config,
            tuple(name for name, _ in self._providers),
            draws=draws(self._plan),
            picture_cache_bytes=self._plan.sweep.engine.picture_cache_bytes,
        )
        handle = SimulatorHandle(index, self._spawner.spawned[name], host.node_id, host.name)
        self.simulators[index] = handle
        return handle
