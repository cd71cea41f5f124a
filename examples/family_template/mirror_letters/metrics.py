"""letters' metrics; `episode.letters` computes them."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric("accuracy", "Share of answers that are right; errors are left out."),
        Metric(
            "copied",
            "Share of answers with the letters in the order in which the mirror shows them.",
            direction=-1,
        ),
    ),
    unit="word",
)
