"""dyad: two models in one room, each with its own body and view, take turns; whom does each take
for itself?

A round-robin design after the social relations model of D. A. Kenny: every model is subject and
partner. The task is that of selfid (arXiv 2605.08816) in words of our own.
"""

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
