-- grain: one row per family, condition, model, temperature, variant, metric
-- Means over the episodes for which the score is defined, each in a different scene. Proportions
-- have Wilson's interval, counts of steps the BCa interval over scenes from the last bootstrap of
-- this run, if any. Episodes with an error are left out; low_if_failed and high_if_failed are the
-- estimates if all of them scored lowest or highest.
with scores as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        failed,
        max_steps,
        metric,
        score,
        {kind} as kind
    from episode.marktest
    unpivot include nulls (
        score for metric in (
            {scores}
        )
    )
),

estimates as (
    select
        cell,
        metric,
        count(*) filter (where failed) as n_failed,
        max(max_steps) as most_steps,
        count(score) as n,
        sum(score)::double as total,
        total / n as estimate,
        stddev_samp(score) / sqrt(n) as se,
        any_value(kind) = 'count' as is_count
    from scores
    group by cell, metric
)

select
    unnest(estimates.cell),
    estimates.metric,
    estimates.n,
    estimates.n as n_episodes,
    estimates.estimate,
    estimates.se,
    if(is_count, stored.ci_low, macro.wilson_low(total, estimates.n)) as ci_low,
    if(is_count, stored.ci_high, macro.wilson_high(total, estimates.n)) as ci_high,
    if(is_count, 'bca', 'wilson') as method,
    null::double as chance,
    n_failed,
    (total + if(is_count, n_failed, 0)) / (estimates.n + n_failed) as low_if_failed,
    (total + n_failed * if(is_count, most_steps, 1)) / (estimates.n + n_failed)
        as high_if_failed
from estimates
left join shard.marktest_intervals as stored
    on
        estimates.is_count
        and estimates.cell = struct_pack(
            stored.family, stored.condition, stored.model, stored.temperature, stored.variant
        )
        and estimates.metric = stored.metric
        and estimates.n = stored.n_scenes
        and abs(estimates.estimate - stored.estimate) < 1e-9
