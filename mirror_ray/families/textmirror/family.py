"""textmirror: does a model notice the foreign sentence in its own story? ("Mirror Test for Large
Language Models")

A pipeline of stages: seeds → stories → revisions → recognition. Each episode asks one model once;
the authors of earlier texts are part of the episode's given data.
"""

from mirror_ray.contract.family import Family
from mirror_ray.families.textmirror.columns import EPISODE_COLUMNS, STEP_COLUMNS
from mirror_ray.families.textmirror.conditions import AXES, CONDITIONS, ONLY_IN, OPTIONS, VARIANTS
from mirror_ray.families.textmirror.listings import LISTINGS
from mirror_ray.families.textmirror.metrics import METRICS
from mirror_ray.families.textmirror.play import max_asks, play

FAMILY = Family(
    name="textmirror",
    conditions=CONDITIONS,
    variants=VARIANTS,
    axes=AXES,
    only_in=ONLY_IN,
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=(),
    play=play,
    max_asks=max_asks,
    sampled_by=("ornate", "careless"),
    draws=False,
    listings=LISTINGS,
    options=OPTIONS,
    metrics=METRICS,
)
