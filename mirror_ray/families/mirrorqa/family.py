"""mirrorqa: left and right in the subject's own frame, direct or mirrored ("MirrorQA")."""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring
from mirror_ray.contract.listing import Listing
from mirror_ray.families.mirrorqa.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.mirrorqa.listing import rows_of_folder
from mirror_ray.families.mirrorqa.metrics import METRICS
from mirror_ray.families.mirrorqa.play import max_asks, play
from mirror_ray.families.mirrorqa.questions import unit_of, what_is_shown
from mirror_ray.families.mirrorqa.settings import AXES, CONDITIONS, OPTION_COUNTS, VARIANTS

FAMILY = Family(
    name="mirrorqa",
    conditions=CONDITIONS,
    variants=VARIANTS,
    axes=AXES,
    only_in=dict.fromkeys(("image", "dog_options", "picture"), ("sim", "sim-reflected")),
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("viewer-frame", "coin"),
    shows=what_is_shown,
    listings={"data": Listing(episodes=rows_of_folder, in_order=True)},
    options=OPTION_COUNTS,
    scoring=Scoring("accuracy", unit_of),
    metrics=METRICS,
)
