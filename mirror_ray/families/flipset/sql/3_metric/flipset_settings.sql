-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
        any_value(prompting) as prompting,
        any_value(layouts) as layouts,
        any_value(strings) as strings,
        any_value(angle_deg) as angle_deg,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(encoding) as encoding,
        any_value(coalesce(channel, 'natural')) as channel
    from stage.flipset_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'prompting', 'value': prompting},
        {'axis': 'layouts', 'value': layouts::varchar},
        {'axis': 'strings', 'value': strings},
        {'axis': 'angle_deg', 'value': angle_deg::varchar},
        {'axis': 'image', 'value': width_px || 'x' || height_px},
        {'axis': 'encoding', 'value': encoding},
        {'axis': 'channel', 'value': channel}
    ], recursive := true)
from labels
