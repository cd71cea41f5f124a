-- grain: one row per condition, model, temperature, variant, metric
-- The rows of the main results of arXiv 2602.15892: accuracy and shares of answers by model and
-- task, and the egocentric share of always giving one letter. `reference` is what the paper states:
-- in its twelve orders the egocentric option is 6, 4, 2 and 0 times at A to D, and the right one
-- three times everywhere. The results of its models are not known here: NULL.
with results as (
    select
        {cell},
        metric,
        n,
        estimate,
        se,
        ci_low,
        ci_high,
        chance,
        null::double as reference
    from metric.flipset
    where metric in ('accuracy', 'egocentric', 'confusable', 'random', 'fail')
),

letters as (
    select
        {cell},
        metric || ' ' || label as metric,
        n,
        estimate,
        se,
        ci_low,
        ci_high,
        null::double as chance,
        case metric
            when 'always_accuracy' then 3
            else [6, 4, 2, 0][ascii(label) - ascii('A') + 1]
        end / 12 as reference
    from metric.flipset_positions
    where
        metric in ('always_accuracy', 'always_egocentric')
        and condition <> 'L1' and not contains(variant, '+layouts=')
)

select *, 'arXiv 2602.15892' as source
from (
    from results
    union all
    from letters
)
order by
    variant,
    temperature,
    condition,
    model,
    list_position(['accuracy', 'egocentric', 'confusable', 'random', 'fail'], metric) nulls last,
    metric
