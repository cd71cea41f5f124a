"""dyad's columns besides the common ones. What was not answered, not seen or not said is NULL.

A step is one turn of one of the two: its `role` says whose, its `model` which model was asked.
"""

import pyarrow as pa

_FACTS = pa.schema(
    [
        # Ground truth of the frame that this turn was shown, in pixels; own is whose turn it is.
        # Lists have one other, and the cubes in the episode's order.
        pa.field("mirror_px", pa.int32()),
        pa.field("ego_reflection_px", pa.int32()),
        pa.field("other_reflection_px", pa.list_(pa.int32())),
        pa.field("other_px", pa.list_(pa.int32())),
        pa.field("cube_reflection_px", pa.list_(pa.int32())),
        pa.field("cube_px", pa.list_(pa.int32())),
        pa.field("ego_direct_px", pa.int32()),
    ]
)

FACT_COLUMNS = tuple(_FACTS.names)

STEP_COLUMNS = pa.schema(
    [
        # Which of this body's own steps it is, 1-based; `step` counts both bodies' turns.
        pa.field("own_step", pa.int32()),
        pa.field("action", pa.string()),
        # In the model's own words; what they claim is macro.claim's to say.
        pa.field("identification", pa.string()),
        pa.field("selected_cube", pa.string()),
        # The colour that it says the other has, as written if it names no colour.
        pa.field("tell", pa.string()),
        # What it had heard before its turn: the other's last word of its own colour, and of the
        # hearer's.
        pa.field("heard_of_other", pa.string()),
        pa.field("heard_of_own", pa.string()),
        # Poses at which the frame was taken, before the action.
        pa.field("x_m", pa.float64()),
        pa.field("y_m", pa.float64()),
        pa.field("yaw_deg", pa.float64()),
        pa.field("other_x_m", pa.float64()),
        pa.field("other_y_m", pa.float64()),
        pa.field("other_yaw_deg", pa.float64()),
        # True when this turn's own action was blocked, and by what: wall, cube, agent; else none.
        pa.field("bumped", pa.bool_()),
        pa.field("blocked_by", pa.string()),
        *_FACTS,
        pa.field("view_description", pa.string()),
        pa.field("thought", pa.string()),
        pa.field("summary", pa.string()),
    ]
)

EPISODE_COLUMNS = pa.schema(
    [
        # Who moves the other body: mind, still or wandering; the model, if it is a mind.
        pa.field("other", pa.string()),
        pa.field("partner", pa.string()),
        pa.field("subject_first", pa.bool_()),
        pa.field("talks", pa.bool_()),
        # The colours of the subject's body, of the other one, and of the cube of neither; the last
        # is NULL where both bodies have one colour.
        pa.field("own_color", pa.string()),
        pa.field("other_color", pa.string()),
        pa.field("third_color", pa.string()),
        pa.field("cube_colors", pa.list_(pa.string())),
        pa.field("cube_x_m", pa.list_(pa.float64())),
        pa.field("cube_y_m", pa.list_(pa.float64())),
        pa.field("mirror_wall", pa.string()),
        pa.field("mirror_present", pa.bool_()),
        pa.field("start_x_m", pa.float64()),
        pa.field("start_y_m", pa.float64()),
        pa.field("start_yaw_deg", pa.float64()),
        pa.field("other_start_x_m", pa.float64()),
        pa.field("other_start_y_m", pa.float64()),
        pa.field("other_start_yaw_deg", pa.float64()),
        # Whether the selected cube was near at done; NULL where no cube of the room was selected.
        pa.field("near_at_done", pa.bool_()),
        pa.field("partner_near_at_done", pa.bool_()),
        pa.field("image_width_px", pa.int32()),
        pa.field("image_height_px", pa.int32()),
        pa.field("history", pa.int32()),
        pa.field("encoding", pa.string()),
        pa.field("max_steps", pa.int32()),
        pa.field("structured", pa.string()),
    ]
)
