"""contingency: which of three images moves with me, regardless of how it looks?

After the displays of L. E. Bahrick and J. S. Watson (1985), in which infants distinguish a live
picture of their own legs from a recorded one.
"""

from mirror_ray.asking.picture import with_picture_axis
from mirror_ray.contract.family import Family, Scoring, scene_of
from mirror_ray.families.contingency.columns import EPISODE_COLUMNS, FACT_COLUMNS, STEP_COLUMNS
from mirror_ray.families.contingency.conditions import CONDITIONS, VARIANTS
from mirror_ray.families.contingency.metrics import METRICS
from mirror_ray.families.contingency.play import max_asks, play
from mirror_ray.families.contingency.settings import AXES

FAMILY = Family(
    name="contingency",
    conditions={name: condition.meaning for name, condition in CONDITIONS.items()},
    variants=VARIANTS,
    axes=AXES,
    only_in={
        "delay": tuple(
            name
            for name, condition in CONDITIONS.items()
            if any(image.follows == "later" for image in condition.images)
        )
    },
    step_columns=STEP_COLUMNS,
    episode_columns=EPISODE_COLUMNS,
    fact_columns=FACT_COLUMNS,
    play=with_picture_axis(play),
    max_asks=max_asks,
    sampled_by=("contingency-tester", "place-guesser"),
    scoring=Scoring("correct", scene_of),
    metrics=METRICS,
)
