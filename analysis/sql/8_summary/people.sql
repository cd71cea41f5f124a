-- grain: one row per family, condition, temperature, variant, model
-- People, their vote (`human/majority`), and models, on the scenes that people have played: shares
-- of the family's main metric over `n` units of evidence, with Wilson's interval on their effective
-- number. `n_tied` scenes had no majority, which scores 0. A scene that depends on its reader's own
-- episode is no other reader's.
with scored as (
    select
        struct_pack(family, condition, temperature, variant, model, is_person) as cell,
        cluster,
        score,
        false as is_tied
    from metric.people
    union all by name
    select
        struct_pack(
            family, condition, temperature, variant, model := 'human/majority', is_person := true
        ) as cell,
        cluster,
        score,
        is_tied
    from twin.people
),

units as (
    select
        cell,
        cluster,
        count(score) as unit_n,
        coalesce(sum(score), 0)::double as unit_sum,
        count(*) filter (where is_tied) as n_tied
    from scored
    group by cell, cluster
),

totals as (
    select
        cell,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(n_tied)::bigint as n_tied,
        sum(unit_sum) as total,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by cell
)

select
    cell.*,
    n,
    n_episodes,
    if(cell.model = 'human/majority', n_tied, null) as n_tied,
    estimate,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high
from totals
where n > 0
