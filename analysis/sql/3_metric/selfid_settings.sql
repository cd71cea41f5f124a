-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
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
        -- Until the axis was there, the schema went to the models that take one.
        any_value(coalesce(structured, 'schema_where_taken')) as structured,
        any_value(others) as others,
        any_value(coalesce(channel, 'natural')) as channel
    from stage.selfid_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'history', 'value': history::varchar},
        {'axis': 'frames', 'value': frames::varchar},
        {'axis': 'mirror_called', 'value': mirror_called},
        {'axis': 'language', 'value': language},
        {'axis': 'body_color', 'value': coalesce(body_color, 'drawn')},
        {'axis': 'cube_places', 'value': coalesce(cube_places, 'drawn')},
        {'axis': 'look', 'value': coalesce(look, 'plain')},
        {'axis': 'mirror_side_m', 'value': coalesce(printf('%g', mirror_side_m), '2')},
        {'axis': 'mirror_tilt_deg', 'value': coalesce(printf('%g', mirror_tilt_deg), '0')},
        {'axis': 'mirror_reflectance', 'value': coalesce(printf('%g', mirror_reflectance), '1')},
        {'axis': 'mirror_tint', 'value': coalesce(mirror_tint, 'none')},
        {'axis': 'mirror_blur_deg', 'value': coalesce(printf('%g', mirror_blur_deg), '0')},
        {'axis': 'mirror_cover', 'value': coalesce(printf('%g', mirror_cover), '0')},
        {'axis': 'mirrors', 'value': coalesce(mirrors::varchar, '1')},
        {'axis': 'mirror_distance_m', 'value': coalesce(printf('%g', mirror_distance_m), '1.5')},
        {'axis': 'image', 'value': width_px || 'x' || height_px},
        {'axis': 'fov_deg', 'value': printf('%g', fov_deg)},
        {'axis': 'encoding', 'value': encoding},
        {'axis': 'max_steps', 'value': max_steps::varchar},
        {'axis': 'structured', 'value': structured},
        {'axis': 'channel', 'value': channel},
        {
            'axis': 'others',
            'value': coalesce(
                others, nullif(regexp_extract(variant, 'others=(\w+)', 1), ''), 'random'
            )
        },
        {
            'axis': 'branch_at',
            'value': coalesce(nullif(regexp_extract(variant, 'branch_at=(\d+)', 1), ''), '0')
        }
    ], recursive := true)
from labels
