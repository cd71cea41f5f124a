"""FlipSet's metrics (arXiv 2602.15892); `episode.flipset` computes them."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "accuracy",
            "Share of answers that are right; errors are left out.",
            chance="chance",
        ),
        Metric(
            "egocentric",
            "Share of answers with what the card says to the viewer, not to the other.",
            direction=-1,
        ),
        Metric(
            "confusable",
            "Share of answers with a string that resembles the right one.",
            direction=-1,
        ),
        Metric("random", "Share of answers with an unrelated string.", direction=-1),
        Metric(
            "fail",
            "Share of replies in which no option was chosen; the source's Fail.",
            label="no option",
            direction=-1,
        ),
        *(
            Metric(
                f"{kind}_of_errors",
                f"Of the answers that are not right, the share that is {name}.",
                label=f"{name}, of wrong",
                direction=-1,
                is_shown=False,
            )
            for kind, name in (
                ("egocentric", "egocentric"),
                ("confusable", "confusable"),
                ("random", "random"),
                ("fail", "no option"),
            )
        ),
    ),
    unit="string",
    holds="concat_ws(' ', item, hidden::varchar)",
)
