"""metacog: does a model know what it knows, and act on it? (arXiv 2604.19809, experiments 1–9)"""

from mirror_ray.contract.family import Family
from mirror_ray.contract.family_files import family_files
from mirror_ray.families.metacog.listing import LISTINGS, listing_by_axes
from mirror_ray.families.metacog.play import max_asks, play

FAMILY = Family(
    **family_files("metacog"),
    play=play,
    max_asks=max_asks,
    sampled_by=("calibrated", "overconfident"),
    rehearsed_by="guesser",
    draws=False,
    listings=LISTINGS,
    listing_by_axes=listing_by_axes,
)
