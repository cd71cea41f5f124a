"""selfid: can an embodied agent tell, in a mirror, who it is? (arXiv 2605.08816, E1–E5)"""

from mirror_ray.asking.axes import structured_of
from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.families.selfid.branching import listings
from mirror_ray.families.selfid.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.selfid.conditions import CONDITIONS, VARIANTS
from mirror_ray.families.selfid.metrics import METRICS
from mirror_ray.families.selfid.play import max_asks, play
from mirror_ray.families.selfid.settings import AXES, GLASS_AXES

_WITH_MIRROR = tuple(
    name for name, one in CONDITIONS.items() if one.reflector == "mirror" or one.parent
)
"""A branch begins as its parent's room, mirror included."""

FAMILY = Family(
    name="selfid",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    only_in={
        "clarified": tuple(
            name for name, one in CONDITIONS.items() if not (one.cubes or one.glance)
        ),
        "obstacles": tuple(name for name, one in CONDITIONS.items() if not one.glance),
        "others": tuple(name for name, one in CONDITIONS.items() if one.others),
        "channel": tuple(
            name for name, one in CONDITIONS.items() if one.cubes and one.parent is None
        ),
        "branch_at": tuple(name for name, one in CONDITIONS.items() if one.parent),
        "max_steps": tuple(name for name, one in CONDITIONS.items() if not one.glance),
        "history": tuple(name for name, one in CONDITIONS.items() if not one.glance),
        "frames": tuple(name for name, one in CONDITIONS.items() if not one.glance),
        "body_color": tuple(name for name, one in CONDITIONS.items() if one.parent is None),
        "cube_places": tuple(
            name for name, one in CONDITIONS.items() if one.cubes and one.parent is None
        ),
        "mirror_distance_m": tuple(name for name, one in CONDITIONS.items() if one.glance),
        "mirror_tilt_deg": tuple(name for name in _WITH_MIRROR if not (CONDITIONS[name].others)),
        **dict.fromkeys(GLASS_AXES, _WITH_MIRROR),
    },
    apart={"language": {"channel": "how sure a model is is asked in English"}},
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("observer", "mute"),
    listings=listings(),
    structured=structured_of,
    scoring=Scoring("tsa", scene_of),
    metrics=METRICS,
)
