-- grain: one row per model, temperature, setting, bin
-- Experiment 1's wagers as probabilities, in ten bins of equal width: how sure, how right. ECE is
-- the mean distance of the two, weighted by n; one is at most in the last bin.
with wagers as (
    select
        family,
        model,
        temperature,
        setting,
        bet_share,
        accuracy,
        least(9, floor(bet_share * 10))::integer as bin
    from episode.metacog
    where
        experiment = 'exp1' and channel = 'wagering'
        and bet_share is not null and accuracy is not null
)

select
    family,
    model,
    temperature,
    setting,
    bin,
    count(*) as n,
    avg(bet_share) as confidence,
    avg(accuracy) as accuracy,
    macro.wilson_low(sum(accuracy), count(*)) as ci_low,
    macro.wilson_high(sum(accuracy), count(*)) as ci_high,
    avg((bet_share - accuracy) ** 2) as brier
from wagers
group by family, model, temperature, setting, bin
