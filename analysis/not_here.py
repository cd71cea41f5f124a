"""Metrics that a condition does not have: what they rest on is not there."""

from collections.abc import Set

import duckdb

from mirror_ray.contract.metrics import METRICS

_NEED_A_MIRROR = frozenset(
    metric.name for metric in METRICS["selfid"].metrics if metric.needs_mirror
)
"""They rest on the own reflection: where there is no mirror, 0 would read as a failure to look."""

_WITHOUT = """\
select condition from episode.selfid
where branch_step is null
group by condition
having not bool_or(coalesce(mirror_present, true))"""


def without_mirror(connection: duckdb.DuckDBPyConnection) -> Set[str]:
    """selfid's conditions that have no mirror in any of their episodes."""
    return {condition for (condition,) in connection.execute(_WITHOUT).fetchall()}


def is_here(metric: str, condition: str, no_mirror: Set[str]) -> bool:
    """Whether the condition has the metric.

    Args:
        no_mirror: from `without_mirror`.
    """
    return metric not in _NEED_A_MIRROR or condition not in no_mirror
