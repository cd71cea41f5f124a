-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
        any_value(help) as help,
        any_value(history) as history,
        any_value(max_steps) as max_steps,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(encoding) as encoding
    from stage.marktest_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'help', 'value': help},
        {'axis': 'history', 'value': history::varchar},
        {'axis': 'max_steps', 'value': max_steps::varchar},
        {'axis': 'image', 'value': width_px || 'x' || height_px},
        {'axis': 'encoding', 'value': encoding}
    ], recursive := true)
from labels
