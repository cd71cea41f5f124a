-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, including defaults; the partner is own for the
-- same model, and if no model moves the other body.
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
        {'axis': 'history', 'value': any_value(history)::varchar},
        {'axis': 'max_steps', 'value': any_value(max_steps)::varchar},
        {'axis': 'image', 'value': any_value(image_width_px) || 'x' || any_value(image_height_px)},
        {'axis': 'encoding', 'value': any_value(encoding)},
        {'axis': 'structured', 'value': any_value(structured)},
        {'axis': 'picture', 'value': macro.picture_of(variant)}
    ], recursive := true)
from stage.dyad_episodes
group by family, variant
