"""Ray: attaching to a cluster or starting one here, and the actors that every run has."""

import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from shutil import disk_usage
from tempfile import gettempdir
from uuid import uuid4

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from mirror_ray.core.errors import EngineError, LostError
from mirror_ray.core.own_interpreter import forget_current_folder, in_root_folder
from mirror_ray.engine.cluster.actors import BESIDE_PLAYING, RunActors
from mirror_ray.engine.cluster.fate_sharing import RECORDING_S
from mirror_ray.engine.cluster.nodes import want_simulators
from mirror_ray.engine.cluster.ray_processes import (
    children_deaf_to_stops,
    deaf_children_end_at_once,
    patient,
)
from mirror_ray.engine.cluster.server_actors import ServerActors
from mirror_ray.engine.cluster.session_watch import OnLoss, coming_up
from mirror_ray.engine.cluster.spawner import ActorSpawner
from mirror_ray.engine.episode_rows import row_schemas
from mirror_ray.engine.limiter.actor import Limiter
from mirror_ray.engine.limiter.budget import ceilings_of
from mirror_ray.engine.limiter.ledger import RecorderLedger
from mirror_ray.engine.recorder.actor import Recorder
from mirror_ray.providers.credentials import credentials_of, names_of
from mirror_ray.providers.price_tiers import lanes_of
from mirror_ray.records.storage import home_of, is_address
from mirror_ray.sweep.plan import Plan

ADDRESS = "RAY_ADDRESS"
STARTS, STARTS_IF_BUSY = 2, 6
"""How often Ray is started before the run gives up. A raylet ends if its agents have not loaded
within 15 s, which cannot be configured and often happens on a busy machine."""

LISTENS_WITHIN_S = 10.0
_FRAME_HEAD_BYTES, _FRAME_TYPE, _SETTINGS = 9, slice(3, 4), b"\x04"
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(3) + _SETTINGS + bytes(5)
"""A Ray head speaks gRPC: like every HTTP/2 server, it answers this with a frame of settings."""
_MOST_FOLDER_BYTES = 43
"""A socket's path has at most 107 bytes, of which Ray's own names take 64."""
_LEAST_FREE_BYTES = 64 * 2**20
"""Free bytes that the folder must have; Ray's logs and sockets take some MiB per start."""
_SHORT_FOLDER = "/tmp/ray"  # noqa: S108 - Ray's own default


@contextmanager
def ray_session(
    cores: int, say: Callable[[str], object] = lambda _: None, on_loss: OnLoss = lambda _: None
) -> Iterator[None]:
    """Run Ray while the block runs.

    It uses this process's session, the cluster of ``RAY_ADDRESS``, or a new session on this
    machine, which is the only kind that it ends.

    Args:
        cores: CPU slots of a session that it starts.
        say: called with a readable line while the start takes long.
        on_loss: called before this process ends, if Ray's own processes die.

    Raises:
        EngineError: the cluster cannot be used from here.
        LostError: Ray does not come up on this machine.
    """
    if ray.is_initialized():
        yield
        return
    forget_current_folder()
    # Under `uv run` Ray would upload the whole working directory to every worker.
    os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # A future default of Ray; without it Ray warns at every start.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    if attached():
        _attach(os.environ[ADDRESS])
    else:
        os.environ.setdefault("RAY_AUTH_MODE", "disabled")
        # Workers start the model servers, which would get the low priority that Ray gives to
        # workers.
        os.environ.setdefault("RAY_worker_niceness", "0")
        # Without this, Ray's head would keep the events of 100,000 calls for a dashboard that is
        # not started.
        os.environ.setdefault("RAY_task_events_report_interval_ms", "0")
        _start(cores, say, on_loss)
    try:
        yield
    finally:
        with deaf_children_end_at_once():
            ray.shutdown()


def attached() -> bool:
    """Return whether runs use a cluster that was started elsewhere."""
    return bool(os.environ.get(ADDRESS))


def _start(cores: int, say: Callable[[str], object], on_loss: OnLoss) -> None:
    for start in count(1):
        try:
            with coming_up(on_loss), patient(say), in_root_folder(), children_deaf_to_stops():
                ray.init(
                    address="local",
                    num_cpus=cores,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    _temp_dir=_short_folder(),
                )
            return
        # Ray reports processes that start too late by a bare Exception.
        except Exception as error:
            ray.shutdown()
            load, n_cores = os.getloadavg()[0], os.cpu_count() or 1
            is_busy = load > 2 * n_cores
            if start >= (STARTS_IF_BUSY if is_busy else STARTS):
                raise LostError(
                    f"Ray does not come up on this machine, {_why_it_may_not_start()};"
                    f" run the same command again ({error})"
                ) from error
            if is_busy:
                say(
                    f"Ray has not come up: this machine is busy (load {load:.0f} on {n_cores}"
                    f" cores). Starting it again, {start + 1} of at most {STARTS_IF_BUSY} times."
                )


