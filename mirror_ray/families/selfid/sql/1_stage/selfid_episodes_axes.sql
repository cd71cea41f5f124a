-- grain: one row per family, variant, episode_id
-- held: by parts
-- The values of a variant's axes, according to its episodes, for `selfid_episodes_labels`. If held
-- by parts, each part has separate rows. episode_id: only for episodes that were played again,
-- whose latest take may be in another part; the others of a variant are one row, with NULL.
select
    facts.family,
    facts.variant,
    again.episode_id,
    any_value(history) as history,
    any_value(coalesce(frames, 1)) as frames,
    any_value(coalesce(mirror_called, 'mirror')) as mirror_called,
    any_value(coalesce(language, 'en')) as language,
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
    any_value(image_width_px) as width_px,
    any_value(image_height_px) as height_px,
    any_value(fov_deg) as fov_deg,
    any_value(encoding) as encoding,
    any_value(max_steps) as max_steps,
    any_value(structured) as structured,
    any_value(others) as others,
    any_value(coalesce(channel, 'natural')) as channel
from stage.selfid_episodes as facts
left join stage.selfid_again as again using (episode_id)
group by facts.family, facts.variant, again.episode_id
