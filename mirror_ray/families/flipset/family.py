"""FlipSet: can a model read a card as the monkey opposite sees it? (arXiv 2602.15892)"""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring
from mirror_ray.contract.family_files import family_files
from mirror_ray.contract.listing import Listing
from mirror_ray.families.flipset.conditions import CONDITIONS
from mirror_ray.families.flipset.play import max_asks, play
from mirror_ray.families.flipset.trials import list_episodes, unit_of, what_is_shown

FAMILY = Family(
    **family_files("flipset"),
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("rotator", "position-biased"),
    shows=what_is_shown,
    listings=dict.fromkeys(CONDITIONS, Listing(list_episodes)),
    scoring=Scoring("accuracy", unit_of),
)
