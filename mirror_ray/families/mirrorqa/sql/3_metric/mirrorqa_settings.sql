-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, including defaults.
select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'shots', 'value': any_value(shots)::varchar},
        {'axis': 'circular', 'value': any_value(circular)::varchar},
        {'axis': 'text_only', 'value': any_value(text_only)::varchar},
        {
            'axis': 'image',
            -- The public pictures have various sizes.
            'value': any_value(
                if(split is null, image_width_px || 'x' || image_height_px, null)
            )
        },
        {'axis': 'encoding', 'value': any_value(encoding)},
        {'axis': 'channel', 'value': any_value(coalesce(channel, 'natural'))},
        {'axis': 'picture', 'value': macro.picture_of(variant)}
    ], recursive := true)
from stage.mirrorqa_episodes
group by family, variant
