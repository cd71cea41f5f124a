-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, including defaults.
select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'n_sentences', 'value': any_value(n_sentences)::varchar},
        {'axis': 'reads', 'value': if(contains(variant, '+reads=others'), 'others', 'own')},
        {
            'axis': 'story_temperature',
            'value': coalesce(
                nullif(regexp_extract(variant, 'story_temperature=([0-9.]+)', 1), ''), '-1'
            )
        },
        {
            'axis': 'revision_temperature',
            'value': coalesce(
                nullif(regexp_extract(variant, 'revision_temperature=([0-9.]+)', 1), ''), '-1'
            )
        }
    ], recursive := true)
from stage.textmirror_episodes
group by family, variant
