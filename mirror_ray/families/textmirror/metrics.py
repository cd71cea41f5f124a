"""textmirror's metrics ("Mirror Test for Large Language Models")."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("textmirror")
