"""The scene of an episode of marktest, drawn from (scene seed, run) alone.

The conditions of one scene share the bodies' looks, the site, the mark's colour and the hand's
first place, and differ only in what they manipulate. No mark has the colour of a shirt."""

from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.families.marktest.conditions import CONDITIONS
from mirror_ray.world.reaching.body import SITES, LatticeCell, Site
from mirror_ray.world.reaching.scene import MIRROR_Z_M, MarkScene, Person
from sim_assets.figures import LOOKS

MARK_COLORS = ("green", "blue", "cyan", "purple")
_SHIRTS = ("white", "yellow", "red", "pink")

_SITES: tuple[Site, ...] = tuple(SITES)
_STARTS = tuple(
    LatticeCell(ahead, left, up) for ahead in (4, 5) for left in (-3, -2, -1) for up in (-4, -3, -2)
)
_ON_GLASS_Y_M = (-0.2, -0.14, 0.14)
"""Places next to the image of one's own head, within the right arm's reach."""
_ON_GLASS_ABOVE_M = (0.12, 0.16, 0.2)


def sample_scene(spec: EpisodeSpec) -> tuple[MarkScene, LatticeCell]:
    """Return an episode's scene and the hand's first place, equal for every model and variant."""
    condition = CONDITIONS[spec.cell.condition]
    rng = spec.scene_rng("mark")

    def one_of(choices: int) -> int:
        return int(rng.integers(choices))

    own, other = (Person(one_of(len(LOOKS)), _SHIRTS[one_of(len(_SHIRTS))]) for _ in range(2))
    scene = MarkScene(
        own=own,
        reflector=condition.reflector,
        marked=condition.marked,
        site=_SITES[one_of(len(_SITES))],
        mark_color=MARK_COLORS[one_of(len(MARK_COLORS))],
        glass_y_m=_ON_GLASS_Y_M[one_of(len(_ON_GLASS_Y_M))],
        glass_z_m=round(MIRROR_Z_M + _ON_GLASS_ABOVE_M[one_of(len(_ON_GLASS_ABOVE_M))], 3),
        other=other if condition.opposite else None,
    )
    return scene, _STARTS[one_of(len(_STARTS))]
