"""MirrorQA's columns besides the common ones."""

import pyarrow as pa

from mirror_ray.asking import channel_columns as channel

_FACTS = pa.schema(
    [
        # Which candidate shot was used, from 0, and the direction from which the subject is seen:
        # azimuth anticlockwise from where it faces, 0 from ahead, 90 from its left.
        pa.field("shot", pa.int32()),
        pa.field("azimuth_deg", pa.float64()),
        pa.field("elevation_deg", pa.float64()),
        pa.field("distance_m", pa.float64()),
        # The visible pixels of the limb in the region asked about, and those that something in
        # front of it hides.
        pa.field("limb_px", pa.int32()),
        pa.field("limb_hidden_px", pa.int32()),
        # Its owner's pixels, there and outside the mirror.
        pa.field("subject_px", pa.int32()),
        pa.field("subject_height_px", pa.int32()),
        pa.field("subject_direct_px", pa.int32()),
        pa.field("mirror_px", pa.int32()),
        # How far the limb's middle is to the right of its owner's.
        pa.field("limb_right_px", pa.float64()),
    ]
)
"""Ground truth of the simulation's picture; NULL for the public data and without a picture."""

FACT_COLUMNS = tuple(_FACTS.names)

STEP_COLUMNS = pa.schema(
    [
        # By how many places the options were shifted to the left, and the order in which they were
        # then offered.
        pa.field("shift", pa.int32()),
        pa.field("options", pa.list_(pa.string())),
        # NULL if the reply names no option; position from 1.
        pa.field("choice", pa.string()),
        pa.field("choice_position", pa.int32()),
        pa.field("answer_position", pa.int32()),
        pa.field("correct", pa.bool_()),
        *_FACTS,
        *channel.STEP_COLUMNS,
    ]
)

EPISODE_COLUMNS = pa.schema(
    [
        pa.field("item", pa.string()),
        pa.field("split", pa.string()),
        pa.field("quirks", pa.list_(pa.string())),
        pa.field("kind", pa.string()),
        pa.field("orientation", pa.string()),
        pa.field("question", pa.string()),
        pa.field("n_options", pa.int32()),
        pa.field("answer", pa.string()),
        # For simulated items: what is asked about, whether the limb is raised or wears something,
        # how the subject is seen, and the option that is right in the viewer's frame, i.e. the side
        # of the picture on which the limb is seen.
        pa.field("part", pa.string()),
        pa.field("mark", pa.string()),
        pa.field("facing", pa.string()),
        pa.field("flank", pa.string()),
        pa.field("shown", pa.string()),
        pa.field("n_subjects", pa.int32()),
        pa.field("viewer_answer", pa.string()),
        pa.field("shots", pa.int32()),
        pa.field("circular", pa.bool_()),
        pa.field("text_only", pa.bool_()),
        pa.field("image_width_px", pa.int32()),
        pa.field("image_height_px", pa.int32()),
        pa.field("encoding", pa.string()),
        *channel.EPISODE_COLUMNS,
    ]
)
