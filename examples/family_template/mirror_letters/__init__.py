"""letters: what does a word say that is seen in a mirror?"""

import pyarrow as pa

from mirror_letters.play import CONDITIONS, max_asks, play
from mirror_ray.contract.metrics import FamilyMetrics, Metric
from mirror_ray.contract.family import Axis, Family, Scoring, scene_of

FAMILY = Family(
    name="letters",
    conditions=CONDITIONS,
    variants={"plain": "the question alone"},
    axes={"length": Axis(5, "letters of the word", minimum=3, maximum=12)},
    step_columns=pa.schema(
        [
            # The word as it was read; NULL where there was none.
            pa.field("answer", pa.string()),
        ]
    ),
    episode_columns=pa.schema([pa.field("word", pa.string()), pa.field("length", pa.int32())]),
    fact_columns=(),
    play=play,
    max_asks=max_asks,
    sampled_by=("letters-reader", "letters-copier"),
    draws=False,
    scoring=Scoring("accuracy", scene_of),
    metrics=FamilyMetrics(
        (
            Metric("accuracy", "Share of answers that are right; errors are left out."),
            Metric(
                "copied",
                "Share of answers with the letters in the order in which the mirror shows them.",
                direction=-1,
            ),
        ),
        unit="word",
    ),
)
