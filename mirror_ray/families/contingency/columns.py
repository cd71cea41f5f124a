"""contingency's columns besides the common ones. What was not answered or seen is NULL."""

import pyarrow as pa

_FACTS = pa.schema(
    [
        # Of each screen of the current picture, from left to right: the moving arm's pixels, and
        # the middle of them within the frame; NULL where none is seen.
        pa.field("hand_px", pa.list_(pa.int32())),
        pa.field("hand_x_px", pa.list_(pa.float64())),
        pa.field("hand_y_px", pa.list_(pa.float64())),
    ]
)
"""Ground truth of the frame."""

FACT_COLUMNS = tuple(_FACTS.names)

STEP_COLUMNS = pa.schema(
    [
        # left, right, up, down or stay.
        pa.field("move", pa.string()),
        # left, middle, right, none or unsure.
        pa.field("answer", pa.string()),
        # The hand was elsewhere than where it began when the picture was taken.
        pa.field("has_moved", pa.bool_()),
        # Of each screen, whether its hand is elsewhere than the own image's; NULL without one.
        pa.field("differs", pa.list_(pa.bool_())),
        *_FACTS,
        pa.field("view_description", pa.string()),
        pa.field("thought", pa.string()),
    ]
)

EPISODE_COLUMNS = pa.schema(
    [
        # Where the own image is: left, middle, right, or none.
        pa.field("own_place", pa.string()),
        # Of each screen, how its hand moves (now, last, later, never, all_but_one, another), and
        # which shirt it wears (own, second, third).
        pa.field("follows", pa.list_(pa.string())),
        pa.field("wears", pa.list_(pa.string())),
        pa.field("own_shirt", pa.string()),
        pa.field("delay", pa.int32()),
        pa.field("frames", pa.int32()),
        pa.field("history", pa.int32()),
        pa.field("max_steps", pa.int32()),
        pa.field("image_width_px", pa.int32()),
        pa.field("image_height_px", pa.int32()),
        pa.field("encoding", pa.string()),
    ]
)
