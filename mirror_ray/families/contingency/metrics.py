"""contingency's metrics; `episode.contingency` computes them."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("contingency")
