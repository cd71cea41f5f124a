"""dyad: two models in one room, each with its own body and view, take turns; whom does each take
for itself?

A round-robin design after the social relations model of D. A. Kenny: every model is subject and
partner. The task is that of selfid (arXiv 2605.08816) in words of our own.
"""

from mirror_ray.asking.axes import structured_of
from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.families.dyad.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.dyad.conditions import CONDITIONS, PARTNER, VARIANTS
from mirror_ray.families.dyad.metrics import METRICS
from mirror_ray.families.dyad.play import max_asks, play
from mirror_ray.families.dyad.settings import AXES

FAMILY = Family(
    name="dyad",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("self-finder", "roamer"),
    structured=structured_of,
    scoring=Scoring("correct", scene_of),
    beside={PARTNER: tuple(name for name, one in CONDITIONS.items() if one.other == "mind")},
    metrics=METRICS,
)
