-- grain: one row per condition, model, temperature, variant, metric
-- The rows of the results of "MirrorQA": accuracy, precision, recall, F1 and circular accuracy by
-- model and prompting, over all runs together (`estimate`) and, as the source has them, as the mean
-- of the runs' values (`mean_of_runs`, `sd_of_runs`). `chance_reference` is the random choice that
-- the source prints for its test split, plain and circular; `chance` is that of the questions
-- played. The results of its models are not known here: `reference` is NULL. n_replies and n_read
-- are those of metric.mirrorqa.
select
    results.* exclude (n_episodes, method, n_failed, low_if_failed, high_if_failed),
    runs.n_runs,
    runs.mean_of_runs,
    runs.sd_of_runs,
    case
        when not splits.is_test then null
        when results.metric = 'accuracy' then 0.437::double
        when results.metric = 'circular' then 0.188::double
    end as chance_reference,
    null::double as reference,
    'MirrorQA' as source
from metric.mirrorqa as results
left join metric.mirrorqa_runs as runs
    on
        results.condition = runs.condition
        and results.model = runs.model
        and results.temperature is not distinct from runs.temperature
        and results.variant = runs.variant
        and results.metric = runs.metric
left join (
    select
        condition,
        bool_and(coalesce(split = 'test', false)) as is_test
    from episode.mirrorqa
    group by condition
) as splits
    on results.condition = splits.condition
where results.metric in ('accuracy', 'precision', 'recall', 'f1', 'circular')
order by
    results.variant, results.temperature, results.condition, results.model, results.metric