def _why_it_may_not_start() -> str:
    folder = _short_folder() or os.environ.get("RAY_TMPDIR") or gettempdir()
    try:
        free_bytes = disk_usage(folder).free
    except OSError:
        return f"whose folder for temporary files cannot be used: {folder}"
    if free_bytes < _LEAST_FREE_BYTES:
        return (
            f"where {folder} has {free_bytes / 2**20:,.0f} MiB of room: free some, or set"
            " RAY_TMPDIR to another folder"
        )
    return "which may be busy or short of memory"


def _attach(address: str) -> None:
    if address.startswith("ray://"):
        raise _unusable(address, "a Ray Client, whose actors cannot be on the driver's own host")
    _require_listening(address)
    try:
        with in_root_folder():
            ray.init(log_to_driver=False, logging_level=logging.ERROR)
    # Ray reports other versions, other tokens and absent heads in different ways.
    except (ConnectionError, RuntimeError, ValueError, RayError) as error:
        raise _unusable(address, str(error)) from error


def _require_listening(address: str) -> None:
    """Refuse an address without a Ray head, for which Ray would wait for ever."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        with socket.create_connection((host.strip("[]"), int(port)), LISTENS_WITHIN_S) as server:
            if os.environ.get("RAY_USE_TLS", "0") != "0":
                return
            server.sendall(_GREETING)
            answer = server.recv(_FRAME_HEAD_BYTES, socket.MSG_WAITALL)
    except TimeoutError as error:
        raise _unusable(address, "nothing answers there as a Ray head does") from error
    except (OSError, OverflowError) as error:
        raise _unusable(address, f"nobody listens there: {error}") from error
    if answer[_FRAME_TYPE] != _SETTINGS:
        raise _unusable(address, "what answers there is no Ray head")


def _short_folder() -> str | None:
    given = os.environ.get("RAY_TMPDIR") or gettempdir()
    return _SHORT_FOLDER if len(os.fsencode(given)) > _MOST_FOLDER_BYTES else None


def _unusable(address: str, why: str) -> EngineError:
    return EngineError(
        f"{ADDRESS}={address}: this cluster cannot be used from here",
        why,
        "HOST:PORT of a running head, or auto, on a host of that cluster; the same versions and"
        " token",
        "run it on the head: ray submit cluster.yaml SWEEP, or ray job submit;"
        f" or unset {ADDRESS} to use this machine alone",
    )


def cores_here() -> int:
    """CPU cores that this process may use."""
    return len(os.sched_getaffinity(0))


def server_actors_for(plan: Plan) -> ServerActors:
    """Return the servers of the plan's models, not yet started; they may outlive parts of a run."""
    return ServerActors(
        plan.models,
        ActorSpawner(uuid4().hex[:8]),
        attached=attached(),
        # The keys of models that are served elsewhere.
        secret_names=names_of(plan.models.values(), os.environ),
    )


@contextmanager
def actors_for(plan: Plan, episodes: int, servers: ServerActors) -> Iterator[RunActors]:
    """Start the actors that play a plan, without Simulators yet; they end with the block.

    The Recorder stays on this node, which has the run directory. The Limiter stays here too: after
    a restart, it reads costs from the Recorder, and gets the calls in flight from its clients.

    Args:
        servers: the servers of the run's models; they do not end with the block.
    """
    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
    placed_here = {
        "num_cpus": 0,
        "max_concurrency": 2 * episodes + BESIDE_PLAYING,
        "scheduling_strategy": here,
    }
    spawner = ActorSpawner(uuid4().hex[:8])
    try:
        out, home = plan.sweep.out, home_of(plan.sweep.out)
        if not is_address(out):
            # A session that already runs has processes with another working directory.
            out = str(home)
        recorder = spawner.spawn(
            "recorder",
            Recorder,
            placed_here,
            out,
            row_schemas(plan.families),
            outlives_raylet_s=RECORDING_S,
            home=home,
            replicate=plan.sweep.replicate,
        )
        limiter = spawner.spawn(
            "limiter",
            Limiter,
            placed_here,
            tuple(lane.limits for model in plan.lanes() for lane in lanes_of(model)),
            ceilings_of(plan),
            weights=plan.weights,
            supervised=frozenset(servers.served),
            ledger=RecorderLedger(recorder, (*plan.cells, *plan.beside)),
            # After a restart, changes that were made while the run played are applied first.
            live=None,
        )
        yield RunActors(
            plan,
            spawner,
            recorder=recorder,
            limiter=limiter,
            servers=servers,
            credentials=credentials_of(plan.models.values(), os.environ),
            episodes=episodes,
            grows=attached(),
        )
    finally:
        spawner.stop(list(spawner.spawned))
        if attached():
            want_simulators(0)
