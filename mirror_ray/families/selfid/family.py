"""selfid: can an embodied agent tell who it is in a mirror? (arXiv 2605.08816, E1–E5)"""

from collections.abc import Callable

from mirror_ray.asking.axes import structured_of
from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.contract.family_files import family_files
from mirror_ray.families.selfid.branching import listings
from mirror_ray.families.selfid.conditions import CONDITIONS, Condition
from mirror_ray.families.selfid.play import max_asks, play
from mirror_ray.families.selfid.settings import GLASS_AXES


def _where(fits: Callable[[Condition], bool]) -> tuple[str, ...]:
    return tuple(name for name, condition in CONDITIONS.items() if fits(condition))


# A branch starts as its parent's room, including the mirror.
_WITH_MIRROR = _where(lambda one: one.reflector == "mirror" or bool(one.parent))
_WALKED = _where(lambda one: not one.glance)
_WITH_OWN_CUBES = _where(lambda one: one.cubes and not one.parent)

FAMILY = Family(
    **family_files("selfid"),
    only_in={
        "clarified": _where(lambda one: not one.cubes and not one.glance),
        "others": _where(lambda one: one.others),
        "branch_at": _where(lambda one: bool(one.parent)),
        "body_color": _where(lambda one: not one.parent),
        "mirror_distance_m": _where(lambda one: one.glance),
        "mirror_tilt_deg": tuple(name for name in _WITH_MIRROR if not CONDITIONS[name].others),
        **dict.fromkeys(("obstacles", "max_steps", "history", "frames"), _WALKED),
        **dict.fromkeys(("channel", "cube_places"), _WITH_OWN_CUBES),
        **dict.fromkeys(GLASS_AXES, _WITH_MIRROR),
    },
    apart={"language": {"channel": "how sure a model is is asked in English"}},
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("observer", "mute"),
    listings=listings(),
    structured=structured_of,
    scoring=Scoring("tsa", scene_of),
)
