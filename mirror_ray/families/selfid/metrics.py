"""selfid's metrics, in the order of arXiv 2605.08816; `episode.selfid` computes them."""

from mirror_ray.contract.metric import FamilyMetrics, Metric

METRICS = FamilyMetrics(
    (
        Metric(
            "tsa",
            "Share of all episodes that ended with done and the agent's own colour: the cube of it "
            "selected, or in an open-ended task the colour named.",
            label="TSA",
            caption="right selection",
            chance="chance",
        ),
        Metric(
            "ttd",
            "Steps until done, or until the end of an episode that never says done.",
            label="TTD",
            kind="count",
            direction=-1,
        ),
        Metric(
            "mcr",
            "Share of episodes in which the agent had its own reflection in view before done; "
            "not defined without a mirror.",
            label="MCR",
            caption="looked",
            needs_mirror=True,
        ),
        Metric(
            "mtato",
            "Of the episodes that ended right, the share in which the own reflection had been in "
            "view before; not defined without a mirror.",
            label="MTATO",
            caption="right and looked",
            needs_mirror=True,
        ),
        Metric(
            "caal",
            "Share of episodes in which the agent stated its true colour at any step up to done; "
            "not defined without a mirror.",
            label="CAAL",
            caption="stated the truth",
            needs_mirror=True,
        ),
        Metric(
            "cr",
            "Share of episodes in which the agent stated a colour before it had its own reflection "
            "in view, or without ever having it.",
            label="CR",
            caption="guessed before looking",
            direction=-1,
        ),
        Metric(
            "tsa_c",
            "TSA of the episodes alone that ended with done.",
            label="TSA-C",
            caption="right, if done",
            chance="chance",
        ),
        Metric(
            "mgd",
            "Steps with the own reflection in view, up to done; not defined without a mirror.",
            label="MGD",
            kind="count",
            direction=None,
            needs_mirror=True,
        ),
        Metric(
            "arsc",
            "Share of episodes whose first stated colour came before the own reflection was in "
            "view, and was wrong; not defined without a mirror.",
            label="ARSC",
            caption="first claim wrong",
            direction=-1,
            needs_mirror=True,
        ),
        Metric(
            "sc",
            "Of the episodes that ARSC counts, the share that stated the true colour after the own "
            "reflection had come into view.",
            label="SC",
            caption="corrected itself",
            needs_mirror=True,
        ),
        Metric(
            "sc_final",
            "SC by a stricter reading: the last identification is right.",
            label="SC-FINAL",
            is_shown=False,
            needs_mirror=True,
        ),
    ),
    own_play="branch_step is null",
    right_answer="ego_color",
)
