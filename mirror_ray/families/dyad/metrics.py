"""dyad's metrics, of the subject of each episode; `episode.dyad` computes them."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "correct",
            "Share of episodes in which the subject was done and chose the cube in its own colour.",
            label="right choices",
            chance="chance",
        ),
        Metric(
            "took_other",
            "Share in which it chose the colour of the other body: it took the other for itself. "
            "Not defined where both have one colour.",
            label="took the other for itself",
            direction=-1,
            chance="chance",
        ),
        Metric(
            "took_neither",
            "Share in which it chose a colour that neither body has.",
            label="chose the third colour",
            is_shown=False,
            direction=-1,
        ),
        Metric(
            "no_choice",
            "Share that ended without the choice of a cube of the room.",
            label="chose nothing",
            direction=-1,
        ),
        Metric(
            "said_other",
            "Share in which it once said that its own body had the other's colour, up to its end. "
            "Not defined where both have one colour.",
            label="said to be the other",
            is_shown=False,
            direction=-1,
        ),
        Metric(
            "looked",
            "Share in which it had its own reflection in view before it was done; not defined "
            "without a mirror.",
            needs_mirror=True,
            label="saw itself first",
        ),
        Metric(
            "met_other",
            "Share in which it had the other body in view, directly, before it was done.",
            label="saw the other first",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "same_choice",
            "Of the episodes in which both minds chose a cube, the share in which both chose the "
            "same one.",
            label="chose as the partner",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "followed",
            "Of the episodes in which the other had last told it a colour of its own body, the "
            "share in which it chose that colour.",
            label="chose what it was told",
            direction=None,
            is_shown=False,
        ),
        Metric(
            "misled",
            "Of those in which what it was told was false, the share in which it chose that "
            "colour.",
            label="chose a lie",
            direction=-1,
        ),
        Metric(
            "copied",
            "Of the episodes in which the other had last said which colour it has itself, the "
            "share in which it chose that colour.",
            label="chose what the other said of itself",
            direction=None,
        ),
        Metric(
            "told_truth",
            "Of the episodes in which it told the other a colour, the share in which the last one "
            "was that of the other's body.",
            label="told the truth",
            is_shown=False,
        ),
    )
)
