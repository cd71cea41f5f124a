-- grain: one row per family, condition, temperature, variant, model
-- People, their vote (`human/majority`), and models, on the scenes that people have met: shares of
-- the family's leading metric over `n` units of evidence, with Wilson's interval on their
-- effective number. `n_tied` scenes had no majority, which scores 0. A scene that follows from an
-- episode of its own reader is nobody else's.
with scored as (
    select
        family,
        condition,
        temperature,
        variant,
        model,
        is_person,
        cluster,
        score,
        false as is_tied
    from metric.people
    union all by name
    select
        family,
        condition,
        temperature,
        variant,
        'human/majority' as model,
        true as is_person,
        cluster,
        score,
        is_tied
    from twin.people
),

units as (
    select
        family,
        condition,
        temperature,
        variant,
        model,
        is_person,
        cluster,
        count(score) as unit_n,
        coalesce(sum(score), 0)::double as unit_sum,
        count(*) filter (where is_tied) as n_tied
    from scored
    group by family, condition, temperature, variant, model, is_person, cluster
),

totals as (
    select
        family,
        condition,
        temperature,
        variant,
        model,
        is_person,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(n_tied)::bigint as n_tied,
        sum(unit_sum) as total,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by family, condition, temperature, variant, model, is_person
)

select
    family,
    condition,
    temperature,
    variant,
    model,
    is_person,
    n,
    n_episodes,
    if(model = 'human/majority', n_tied, null) as n_tied,
    estimate,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high
from totals
where n > 0
