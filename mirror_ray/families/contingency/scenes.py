"""The scene of an episode of contingency, drawn from (scene seed, run) alone.

The conditions of one scene share the person, the three shirts, the place of one's own image, the
move that a twin reverses, and the moves of independent persons. In any three consecutive seeds,
one's own image is at each place once."""

from dataclasses import dataclass

from mirror_ray.contract.family_files import axes_of
from mirror_ray.core.identity import EpisodeSpec, seeded
from mirror_ray.families.contingency.conditions import CONDITIONS, ScreenImage, Wears
from mirror_ray.families.contingency.moving import WAYS, HandMove
from mirror_ray.world.reaching.scene import Person
from mirror_ray.world.screens.scene import PLACES, ScreenSide
from sim_assets.figures import LOOKS

_SHIRTS = ("red", "yellow", "green", "blue", "purple", "pink")
GLOVE = "cyan"

_MOST_MOVES = int(axes_of("contingency")["max_steps"].maximum or 0)


@dataclass(frozen=True, slots=True)
class Screens:
    """Who is on the screens, and how their hands move.

    Args:
        images: from the left screen to the right one.
        own: where one's own image is; None if it is not shown.
        shirts: shirt → its colour.
        other_way: the move that a twin of `all_but_one` reverses.
        wills: the independent moves of each screen's hand, from left to right.
    """

    images: tuple[ScreenImage, ScreenImage, ScreenImage]
    own: ScreenSide | None
    look: int
    shirts: dict[Wears, str]
    other_way: HandMove
    wills: tuple[tuple[HandMove, ...], ...]

    def dressed(self, image: ScreenImage) -> Person:
        """Return the person on a screen."""
        return Person(self.look, self.shirts[image.wears], GLOVE)


def sample_screens(spec: EpisodeSpec) -> Screens:
    """Return the scene of an episode: equal for every model, variant and axis."""
    condition = CONDITIONS[spec.cell.condition]
    rng = spec.scene_rng("screens")
    look = int(rng.integers(len(LOOKS)))
    own, second, third = (_SHIRTS[place] for place in rng.permutation(len(_SHIRTS))[:3])
    order = _order(spec)
    other_way = WAYS[int(rng.integers(len(WAYS)))]
    wills = tuple(
        tuple(WAYS[int(way)] for way in rng.integers(len(WAYS), size=_MOST_MOVES)) for _ in PLACES
    )
    first, middle, last = (condition.images[number] for number in order)
    return Screens(
        images=(first, middle, last),
        own=PLACES[order.index(0)] if condition.has_own else None,
        look=look,
        shirts={"own": own, "second": second, "third": third},
        other_way=other_way,
        wills=wills,
    )


def _order(spec: EpisodeSpec) -> list[int]:
    """Return the condition's image for each screen. The place of the first image is balanced."""
    block, turn = divmod(spec.scene_seed, len(PLACES))
    places = seeded("contingency places", spec.run, block).permutation(len(PLACES))
    order = [1, 2]
    if spec.scene_rng("others").integers(2):
        order.reverse()
    order.insert(int(places[turn]), 0)
    return order
