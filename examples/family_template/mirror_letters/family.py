"""The family, as sweeps, the engine and the analysis use it."""

from mirror_letters.columns import EPISODE_COLUMNS, STEP_COLUMNS
from mirror_letters.metrics import METRICS
from mirror_letters.play import CONDITIONS, max_asks, play
from mirror_ray.contract.family import Axis, Family, Scoring, scene_of

FAMILY = Family(
    name="letters",
    conditions=CONDITIONS,
    variants={"plain": "the question alone"},
    axes={"length": Axis(5, "letters of the word", minimum=3, maximum=12)},
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=(),
    play=play,
    max_asks=max_asks,
    sampled_by=("letters-reader", "letters-copier"),
    draws=False,
    scoring=Scoring("accuracy", scene_of),
    metrics=METRICS,
)
