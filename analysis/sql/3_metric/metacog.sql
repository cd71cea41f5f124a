-- grain: one row per family, condition, model, temperature, variant, metric
-- Answers by cell: shares with Wilson's interval. What compares cells is in metacog_summary and the
-- views it draws on. Failed episodes are left out; low_if_failed and high_if_failed say what the
-- estimate would be had all of them scored 0 or 1.
with scores as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        failed,
        metric,
        score
    from episode.metacog
    unpivot include nulls (
        score for metric in (accuracy, lenient, readable, accuracy_a, accuracy_b)
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
        stddev_samp(score) / sqrt(count(score)) as se
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
    null::double as chance,
    n_failed,
    total / nullif(n + n_failed, 0) as low_if_failed,
    (total + n_failed) / nullif(n + n_failed, 0) as high_if_failed
from totals
