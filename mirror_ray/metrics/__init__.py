"""The metric catalogue: what every number of a family is, from which all that shows it follows.

A family's module states `METRICS`; its SQL, `episode.<family>`, computes the scores.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import cast

from mirror_ray.columns import FAMILY_NAMES
from mirror_ray.metrics.metric import FamilyMetrics, Metric

__all__ = ["METRICS", "FamilyMetrics", "Metric"]

METRICS: Mapping[str, FamilyMetrics] = MappingProxyType(
    {
        name: cast("FamilyMetrics", import_module(f"{__name__}.{name}").METRICS)
        for name in FAMILY_NAMES
    }
)
"""Family → its metrics."""
