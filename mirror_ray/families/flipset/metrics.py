"""FlipSet's metrics (arXiv 2602.15892); `episode.flipset` computes them."""

from mirror_ray.contract.metric_file import metrics_of

METRICS = metrics_of("flipset")
