-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, including defaults.
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
        },
        {'axis': 'picture', 'value': macro.picture_of(variant)}
    ], recursive := true)
from stage.selfid_episodes_labels
