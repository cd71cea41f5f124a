-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, including defaults.
select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'delay', 'value': any_value(delay)::varchar},
        {'axis': 'frames', 'value': any_value(frames)::varchar},
        {'axis': 'history', 'value': any_value(history)::varchar},
        {'axis': 'max_steps', 'value': any_value(max_steps)::varchar},
        {'axis': 'image', 'value': any_value(image_width_px) || 'x' || any_value(image_height_px)},
        {'axis': 'encoding', 'value': any_value(encoding)},
        {'axis': 'picture', 'value': macro.picture_of(variant)}
    ], recursive := true)
from stage.contingency_episodes
group by family, variant
