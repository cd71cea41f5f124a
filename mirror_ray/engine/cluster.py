"""Ray: attaching to a cluster or starting one here, and placing the actors.

Knows Ray's start-up, resources and restarts; does not know episodes. Nothing else starts an actor.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from math import ceil
from typing import Any
from uuid import uuid4

import pyarrow as pa
import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.engine.accounts import ceilings_of
from mirror_ray.engine.calls import Actor
from mirror_ray.engine.ledger import RecorderLedger
from mirror_ray.engine.limiter import Limiter
from mirror_ray.engine.provider import Provider, Terms
from mirror_ray.engine.recorder import Recorder
from mirror_ray.engine.simulator import Simulator
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.records.storage import home_of
from mirror_ray.sweep.plan import Plan
from mirror_ray.tasks import FAMILIES

SPREAD = "SPREAD"
FOREVER = -1

SIMULATORS_PER_PROVIDER = 2
"""A hosted call costs its process 4 to 10 ms of CPU time, a picture 10 to 30 ms."""

ONE_THREAD = {
    "LP_NUM_THREADS": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": "1048576",
    "MALLOC_TRIM_THRESHOLD_": "2097152",
}
"""One Simulator per core: software rendering must not spread over its neighbours' cores, and
threads that do nothing cost memory. A frame's buffers (0.9 MB each) come from the heap and stay
there: mapping them anew for every picture took a third of a core in page faults."""


@contextmanager
def ray_session(cores: int) -> Iterator[None]:
    """Ray, for as long as the block runs.

    Uses the session this process is in, else the cluster that ``RAY_ADDRESS`` names, else starts
    one on this machine. Ends only what it began.

    Args:
        cores: CPU slots to offer where it starts one.
    """
    if ray.is_initialized():
        yield
        return
    # Under `uv run` Ray would upload the whole working directory to every worker.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A future default of Ray, without which it warns at every start.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if "RAY_ADDRESS" in os.environ:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    else:
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
        ray.init(
            address="local",
            num_cpus=cores,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
        )
    try:
        yield
    finally:
        ray.shutdown()


@dataclass(frozen=True, slots=True)
class Crew:
    """The actors of one run."""

    recorder: Actor
    limiter: Actor
    providers: tuple[Actor, ...]
    simulators: tuple[Actor, ...]


def cores_here() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0))


def cores_of_cluster() -> int:
    """CPU slots of all nodes of the session."""
    resources: Mapping[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return int(resources.get("CPU", 0))


def row_schemas(plan: Plan) -> dict[str, tuple[pa.Schema, pa.Schema]]:
    """Family → schemas of its steps' and episodes' rows, for the families of a plan."""
    families = {cell.family: FAMILIES[cell.family] for cell in plan.cells}
    return {
        name: (
            with_family_columns(STEPS, family.step_columns),
            with_family_columns(EPISODES, family.episode_columns),
        )
        for name, family in families.items()
    }


@contextmanager
def crew_for(plan: Plan, n_simulators: int, in_flight: int) -> Iterator[Crew]:
    """The actors that play a plan; they end with the block.

    The Recorder stays on this node, where the run directory is, and the Limiter with it: a new one
    learns from the Recorder what is spent, and from the Gates what is under way. All come back
    whenever they die, and no call is repeated by Ray: a repeated ask would be paid twice.

    Args:
        in_flight: episodes under way per Simulator.
    """
    engine = plan.sweep.engine
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    limits = tuple(model.limits for model in plan.models.values())
    in_flight_in_all = in_flight * n_simulators
    placed_here = {
        "num_cpus": 0,
        "max_concurrency": 2 * in_flight_in_all + 16,
        "scheduling_strategy": here,
    }
    restarted = {"max_restarts": FOREVER}
    spread = {"num_cpus": 0, "scheduling_strategy": SPREAD, **restarted}

    hired: dict[str, Actor] = {}
    run = uuid4().hex[:8]

    def hire(
        name: str, kind: type[Any], options: Mapping[str, Any], *arguments: Any, **named: Any
    ) -> str:
        # Actors know each other by name: a handle among its arguments, and an actor may not come
        # back once its creator has let go of it (ray-project/ray#53727).
        whole_name = f"{name}-{run}"
        actor_class = ray.remote(kind).options(name=whole_name, max_task_retries=0, **options)
        hired[whole_name] = actor_class.remote(*arguments, **named)
        return whole_name

    try:
        kept = {**placed_here, **restarted}
        out = plan.sweep.out
        recorder = hire("recorder", Recorder, kept, out, row_schemas(plan), home=home_of(out))
        ledger = RecorderLedger(recorder, plan.episodes)
        limiter = hire(
            "limiter",
            Limiter,
            kept,
            limits,
            ceilings_of(plan),
            weights=plan.weights,
            ledger=ledger,
        )
        terms = Terms(plan.models, limiter, recorder, engine.max_attempts)
        providers = tuple(
            hire(
                f"provider-{index}",
                Provider,
                {**spread, "max_concurrency": in_flight_in_all + 16},
                index,
                terms,
            )
            for index in range(_providers_for(plan, n_simulators))
        )
        simulators = tuple(
            hire(
                f"simulator-{index}",
                Simulator,
                {
                    **spread,
                    "num_cpus": min(1.0, cores_of_cluster() / n_simulators),
                    "max_concurrency": in_flight + 16,
                    "runtime_env": {"env_vars": ONE_THREAD},
                },
                index,
                plan.sweep.name,
                terms,
                providers,
            )
            for index in range(n_simulators)
        )
        yield Crew(
            recorder=hired[recorder],
            limiter=hired[limiter],
            providers=tuple(hired[name] for name in providers),
            simulators=tuple(hired[name] for name in simulators),
        )
    finally:
        for handle in hired.values():
            with suppress(RayError):
                ray.kill(handle, no_restart=True)


def _providers_for(plan: Plan, n_simulators: int) -> int:
    """Provider actors: none where nothing but offline agents plays."""
    if all(model.backend == "scripted" for model in plan.models.values()):
        return 0
    return plan.sweep.engine.providers or ceil(n_simulators / SIMULATORS_PER_PROVIDER)
