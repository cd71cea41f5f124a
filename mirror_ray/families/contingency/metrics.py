"""contingency's metrics; `episode.contingency` computes them."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "correct",
            "Share of episodes that ended with the own image, or with “none” where it is not there;"
            " an episode without an answer is not right.",
            label="right answers",
            chance="chance",
        ),
        Metric(
            "on_own_shirt",
            "Share of episodes that ended with an image that wears the own shirt and is not the own"
            " image; not defined where no such image is there.",
            direction=-1,
        ),
        Metric(
            "on_late",
            "Share of episodes that ended with an image that follows late though another moves at"
            " once; not defined where no such image is there.",
            direction=-1,
        ),
        Metric("said_none", "Share of episodes that ended with “none”.", direction=None),
        Metric(
            "no_answer",
            "Share of episodes whose steps ran out before an answer.",
            direction=-1,
        ),
        Metric(
            "tested",
            "Share of episodes in which the hand had moved before the answer, or to the end.",
            direction=None,
        ),
        Metric(
            "too_early",
            "Of the answers, the share that was given before any picture told the images apart;"
            " not defined where the own image is not there.",
            direction=-1,
        ),
        *(
            Metric(
                f"said_{place}",
                f"Share of episodes that ended with the {place} screen.",
                direction=None,
                is_shown=False,
            )
            for place in ("left", "middle", "right")
        ),
    ),
)
