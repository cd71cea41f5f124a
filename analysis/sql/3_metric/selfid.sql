-- grain: one row per family, condition, model, temperature, variant, metric
-- Means over the episodes where the score is defined. Proportions have Wilson's interval, counts of
-- steps Student's t. Failed episodes are left out; low_if_failed and high_if_failed say what the
-- estimate would be had all of them scored worst or best.
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
        chance,
        metric in ('ttd', 'mgd') as is_count,
        if(metric = 'ttd', 1, 0) as least,
        if(metric in ('ttd', 'mgd'), max_steps, 1) as most
    from episode.selfid
    unpivot include nulls (
        score for metric in (tsa, ttd, mcr, mtato, caal, cr, tsa_c, mgd, arsc, sc, sc_final)
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
        is_count,
        count(score) as n,
        count(*) filter (where failed) as n_failed,
        sum(score)::double as total,
        avg(score) as estimate,
        stddev_samp(score) / sqrt(count(score)) as se,
        max(least) * count(*) filter (where failed) as least_of_failed,
        max(most) * count(*) filter (where failed) as most_of_failed,
        avg(chance) filter (where metric in ('tsa', 'tsa_c') and not failed) as chance
    from scores
    group by family, condition, model, temperature, variant, metric, is_count
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
    if(is_count, estimate - macro.t_95(n - 1) * se, macro.wilson_low(total, n)) as ci_low,
    if(is_count, estimate + macro.t_95(n - 1) * se, macro.wilson_high(total, n)) as ci_high,
    if(is_count, 't', 'wilson') as method,
    chance,
    n_failed,
    (total + least_of_failed) / (n + n_failed) as low_if_failed,
    (total + most_of_failed) / (n + n_failed) as high_if_failed
from totals
