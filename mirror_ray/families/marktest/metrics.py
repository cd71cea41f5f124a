"""marktest's metrics; `episode.marktest` computes them."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("marktest")
