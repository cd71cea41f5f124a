-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, including defaults.
select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'prompting', 'value': any_value(prompting)},
        {'axis': 'layouts', 'value': any_value(layouts)::varchar},
        {'axis': 'strings', 'value': any_value(strings)},
        {'axis': 'angle_deg', 'value': any_value(angle_deg)::varchar},
        {'axis': 'image', 'value': any_value(image_width_px) || 'x' || any_value(image_height_px)},
        {'axis': 'encoding', 'value': any_value(encoding)},
        {'axis': 'channel', 'value': any_value(coalesce(channel, 'natural'))},
        {'axis': 'picture', 'value': macro.picture_of(variant)}
    ], recursive := true)
from stage.flipset_episodes
group by family, variant
