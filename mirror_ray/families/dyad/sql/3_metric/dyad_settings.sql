-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too; the partner is own where it is the
-- model itself, and where no model moves the other body.
with labels as (
    select
        family,
        variant,
        any_value(history) as history,
        any_value(max_steps) as max_steps,
        any_value(image_width_px) as width_px,
        any_value(image_height_px) as height_px,
        any_value(encoding) as encoding,
        any_value(structured) as structured
    from stage.dyad_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {
            'axis': 'partner',
            'value': coalesce(
                nullif(regexp_extract(variant, '\+partner=([^+]*)', 1), ''), 'own'
            )
        },
        {'axis': 'history', 'value': history::varchar},
        {'axis': 'max_steps', 'value': max_steps::varchar},
        {'axis': 'image', 'value': width_px || 'x' || height_px},
        {'axis': 'encoding', 'value': encoding},
        {'axis': 'structured', 'value': structured}
    ], recursive := true)
from labels
