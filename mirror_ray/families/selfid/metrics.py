"""selfid's metrics, in the order of arXiv 2605.08816; `episode.selfid` computes them."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("selfid")
