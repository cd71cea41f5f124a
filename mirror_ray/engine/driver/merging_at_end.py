"""Merges a run's shards at its end, if there are many."""

from collections.abc import Callable
from contextlib import suppress

from mirror_ray.core.errors import MirrorRayError
from mirror_ray.records.shards.merging import merge_shards, seal_of
from mirror_ray.records.storage_fault import faults_reported

_MANY = 10
"""If a family has fewer small shards, they are read as fast as one."""


def merge_if_many(out: str, tell: Callable[[str], object]) -> None:
    """Merge the shards of run directory `out`, unless it is sealed. A failure is only reported,
    because the run is complete anyway; Ctrl-C leaves the rest unmerged."""
    with suppress(KeyboardInterrupt):
        try:
            with faults_reported(out, "the shards cannot be merged"):
                if seal_of(out) is None:
                    merge_shards(out, least=_MANY)
        except MirrorRayError as error:
            tell(f"{error}\nThe results are complete. To try again: mirror-ray compact {out}")
