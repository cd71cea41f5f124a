"""MirrorQA's metrics; `metric.mirrorqa` computes those that are not means of episodes' scores."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("mirrorqa")
