"""mirrorqa: left and right in the subject's own frame, direct or mirrored ("MirrorQA")."""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring
from mirror_ray.contract.family_files import family_files
from mirror_ray.contract.listing import Listing
from mirror_ray.families.mirrorqa.listing import rows_of_folder
from mirror_ray.families.mirrorqa.play import max_asks, play
from mirror_ray.families.mirrorqa.questions import unit_of, what_is_shown

FAMILY = Family(
    **family_files("mirrorqa"),
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("viewer-frame", "coin"),
    shows=what_is_shown,
    listings={"data": Listing(episodes=rows_of_folder, in_order=True)},
    scoring=Scoring("accuracy", unit_of),
)
