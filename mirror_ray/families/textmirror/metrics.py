"""textmirror's metrics ("Mirror Test for Large Language Models")."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "accuracy",
            "Share of answers that are right; errors are left out.",
            chance="chance",
        ),
        Metric(
            "accuracy_self", "Accuracy where the author revised its own story.", chance="chance"
        ),
        Metric("accuracy_cross", "Accuracy where another model revised it.", chance="chance"),
        Metric(
            "usable",
            "Share of replies that serve the next stage, or name something that could be right.",
        ),
        Metric(
            "accuracy_valid",
            "Accuracy of the replies that name a sentence at all.",
            is_compared=False,
            is_shown=False,
            chance="chance",
        ),
    ),
    unit="story",
    # Stories of one seed are compared, by any author.
    compared_on="coalesce(seed_text, 'seed ' || scene_seed)",
    holds="coalesce(seed_text, '')",
)
