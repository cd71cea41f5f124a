"""marktest's columns besides the common ones. What was not answered, seen or touched is NULL."""

import pyarrow as pa

_FACTS = pa.schema(
    [
        # Pixels of the mark, seen in the mirror and seen directly, on any surface.
        pa.field("mark_reflection_px", pa.int32()),
        pa.field("mark_direct_px", pa.int32()),
        # The own body without its arms; the right arm, which moves; the left arm, seen directly.
        pa.field("own_reflection_px", pa.int32()),
        pa.field("own_direct_px", pa.int32()),
        pa.field("hand_reflection_px", pa.int32()),
        pa.field("hand_direct_px", pa.int32()),
        pa.field("left_arm_px", pa.int32()),
        pa.field("other_px", pa.int32()),
        pa.field("mirror_px", pa.int32()),
    ]
)
"""Ground truth of the frame."""

FACT_COLUMNS = tuple(_FACTS.names)

STEP_COLUMNS = pa.schema(
    [
        pa.field("action", pa.string()),
        # The hand's middle when the frame was taken, before the action: ahead of, left of and above
        # the floor below the own neck; and its distance from the mark's middle, NULL without one.
        pa.field("hand_x_m", pa.float64()),
        pa.field("hand_y_m", pa.float64()),
        pa.field("hand_z_m", pa.float64()),
        pa.field("hand_mark_m", pa.float64()),
        # A move that was not carried out.
        pa.field("blocked", pa.bool_()),
        # Of a touch, what the hand was at: mark; place (of the own body, where a mark would be, and
        # is not); counterpart (the place opposite that one); body; image (the mirror's surface
        # where the place is seen); surface; other; air.
        pa.field("touched", pa.string()),
        # What the model noticed, and how it was read: own, other, glass, nothing, unclear.
        pa.field("noticed", pa.string()),
        pa.field("claim", pa.string()),
        # What the words take the image before them for: self or other.
        pa.field("image_as", pa.string()),
        *_FACTS,
        pa.field("view_description", pa.string()),
        pa.field("thought", pa.string()),
    ]
)

EPISODE_COLUMNS = pa.schema(
    [
        # own, nothing, other, glass or hand; where on the body; its colour.
        pa.field("marked", pa.string()),
        pa.field("site", pa.string()),
        pa.field("mark_color", pa.string()),
        # mirror, panel or none; whether another body faces the agent.
        pa.field("reflector", pa.string()),
        pa.field("opposite", pa.bool_()),
        # The fewest steps that bring the hand to where it touches the place.
        pa.field("least_steps", pa.int32()),
        pa.field("help", pa.string()),
        pa.field("history", pa.int32()),
        pa.field("max_steps", pa.int32()),
        pa.field("image_width_px", pa.int32()),
        pa.field("image_height_px", pa.int32()),
        pa.field("encoding", pa.string()),
    ]
)
