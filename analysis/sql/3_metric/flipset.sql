-- grain: one row per family, condition, model, temperature, variant, metric
-- Shares with Wilson's interval. Failed episodes are left out; low_if_failed and high_if_failed say
-- what the estimate would be had all of them scored 0 or 1.
with scores as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        failed,
        metric,
        score,
        if(metric = 'accuracy', chance, null) as chance
    from episode.flipset
    unpivot include nulls (
        score for metric in (
            accuracy,
            egocentric,
            confusable,
            random,
            fail,
            egocentric_of_errors,
            confusable_of_errors,
            random_of_errors,
            fail_of_errors
        )
    )
),

totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        metric,
        count(score) as n,
        count(*) filter (where failed) as n_failed,
        sum(score)::double as total,
        avg(score) as estimate,
        stddev_samp(score) / sqrt(count(score)) as se,
        avg(chance) filter (where not failed) as chance
    from scores
    group by family, condition, model, temperature, variant, metric
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    metric,
    n,
    estimate,
    se,
    macro.wilson_low(total, n) as ci_low,
    macro.wilson_high(total, n) as ci_high,
    'wilson' as method,
    chance,
    n_failed,
    total / (n + n_failed) as low_if_failed,
    (total + n_failed) / (n + n_failed) as high_if_failed
from totals
