-- grain: one row per family, condition, model, temperature, variant, item_class, metric
-- By class of string. Wilson's interval on the effective number of the `n` strings; failed
-- episodes are left out.
with units as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        item_class,
        metric,
        cluster,
        count(score) as unit_n,
        sum(score)::double as unit_sum
    from episode.flipset
    unpivot (
        score for metric in (
            accuracy, egocentric, confusable, random, fail
        )
    )
    group by all
),

totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        item_class,
        metric,
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / sum(unit_n) as estimate,
        macro.clustered_se(unit_sum, unit_n) as se,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, condition, model, temperature, variant, item_class, metric
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
    n_episodes,
    estimate,
    se,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    'wilson' as method
from totals
