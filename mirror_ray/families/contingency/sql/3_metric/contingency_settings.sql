-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
        any_value(delay) as delay,
        any_value(frames) as frames,
        any_value(history) as history,
        any_value(max_steps) as max_steps,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(encoding) as encoding
    from stage.contingency_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'delay', 'value': delay::varchar},
        {'axis': 'frames', 'value': frames::varchar},
        {'axis': 'history', 'value': history::varchar},
        {'axis': 'max_steps', 'value': max_steps::varchar},
        {'axis': 'image', 'value': width_px || 'x' || height_px},
        {'axis': 'encoding', 'value': encoding}
    ], recursive := true)
from labels
