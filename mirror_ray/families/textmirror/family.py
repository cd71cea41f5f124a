"""textmirror: does a model notice the foreign sentence in its own story?

A pipeline of stages: seeds → stories → revisions → recognition. Each episode asks one model once.
The authors of earlier texts are part of what an episode is `given`."""

from mirror_ray.contract.family import Family
from mirror_ray.contract.family_files import family_files
from mirror_ray.families.textmirror.listings import LISTINGS
from mirror_ray.families.textmirror.play import max_asks, play

FAMILY = Family(
    **family_files("textmirror"),
    play=play,
    max_asks=max_asks,
    sampled_by=("ornate", "careless"),
    draws=False,
    listings=LISTINGS,
)
