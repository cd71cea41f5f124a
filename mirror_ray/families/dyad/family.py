"""dyad: two models in a room, each with a body and a view, take turns; which body is whose?

A round-robin design after the social relations model of D. A. Kenny: every model is subject and
partner. The task is selfid's (arXiv 2605.08816), in our own words."""

from mirror_ray.asking.axes import structured_of
from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.contract.family_files import family_files
from mirror_ray.families.dyad.conditions import CONDITIONS, PARTNER
from mirror_ray.families.dyad.play import max_asks, play

FAMILY = Family(
    **family_files("dyad"),
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("self-finder", "roamer"),
    structured=structured_of,
    scoring=Scoring("correct", scene_of),
    beside={PARTNER: tuple(name for name, one in CONDITIONS.items() if one.other == "mind")},
)
