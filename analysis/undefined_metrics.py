"""Metrics that are undefined in a condition, because it lacks what they measure."""

from collections.abc import Set
from typing import TypeAlias

import duckdb

from mirror_ray.analysis.reading import Reading
from mirror_ray.contract.metrics import METRICS

Conditions: TypeAlias = Set[tuple[str, str]]
"""Pairs of family and condition."""

_WITHOUT = """\
select condition from episode.{family}
where {own_play}
group by condition
having not bool_or(coalesce(mirror_present, true))"""


def without_mirror(connection: duckdb.DuckDBPyConnection) -> Conditions:
    """Return the conditions in which no episode had a mirror.

    Only families with metrics that need a mirror are examined, and only if their view
    ``episode.<family>`` says whether there was one."""
    run = Reading(connection)
    return {
        (family, condition)
        for family in run.recorded_families()
        if _needing(family) and run.has(f"episode.{family}", "mirror_present")
        for (condition,) in connection.execute(
            _WITHOUT.format(family=family, own_play=METRICS[family].own_play)
        ).fetchall()
    }


def is_here(family: str, metric: str, condition: str, no_mirror: Conditions) -> bool:
    """Return whether a metric is defined in a condition.

    Without a mirror, a metric that needs one would be 0 and look like a model's failure.

    Args:
        no_mirror: from `without_mirror`.
    """
    return (family, condition) not in no_mirror or metric not in _needing(family)


def _needing(family: str) -> Set[str]:
    metrics = METRICS.get(family)
    return {one.name for one in metrics.metrics if one.needs_mirror} if metrics else set()
