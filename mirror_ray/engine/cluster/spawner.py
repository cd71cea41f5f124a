"""Starts the actors of one run, and ends them."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import ray
from ray.exceptions import RayError

from mirror_ray.engine.actor_calls import Actor
from mirror_ray.engine.cluster.fate_sharing import fate_sharing

FOREVER = -1


@dataclass(slots=True)
class ActorSpawner:
    """Starts actors under names of this run, and ends them all.

    Actors find each other by name: one with a handle among its arguments may not come back once its
    creator has dropped it (ray-project/ray#53727). Ray repeats no call, since a repeated request
    would be paid twice.
    """

    run: str
    spawned: dict[str, Actor] = field(default_factory=dict)

    def full_name(self, name: str) -> str:
        """An actor's name in the cluster, which may have other runs too."""
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
        """Starts an actor, which restarts whenever it dies; returns its whole name."""
        full_name = self.full_name(name)
        actor_class = ray.remote(fate_sharing(kind, outlives_raylet_s)).options(
            name=full_name, max_restarts=FOREVER, max_task_retries=0, **options
        )
        self.spawned[full_name] = actor_class.remote(*arguments, **named)
        return full_name

    def stop(self, names: Iterable[str]) -> None:
        """Ends actors for good."""
        for name in names:
            with suppress(RayError):
                ray.kill(self.spawned.pop(name), no_restart=True)
