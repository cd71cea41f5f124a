"""Starts the actors of one run, and ends them."""

import pickle
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import RayError

from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.cluster.fate_sharing import fate_sharing

FOREVER = -1
PART_BYTES = 2**16
"""Ray moves arguments of 100 KB and more into the object store."""


@dataclass(slots=True)
class ActorSpawner:
    """Starts actors under names of this run, and ends them all.

    An actor may not restart if one of its arguments contains a handle, or is so large that Ray puts
    it into the object store (ray-project/ray#53727). Actors therefore find each other by name, and
    arguments are sent in parts that Ray keeps with the actor. Ray must not repeat calls, because a
    repeated request would be paid twice."""

    run: str
    spawned: dict[str, Actor] = field(default_factory=dict)

    def full_name(self, name: str) -> str:
        """Return an actor's name in the cluster, unique among the runs that share it."""
        return f"{name}-{self.run}"

    def spawn(
        self,
        name: str,
        kind: type[Any],
        options: Mapping[str, Any],
        *arguments: Any,
        outlives_raylet_s: float = 0.0,
        **named: Any,
    ) -> str:
        """Start an actor that restarts whenever it dies, and return its full name."""
        full_name = self.full_name(name)
        packed = zlib.compress(pickle.dumps((arguments, named)), level=1)
        parts = [packed[i : i + PART_BYTES] for i in range(0, len(packed), PART_BYTES)]
        actor_class = ray.remote(fate_sharing(_unpacking(kind), outlives_raylet_s)).options(
            name=full_name, max_restarts=FOREVER, max_task_retries=0, **options
        )
        self.spawned[full_name] = actor_class.remote(*parts)
        return full_name

    def stop(self, names: Iterable[str]) -> None:
        """End actors for good."""
        for name in names:
            with suppress(RayError):
                ray.kill(self.spawned.pop(name), no_restart=True)


def _unpacking(kind: type[Any]) -> type[Any]:
    def __init__(self: Any, *parts: bytes) -> None:  # noqa: N807
        arguments, named = pickle.loads(zlib.decompress(b"".join(parts)))  # noqa: S301 - the driver's
        kind.__init__(self, *arguments, **named)

    return type(kind.__name__, (kind,), {"__init__": __init__, "__module__": kind.__module__})
