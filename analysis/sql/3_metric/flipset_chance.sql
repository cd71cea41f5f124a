-- grain: one row per family, condition, model, temperature, variant
-- Is accuracy above or below chance? Exact one-sided binomial tests. Below chance is not ignorance:
-- it takes a reason to be wrong so often.
with counts as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        count(accuracy) as n,
        sum(accuracy)::double as n_correct,
        avg(accuracy) as estimate,
        any_value(chance) as chance
    from episode.flipset
    where not failed
    group by all
)

select
    *,
    macro.binomial_at_least(n_correct, n, chance) as p_above,
    1 - macro.binomial_at_least(n_correct + 1, n, chance) as p_below,
    'exact binomial' as method
from counts
