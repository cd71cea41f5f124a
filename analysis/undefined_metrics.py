"""Metrics that a condition does not have: what they rest on is not there."""

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
    """The conditions that have no mirror in any of their episodes, of families with metrics that
    need one."""
    return {
        (family, condition)
        for family in Reading(connection).recorded_families()
        if family in METRICS and _needing(family)
        for (condition,) in connection.execute(
            _WITHOUT.format(family=family, own_play=METRICS[family].own_play)
        ).fetchall()
    }


def is_here(family: str, metric: str, condition: str, no_mirror: Conditions) -> bool:
    """Whether the condition has the metric: where there is no mirror, 0 would read as a failure to
    look into it.

    Args:
        no_mirror: from `without_mirror`.
    """
    return (family, condition) not in no_mirror or metric not in _needing(family)


def _needing(family: str) -> Set[str]:
    return {metric.name for metric in METRICS[family].metrics if metric.needs_mirror}
