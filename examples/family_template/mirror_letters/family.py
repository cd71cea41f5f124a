"""The family, as sweeps, the engine and the analysis use it."""

from mirror_letters.play import max_asks, play
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.contract.family_files import family_files

FAMILY = Family(
    **family_files("letters"),
    play=play,
    max_asks=max_asks,
    sampled_by=("letters-reader", "letters-copier"),
    draws=False,
    scoring=Scoring("accuracy", scene_of),
)
