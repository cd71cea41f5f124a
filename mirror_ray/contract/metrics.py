"""The metric catalogue: the definition of every family's metrics, wherever they are shown.

A family's `metrics.yaml` defines them; its SQL, `episode.<family>`, computes the scores."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from mirror_ray.contract.columns import require_declared
from mirror_ray.contract.metric import FamilyMetrics, Metric
from mirror_ray.contract.packages import OfEachFamily, family_yaml
from mirror_ray.core.errors import PluginError
from mirror_ray.core.plugins import Extended, Plugin

__all__ = ["METRICS", "FamilyMetrics", "Metric"]


@cache
def metrics_of(family: str) -> FamilyMetrics:
    """Read a family's `metrics.yaml`, whose keys are the fields of both classes."""
    said = family_yaml(family, "metrics.yaml")
    metrics = tuple(Metric(name, **fields) for name, fields in said.pop("metrics").items())
    return FamilyMetrics(metrics, **said)


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


METRICS: Mapping[str, FamilyMetrics] = Extended("families", OfEachFamily(metrics_of), _stated)
"""Family → its metrics."""
