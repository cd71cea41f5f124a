"""marktest's metrics; `episode.marktest` computes them."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "passed",
            "Share of episodes in which the mark was touched on the own body; where it is "
            "elsewhere, in which nothing was touched before the end.",
            label="tests passed",
        ),
        Metric(
            "on_mark",
            "Share of episodes in which the hand touched the mark.",
            direction=None,
        ),
        Metric(
            "on_place",
            "Share of episodes in which the hand touched the own body where the mark could be"
            " and was not.",
            direction=None,
        ),
        Metric(
            "on_image",
            "Share of episodes in which the hand touched the mark's image in the mirror.",
            direction=None,
        ),
        Metric(
            "first_touch",
            "Steps until the first touch.",
            kind="count",
            direction=None,
        ),
        Metric(
            "false_mark",
            "Share of episodes in which a mark on the own body was claimed unseen, or without one.",
            direction=-1,
        ),
        Metric(
            "false_none",
            "Of the episodes in which the own mark was in view, the share that ended without "
            "a touch of it.",
            direction=-1,
        ),
        Metric(
            "social",
            "Share of episodes in which the image was once called somebody else.",
            direction=None,
        ),
        Metric(
            "saw_mark",
            "Share of episodes in which the mark was in view.",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "on_counterpart",
            "Share of episodes in which the hand touched the place on the other side of the body.",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "on_surface",
            "Share of episodes in which the hand touched the glass.",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "on_other",
            "Share of episodes in which the hand touched the body opposite.",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "says_self",
            "Share of episodes in which the image was once called oneself.",
            direction=None,
            is_shown=False,
        ),
    )
)
