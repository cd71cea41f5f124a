"""The metric catalogue: the definition of every number of a family, from which everything that
shows it follows.

A family's module states `METRICS`; its SQL, `episode.<family>`, computes the scores.
"""

from collections.abc import Mapping
from typing import Any, cast

from mirror_ray.contract.columns import require_declared
from mirror_ray.contract.metric import FamilyMetrics, Metric
from mirror_ray.contract.packages import OfEachFamily
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin

__all__ = ["METRICS", "FamilyMetrics", "Metric"]


def _stated(plugin: Plugin, family: Any) -> FamilyMetrics:
    require_declared(plugin, family)
    metrics = getattr(family, "metrics", None)
    if not isinstance(metrics, FamilyMetrics) or not metrics.shown:
        raise PluginError(
            f"{plugin.words}: states no metrics",
            repr(metrics)[:200],
            "Family(metrics=FamilyMetrics(...)) with one metric or more that is shown",
            "state what its scores are",
        )
    return metrics


METRICS: Mapping[str, FamilyMetrics] = Extended(
    "families", OfEachFamily("metrics", lambda of: cast("FamilyMetrics", of.METRICS)), _stated
)
"""Family → its metrics."""
