-- grain: one row per family, condition, model, temperature, variant, layout, metric
-- By order of the options (C correct, E egocentric, F confusable, R random). layout_number: 1–12
-- of the source's twelve, in the alphabet's order; NULL for the others. Wilson's interval on the
-- effective number of the `n` strings; failed episodes are left out.
with units as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        layout,
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
        layout,
        metric,
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / sum(unit_n) as estimate,
        macro.clustered_se(unit_sum, unit_n) as se,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, condition, model, temperature, variant, layout, metric
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    layout,
    list_position(
        [
            'CEFR', 'CERF', 'CFER', 'ECFR', 'ECRF', 'EFCR',
            'EFRC', 'ERCF', 'ERFC', 'FCER', 'FECR', 'FERC'
        ],
        layout
    ) as layout_number,
    metric,
    n,
    n_episodes,
    estimate,
    se,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    'wilson' as method
from totals
