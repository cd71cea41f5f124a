"""contingency: which of three images moves with me, regardless of its looks?

After the displays of L. E. Bahrick and J. S. Watson (1985), in which infants distinguish a live
picture of their own legs from a recorded one."""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.contract.family_files import family_files
from mirror_ray.families.contingency.conditions import CONDITIONS
from mirror_ray.families.contingency.play import max_asks, play

_WITH_DELAY = tuple(
    name
    for name, condition in CONDITIONS.items()
    if any(image.follows == "later" for image in condition.images)
)

FAMILY = Family(
    **family_files("contingency"),
    only_in={"delay": _WITH_DELAY},
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("contingency-tester", "place-guesser"),
    scoring=Scoring("correct", scene_of),
)
