"""mirrorqa: left and right in the subject's own frame, direct or mirrored ("MirrorQA")."""

from mirror_ray.tasks.family import Family, Listing
from mirror_ray.tasks.mirrorqa.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.tasks.mirrorqa.listing import rows_of_folder
from mirror_ray.tasks.mirrorqa.play import max_asks, play
from mirror_ray.tasks.mirrorqa.settings import AXES, CONDITIONS, OPTIONS, VARIANTS

FAMILY = Family(
    name="mirrorqa",
    conditions=CONDITIONS,
    variants=VARIANTS,
    axes=AXES,
    only_in={"image": ("sim", "sim-reflected")},
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=play,
    max_asks=max_asks,
    sampled_by=("viewer-frame", "coin"),
    listings={"data": Listing(episodes=rows_of_folder)},
    options=OPTIONS,
)
