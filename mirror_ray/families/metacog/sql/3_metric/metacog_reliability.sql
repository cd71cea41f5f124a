-- grain: one row per model, temperature, setting, bin
-- Experiment 1's wagers as probabilities, in ten bins of equal width: confidence and accuracy. ECE
-- is their mean distance, weighted by n_episodes; 1 belongs to the last bin. `n` questions of the
-- bin, Wilson's interval on their effective number.
-- replies: where condition = 'exp1'
with wagers as (
    select
        struct_pack(family, model, temperature, setting) as cell,
        cluster, bet_share, accuracy,
        least(9, floor(bet_share * 10))::integer as bin
    from episode.metacog
    where
        experiment = 'exp1' and channel = 'wagering'
        and bet_share is not null and accuracy is not null
),

units as (
    select
        cell, bin, cluster,
        count(*) as unit_n,
        sum(accuracy)::double as unit_sum,
        sum(bet_share) as confidence_sum,
        sum((bet_share - accuracy) ** 2) as brier_sum
    from wagers
    group by cell, bin, cluster
),

bins as (
    select
        cell,
        bin,
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        -- Ordered, so that the last digit is reproducible.
        sum(confidence_sum order by confidence_sum) / sum(unit_n) as confidence,
        sum(unit_sum) / sum(unit_n) as accuracy,
        macro.effective_n_cautious(unit_sum, unit_n) as n_effective,
        sum(brier_sum order by brier_sum) / sum(unit_n) as brier
    from units
    group by cell, bin
)

select
    cell.*,
    bin, n, n_episodes, confidence, accuracy,
    macro.wilson_low(accuracy * n_effective, n_effective) as ci_low,
    macro.wilson_high(accuracy * n_effective, n_effective) as ci_high,
    brier
from bins
