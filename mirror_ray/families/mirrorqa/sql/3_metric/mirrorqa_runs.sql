-- grain: one row per family, condition, model, temperature, variant, metric
-- The metrics of "MirrorQA" as its tables have them: the mean of their values in each run of the
-- same questions, with the standard deviation over runs.
with macros as (
    select
        {cell},
        run,
        sum(precision * n_episodes) / nullif(sum(n_episodes), 0) as precision,
        sum(recall * n_episodes) / nullif(sum(n_episodes), 0) as recall
    from episode.mirrorqa_macros
    where run is not null
    group by family, condition, model, temperature, variant, run
),

shares as (
    select
        {cell},
        run,
        avg(accuracy) as accuracy,
        avg(circular) as circular
    from episode.mirrorqa
    group by family, condition, model, temperature, variant, run
),

scores as (
    from (select *, macro.f1(precision, recall) as f1 from macros)
    unpivot (score for metric in (precision, recall, f1))
    union all by name
    from shares unpivot (score for metric in (accuracy, circular))
)

select
    {cell},
    metric,
    count(*) as n_runs,
    avg(score) as mean_of_runs,
    stddev_samp(score) as sd_of_runs
from scores
group by family, condition, model, temperature, variant, metric
