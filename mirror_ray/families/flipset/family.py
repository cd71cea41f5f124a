"""FlipSet: can a model read a card as the monkey opposite sees it? (arXiv 2602.15892)"""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring
from mirror_ray.contract.listing import Listing
from mirror_ray.families.flipset.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.flipset.conditions import CONDITIONS, VARIANTS
from mirror_ray.families.flipset.metrics import METRICS
from mirror_ray.families.flipset.play import max_asks, play
from mirror_ray.families.flipset.settings import AXES
from mirror_ray.families.flipset.trials import list_episodes, unit_of, what_is_shown

FAMILY = Family(
    name="flipset",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    only_in=dict.fromkeys(
        ("layouts", "strings", "scene"),
        tuple(name for name, one in CONDITIONS.items() if one.question != "visible"),
    )
    | {"alone": ("MR",)},
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("rotator", "position-biased"),
    shows=what_is_shown,
    listings=dict.fromkeys(CONDITIONS, Listing(list_episodes)),
    scoring=Scoring("accuracy", unit_of),
    metrics=METRICS,
)
