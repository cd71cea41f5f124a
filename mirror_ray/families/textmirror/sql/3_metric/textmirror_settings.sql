-- grain: one row per family, variant, axis
-- The value of each axis under a variant's label, defaults too.
with labels as (
    select
        family,
        variant,
        any_value(n_sentences) as n_sentences,
        if(contains(variant, '+reads=others'), 'others', 'own') as reads,
        coalesce(
            nullif(regexp_extract(variant, 'story_temperature=([0-9.]+)', 1), ''), '-1'
        ) as story_temperature,
        coalesce(
            nullif(regexp_extract(variant, 'revision_temperature=([0-9.]+)', 1), ''), '-1'
        ) as revision_temperature
    from stage.textmirror_episodes
    group by family, variant
)

select
    family,
    variant,
    unnest([
        {'axis': 'variant', 'value': split_part(variant, '+', 1)},
        {'axis': 'n_sentences', 'value': n_sentences::varchar},
        {'axis': 'reads', 'value': reads},
        {'axis': 'story_temperature', 'value': story_temperature},
        {'axis': 'revision_temperature', 'value': revision_temperature}
    ], recursive := true)
from labels
