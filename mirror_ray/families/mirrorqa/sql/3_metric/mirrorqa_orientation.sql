-- grain: one row per family, condition, model, temperature, variant, orientation
-- Accuracy by whose side it is ("MirrorQA": H.left, H.right, A.left, … A.right rear).
with units as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        orientation,
        cluster,
        count(accuracy) as unit_n,
        coalesce(sum(accuracy), 0)::double as unit_sum,
        any_value(chance) as chance
    from episode.mirrorqa
    group by family, condition, model, temperature, variant, orientation, cluster
),

totals as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        orientation,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        any_value(chance) as chance
    from units
    group by family, condition, model, temperature, variant, orientation
)

select
    family,
    condition,
    model,
    temperature,
    variant,
    orientation,
    n,
    n_episodes,
    estimate,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    'wilson' as method,
    chance
from totals
