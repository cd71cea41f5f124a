-- grain: one row per family, variant
-- held: whole
-- What a variant's label stands for, as its episodes say it; NULL where those of versions without
-- an axis do not.
select
    family,
    variant,
    any_value(history) as history,
    any_value(frames) as frames,
    any_value(mirror_called) as mirror_called,
    any_value(language) as language,
    any_value(body_color) as body_color,
    any_value(cube_places) as cube_places,
    any_value(look) as look,
    any_value(mirror_side_m) as mirror_side_m,
    any_value(mirror_tilt_deg) as mirror_tilt_deg,
    any_value(mirror_reflectance) as mirror_reflectance,
    any_value(mirror_tint) as mirror_tint,
    any_value(mirror_blur_deg) as mirror_blur_deg,
    any_value(mirror_cover) as mirror_cover,
    any_value(mirrors) as mirrors,
    any_value(mirror_distance_m) as mirror_distance_m,
    any_value(width_px) as width_px,
    any_value(height_px) as height_px,
    any_value(fov_deg) as fov_deg,
    any_value(encoding) as encoding,
    any_value(max_steps) as max_steps,
    any_value(structured) as structured,
    any_value(others) as others,
    any_value(channel) as channel
from stage.selfid_episodes_axes
group by family, variant
