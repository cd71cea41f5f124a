-- grain: one row per family, condition, model, temperature, variant, item_class, metric
-- By class of string. Wilson's interval; failed episodes are left out.
with totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        item_class,
        metric,
        count(score) as n,
        sum(score)::double as total,
        avg(score) as estimate,
        stddev_samp(score) / sqrt(count(score)) as se
    from episode.flipset
    unpivot (
        score for metric in (
            accuracy, egocentric, confusable, random, fail
        )
    )
    group by all
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    item_class,
    metric,
    n,
    estimate,
    se,
    macro.wilson_low(total, n) as ci_low,
    macro.wilson_high(total, n) as ci_high,
    'wilson' as method
from totals
