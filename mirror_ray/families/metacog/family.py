"""metacog: does a model know what it knows, and act on it? (arXiv 2604.19809, experiments 1–9)"""

from mirror_ray.contract.family import Family
from mirror_ray.families.metacog.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.metacog.conditions import CONDITIONS, EXPERIMENTS_OF_SETTING, VARIANTS
from mirror_ray.families.metacog.listing import LISTING_OPTIONS, LISTINGS, listing_by_axes
from mirror_ray.families.metacog.metrics import METRICS
from mirror_ray.families.metacog.play import max_asks, play
from mirror_ray.families.metacog.settings import AXES

FAMILY = Family(
    name="metacog",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    only_in=EXPERIMENTS_OF_SETTING,
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=play,
    max_asks=max_asks,
    sampled_by=("calibrated", "overconfident"),
    rehearsed_by="guesser",
    draws=False,
    listings=LISTINGS,
    listing_by_axes=listing_by_axes,
    options=LISTING_OPTIONS,
    metrics=METRICS,
)
