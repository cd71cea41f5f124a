-- grain: one row per family, variant, axis
-- The meaning of a variant label: the value of each axis, including defaults, and as a number if it
-- is one. The axis prompts is present if a prompt set was sent.
select
    family,
    variant,
    axis,
    value,
    case
        when axis = 'image' then split_part(value, 'x', 1)::double
        else try_cast(value as double)
    end as number,
    if(
        axis = 'variant',
        value in ('paper', 'plain'),
        not contains(variant, '+' || axis || '=')
    ) as is_default
from metric.{family}_settings
where value is not null
union all
select
    family,
    variant,
    'prompts' as axis,
    coalesce(nullif(regexp_extract(variant, '\+prompts=([^+]+)', 1), ''), 'default') as value,
    null as number,
    not contains(variant, '+prompts=') as is_default
from metric.{family}_settings
group by family, variant
qualify bool_or(contains(variant, '+prompts=')) over (partition by family)
