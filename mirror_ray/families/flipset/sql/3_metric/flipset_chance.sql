-- grain: one row per family, condition, model, temperature, variant
-- Whether accuracy is above or below chance: exact one-sided binomial tests over strings, each
-- counted as its mean over layouts and repetitions; a fractional sum is rounded against the claim.
-- Accuracy below chance is not ignorance: it needs a systematic error.
with units as (
    select
        {cell},
        cluster,
        count(accuracy) as unit_n,
        sum(accuracy)::double as unit_sum,
        any_value(chance) as chance
    from episode.flipset
    where not failed
    group by all
),

counts as (
    select
        {cell},
        count(*) as n,
        sum(unit_n)::bigint as n_episodes,
        round(sum(unit_sum / unit_n), 9) as n_correct,
        sum(unit_sum) / sum(unit_n) as estimate,
        any_value(chance) as chance
    from units
    where unit_n > 0
    group by family, condition, model, temperature, variant
)

select
    *,
    macro.binomial_at_least(floor(n_correct), n, chance) as p_above,
    macro.binomial_at_least(n - ceil(n_correct), n, 1 - chance) as p_below,
    'exact binomial' as method
from counts
