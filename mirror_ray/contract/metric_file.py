"""Reads a family's metrics from the file ``metrics.yaml`` of its folder."""

from importlib.resources import files
from typing import Any, cast

from mirror_ray.contract.metric import FamilyMetrics, Metric
from mirror_ray.contract.packages import FAMILIES_PACKAGE
from mirror_ray.core.plain_yaml import read_yaml


def metrics_of(family: str) -> FamilyMetrics:
    """Return the metrics of a family of this package; the keys are the fields of both classes."""
    file = files(f"{FAMILIES_PACKAGE}.{family}") / "metrics.yaml"
    data = cast("dict[str, Any]", read_yaml(file.read_text("utf-8")))
    metrics = tuple(Metric(name, **fields) for name, fields in data.pop("metrics").items())
    return FamilyMetrics(metrics, **data)
