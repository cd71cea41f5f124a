"""selfid: can an embodied agent tell, in a mirror, who it is? (arXiv 2605.08816, E1–E5)"""

from mirror_ray.columns.selfid import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.tasks.family import Family, Scoring, scene_of
from mirror_ray.tasks.selfid.branching import listings
from mirror_ray.tasks.selfid.conditions import CONDITIONS, VARIANTS
from mirror_ray.tasks.selfid.play import max_asks, play
from mirror_ray.tasks.selfid.settings import AXES, EDITION, structured_of

FAMILY = Family(
    name="selfid",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    only_in={
        "clarified": tuple(name for name, one in CONDITIONS.items() if not one.cubes),
        "others": tuple(name for name, one in CONDITIONS.items() if one.others),
        "channel": tuple(
            name for name, one in CONDITIONS.items() if one.cubes and one.parent is None
        ),
        "branch_at": tuple(name for name, one in CONDITIONS.items() if one.parent),
    },
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=play,
    max_asks=max_asks,
    sampled_by=("observer", "mute"),
    listings=listings(),
    edition=EDITION,
    structured=structured_of,
    scoring=Scoring("tsa", scene_of),
)
