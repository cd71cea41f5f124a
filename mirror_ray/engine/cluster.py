"""Ray: attaching to a cluster or starting one here, and the actors that every run has.

Knows Ray's start-up and the driver's own host; does not know episodes, nor who plays them where.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pyarrow as pa
import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.engine.accounts import ceilings_of
from mirror_ray.engine.crew import BESIDE_PLAYING, Crew, Hiring
from mirror_ray.engine.hosts import want_simulators
from mirror_ray.engine.keys import keys_of
from mirror_ray.engine.ledger import RecorderLedger
from mirror_ray.engine.limiter import Limiter
from mirror_ray.engine.recorder import Recorder
from mirror_ray.errors import EngineError, LostError
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns
from mirror_ray.records.storage import home_of
from mirror_ray.sweep.plan import Plan
from mirror_ray.tasks import FAMILIES

ADDRESS = "RAY_ADDRESS"
STARTS = 2
"""Ray gives its own processes half a minute, which a busy machine may exceed."""


@contextmanager
def ray_session(cores: int) -> Iterator[None]:
    """Ray, for as long as the block runs.

    Uses the session this process is in, else the cluster that ``RAY_ADDRESS`` names, else starts
    one on this machine. Ends only what it began.

    Args:
        cores: CPU slots to offer where it starts one.

    Raises:
        EngineError: the cluster cannot be used from here.
        LostError: Ray does not come up on this machine.
    """
    if ray.is_initialized():
        yield
        return
    # Under `uv run` Ray would upload the whole working directory to every worker.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A future default of Ray, without which it warns at every start.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if attached():
        _attach(os.environ[ADDRESS])
    else:
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
        _start(cores)
    try:
        yield
    finally:
        ray.shutdown()


def attached() -> bool:
    """Whether runs use a cluster that somebody else has started."""
    return bool(os.environ.get(ADDRESS))


def _start(cores: int) -> None:
    for left in reversed(range(STARTS)):
        try:
            ray.init(
                address="local",
                num_cpus=cores,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
            return
        # Ray says that its own processes are late, or died, by a bare Exception.
        except Exception as error:
            ray.shutdown()
            if not left:
                raise LostError(
                    "Ray does not come up on this machine, which may be busy or short of memory;"
                    f" the same command goes on ({' '.join(str(error).split())})"
                ) from error


def _attach(address: str) -> None:
    if address.startswith("ray://"):
        raise _unusable(address, "a Ray Client, whose actors cannot be on the driver's own host")
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR)
    # Ray tells of other versions, other tokens and absent heads in as many ways.
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        raise _unusable(address, " ".join(str(error).split())) from error


def _unusable(address: str, why: str) -> EngineError:
    return EngineError(
        f"{ADDRESS}={address}: this cluster cannot be used from here\n"
        f"  got:     {why}\n"
        "  allowed: HOST:PORT of a running head, or auto, on a host of that cluster; the same"
        " versions and token\n"
        "  fix:     run it on the head: ray submit cluster.yaml SWEEP, or ray job submit;"
        f" or unset {ADDRESS} to use this machine alone"
    )


def cores_here() -> int:
    """CPU cores this process may use."""
    return len(os.sched_getaffinity(0))


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
def crew_for(plan: Plan, episodes: int) -> Iterator[Crew]:
    """The actors that play a plan, without Simulators yet; they end with the block.

    The Recorder stays on this node, where the run directory is, and the Limiter with it: a new one
    learns from the Recorder what is spent, and from the Gates what is under way.

    Args:
        episodes: that are left; no more than these can be under way.
    """
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    placed_here = {
        "num_cpus": 0,
        "max_concurrency": 2 * episodes + BESIDE_PLAYING,
        "scheduling_strategy": here,
    }
    hiring = Hiring(uuid4().hex[:8])
    try:
        out = plan.sweep.out
        schemas = row_schemas(plan)
        recorder = hiring.hire("recorder", Recorder, placed_here, out, schemas, home=home_of(out))
        limiter = hiring.hire(
            "limiter",
            Limiter,
            placed_here,
            tuple(model.limits for model in plan.models.values()),
            ceilings_of(plan),
            weights=plan.weights,
            ledger=RecorderLedger(recorder, plan.cells),
        )
        yield Crew(
            plan,
            hiring,
            recorder=recorder,
            limiter=limiter,
            keys=keys_of(plan.models.values(), os.environ),
            episodes=episodes,
            grows=attached(),
        )
    finally:
        hiring.dismiss(list(hiring.hired))
        if attached():
            want_simulators(0)
