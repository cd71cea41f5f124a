-- grain: one row per condition, model, temperature, variant, metric
-- The rows of the results of "MirrorQA": accuracy, precision, recall, F1 and circular accuracy by
-- model and prompting. `chance_reference` is the random choice that the source prints for its test
-- split, plain and circular; `chance` is that of the questions played. The results of its models
-- are not known here: `reference` is NULL.
select
    results.family,
    results.condition,
    results.model,
    results.temperature,
    results.variant,
    results.metric,
    results.n,
    results.estimate,
    results.se,
    results.ci_low,
    results.ci_high,
    results.chance,
    case
        when not coalesce(splits.is_test, false) then null
        when results.metric = 'accuracy' then 0.437::double
        when results.metric = 'circular' then 0.188::double
    end as chance_reference,
    null::double as reference,
    'MirrorQA' as source
from metric.mirrorqa as results
left join (
    select
        condition,
        model,
        temperature,
        variant,
        bool_and(split = 'test') as is_test
    from episode.mirrorqa
    group by condition, model, temperature, variant
) as splits
    on
        results.condition = splits.condition
        and results.model = splits.model
        and results.temperature is not distinct from splits.temperature
        and results.variant = splits.variant
where results.metric in ('accuracy', 'precision', 'recall', 'f1', 'circular')
order by
    results.variant,
    results.temperature,
    results.condition,
    results.model,
    results.metric
