"""marktest: the mark test of self-recognition, played with a hand (after G. G. Gallup, 1970)."""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.contract.family_files import family_files
from mirror_ray.families.marktest.play import max_asks, play

FAMILY = Family(
    **family_files("marktest"),
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("mark-observer", "mark-blind"),
    scoring=Scoring("passed", scene_of),
)
