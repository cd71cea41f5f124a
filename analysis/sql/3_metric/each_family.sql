-- grain: one row per family, condition, model, temperature, variant, metric
-- Shares of episodes over `n` units of evidence, with Wilson's interval on their effective number.
-- Episodes with an error are left out; low_if_failed and high_if_failed are the estimates if all of
-- them scored 0 or 1.
with scores as (
    select
        struct_pack(family, condition, model, temperature, variant) as cell,
        cluster,
        failed,
        metric,
        score,
        {chance} as chance
    from episode.{family}
    unpivot include nulls (
        score for metric in (
            {scores}
        )
    )
),

units as (
    select
        cell,
        metric,
        cluster,
        count(score) as unit_n,
        coalesce(sum(score), 0)::double as unit_sum,
        count(*) filter (where failed) as n_failed,
        sum(chance) filter (where not failed) as chance_sum,
        count(chance) filter (where not failed) as n_chance
    from scores
    group by cell, metric, cluster
),

totals as (
    select
        cell,
        metric,
        count(*) filter (where unit_n > 0) as n,
        sum(unit_n)::bigint as n_episodes,
        sum(n_failed)::bigint as n_failed,
        sum(unit_sum) as total,
        sum(unit_sum) / nullif(sum(unit_n), 0) as estimate,
        macro.clustered_se(unit_sum, unit_n) as se,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        sum(chance_sum) / nullif(sum(n_chance), 0) as chance
    from units
    group by cell, metric
)

select
    cell.*,
    metric,
    n,
    n_episodes,
    estimate,
    se,
    macro.wilson_low(estimate * n_effective, n_effective) as ci_low,
    macro.wilson_high(estimate * n_effective, n_effective) as ci_high,
    'wilson' as method,
    chance,
    n_failed,
    total / nullif(n_episodes + n_failed, 0) as low_if_failed,
    (total + n_failed) / nullif(n_episodes + n_failed, 0) as high_if_failed
from totals
