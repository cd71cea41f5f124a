-- grain: one row per cell
-- table macro: clustered_shares(scores)
-- Shares of answers, with Wilson's interval on the effective number of the `n` independent units.
-- `scores`: `cell`, a struct of the keys of a share; `cluster`, the unit; `score`, 0, 1 or NULL.
with units as (
    select
        cell,
        cluster,
        count(score) as unit_n,
        coalesce(sum(score), 0)::double as unit_sum
    from query_table(scores)
    group by all
),

totals as (
    select
        cell,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.clustered_se(unit_sum, unit_n) as se,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective
    from units
    group by cell
)

select
    * exclude (n_effective),
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    'wilson' as method
from totals
