"""dyad's metrics, of the subject of each episode; `episode.dyad` computes them."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("dyad")
