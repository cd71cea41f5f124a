"""marktest: the mark test of self-recognition, played with a hand (after G. G. Gallup, 1970)."""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.families.marktest.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.marktest.conditions import CONDITIONS, VARIANTS
from mirror_ray.families.marktest.metrics import METRICS
from mirror_ray.families.marktest.play import max_asks, play
from mirror_ray.families.marktest.settings import AXES

FAMILY = Family(
    name="marktest",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("mark-observer", "mark-blind"),
    scoring=Scoring("passed", scene_of),
    metrics=METRICS,
)
