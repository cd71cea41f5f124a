"""MirrorQA's metrics; `metric.mirrorqa` computes those that are not means of episodes' scores."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "accuracy",
            "Share of answers that are right; errors are left out.",
            chance="chance",
        ),
        Metric(
            "precision",
            "Of the answers that name a class, the share that is right.",
            is_score=False,
        ),
        Metric(
            "recall",
            "Of the questions whose answer is a class, the share that is answered so.",
            is_score=False,
        ),
        Metric("f1", "The harmonic mean of precision and recall.", label="F1", is_score=False),
        Metric(
            "circular",
            "Share of questions answered right under every cyclic shift of the options; "
            "defined where the sweep asks so.",
            chance="chance_circular",
        ),
        Metric(
            "same_frame",
            "Accuracy where the viewer's side and the subject's side are the same.",
            label="frames agree",
            is_compared=False,
            chance="chance",
        ),
        Metric(
            "other_frame",
            "Accuracy where the two sides differ.",
            label="frames differ",
            is_compared=False,
            chance="chance",
        ),
        Metric(
            "confusion",
            "Where the sides differ, the share of answers on the viewer's side.",
            direction=-1,
            chance="1 / 2",
        ),
        Metric(
            "circular_delta",
            "Accuracy less circular accuracy: what rests on the order of options.",
            kind="difference",
            direction=-1,
            label="Δ",
            is_compared=False,
            is_shown=False,
        ),
        Metric("readable", "Share of replies from which an answer could be read.", is_shown=False),
        Metric(
            "frame_effect",
            "Accuracy where the two sides are the same, less that where they differ.",
            kind="difference",
            direction=None,
            label="effect",
            is_score=False,
            is_shown=False,
        ),
        *(
            Metric(
                f"{name}_{n_options}",
                f"The {label} of questions with {words} options alone.",
                label=f"{label}, {n_options} options",
                is_score=False,
                is_shown=False,
            )
            for name, label in (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
            for n_options, words in ((2, "two"), (4, "four"))
        ),
        *(
            Metric(
                f"position_bias_{n_options}",
                f"How unevenly the places of {words} options are chosen; 0 is even.",
                label=f"bias of {n_options}",
                direction=-1,
                is_score=False,
                is_shown=False,
            )
            for n_options, words in ((2, "two"), (4, "four"))
        ),
    ),
    unit="picture or scene",
    holds="coalesce(item, '')",
)
