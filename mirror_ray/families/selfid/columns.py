"""selfid's columns besides the common ones (design: records)."""

import pyarrow as pa

from mirror_ray.asking import channel_columns as channel

STEP_COLUMNS = pa.schema(
    [
        pa.field("action", pa.string()),
        # In the model's own words, interpreted by the SQL macro `claim`.
        pa.field("identification", pa.string()),
        # The English word for what the model commits to, if it was written in another language;
        # else NULL.
        pa.field("identification_english", pa.string()),
        pa.field("selected_cube", pa.string()),
        # The pose at which the frame was taken, before the action.
        pa.field("x_m", pa.float64()),
        pa.field("y_m", pa.float64()),
        pa.field("yaw_deg", pa.float64()),
        # True when this step's own action was blocked.
        pa.field("bumped", pa.bool_()),
        # What blocked it: wall, cube, agent or clutter; none if nothing did.
        pa.field("blocked_by", pa.string()),
        # Ground truth of the frame, in pixels. `mirror_px`: the mirror's visible surface,
        # including what it shows. Lists follow the scene's order of others, cubes and clutter.
        pa.field("mirror_px", pa.int32()),
        pa.field("ego_reflection_px", pa.int32()),
        pa.field("other_reflection_px", pa.list_(pa.int32())),
        pa.field("other_px", pa.list_(pa.int32())),
        pa.field("cube_reflection_px", pa.list_(pa.int32())),
        pa.field("cube_px", pa.list_(pa.int32())),
        pa.field("clutter_reflection_px", pa.int32()),
        pa.field("clutter_px", pa.int32()),
        pa.field("ego_direct_px", pa.int32()),
        pa.field("view_description", pa.string()),
        pa.field("thought", pa.string()),
        pa.field("summary", pa.string()),
        *channel.STEP_COLUMNS,
    ]
)

FACT_COLUMNS = tuple(name for name in STEP_COLUMNS.names if name.endswith("_px"))

EPISODE_COLUMNS = pa.schema(
    [
        pa.field("ego_color", pa.string()),
        pa.field("cube_colors", pa.list_(pa.string())),
        # The centres of these, in the same order.
        pa.field("cube_x_m", pa.list_(pa.float64())),
        pa.field("cube_y_m", pa.list_(pa.float64())),
        pa.field("wrong_color", pa.string()),
        pa.field("n_others", pa.int32()),
        pa.field("other_colors", pa.list_(pa.string())),
        pa.field("mirror_wall", pa.string()),
        pa.field("mirror_present", pa.bool_()),
        pa.field("start_x_m", pa.float64()),
        pa.field("start_y_m", pa.float64()),
        pa.field("start_yaw_deg", pa.float64()),
        pa.field("first_frame_mirror", pa.bool_()),
        pa.field("near_at_done", pa.bool_()),
        pa.field("image_width_px", pa.int32()),
        pa.field("image_height_px", pa.int32()),
        pa.field("fov_deg", pa.float64()),
        pa.field("history", pa.int32()),
        # NULL in rows of versions without these axes: 1 and mirror.
        pa.field("frames", pa.int32()),
        pa.field("mirror_called", pa.string()),
        # NULL in rows of versions without the axis: en.
        pa.field("language", pa.string()),
        # NULL in rows of versions without these axes: the places were drawn, the look plain, and
        # the mirror perfect with an edge of 2 m. Places are NULL without cubes; the mirror's
        # properties without a mirror; its distance if the ego begins anywhere.
        pa.field("body_color", pa.string()),
        pa.field("cube_places", pa.string()),
        pa.field("look", pa.string()),
        pa.field("mirror_side_m", pa.float64()),
        pa.field("mirror_tilt_deg", pa.float64()),
        pa.field("mirror_reflectance", pa.float64()),
        pa.field("mirror_tint", pa.string()),
        pa.field("mirror_blur_deg", pa.float64()),
        pa.field("mirror_cover", pa.float64()),
        pa.field("mirrors", pa.int32()),
        pa.field("mirror_distance_m", pa.float64()),
        pa.field("encoding", pa.string()),
        pa.field("max_steps", pa.int32()),
        # The format that the provider was asked to enforce, and how the others were painted (NULL
        # without others).
        pa.field("structured", pa.string()),
        pa.field("others", pa.string()),
        # For a branch: its parent episode, and the step after which it begins. The branch's step
        # numbers continue from there; the parent has the earlier ones.
        pa.field("parent_id", pa.string()),
        pa.field("branch_step", pa.int32()),
        *channel.EPISODE_COLUMNS,
    ]
)
