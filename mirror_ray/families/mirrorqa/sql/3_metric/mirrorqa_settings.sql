-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
        any_value(shots) as shots,
        any_value(circular) as circular,
        any_value(text_only) as text_only,
        -- The public pictures have sizes of their own.
        any_value(image_width_px) filter (where split is null) as width_px,
        any_value(image_height_px) filter (where split is null) as height_px,
        any_value(encoding) as encoding,
        any_value(coalesce(channel, 'natural')) as channel
    from stage.mirrorqa_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'shots', 'value': shots::varchar},
        {'axis': 'circular', 'value': circular::varchar},
        {'axis': 'text_only', 'value': text_only::varchar},
        {'axis': 'image', 'value': width_px || 'x' || height_px},
        {'axis': 'encoding', 'value': encoding},
        {'axis': 'channel', 'value': channel}
    ], recursive := true)
from labels
