-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
        any_value(history) as history,
        any_value(coalesce(frames, 1)) as frames,
        any_value(coalesce(mirror_called, 'mirror')) as mirror_called,
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
