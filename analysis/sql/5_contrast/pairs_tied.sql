-- grain: one row per family, condition, temperature, variant, metric, model
-- Who is as good as the best: a model is `tied` when its paired difference from the best model of
-- its condition, temperature and variant is not significant after Holm's correction, p_holm ≥ 0.05,
-- or when no test could be made. The best is the one with the best estimate over its own episodes,
-- of equal ones the first by name. Only metrics with a better side.
with models as (
    select
        family,
        condition,
        model,
        temperature,
        variant,
        metric,
        any_value(direction) as direction,
        count(score) as n,
        avg(score) as estimate
    from metric.scores
    where direction is not null
    group by family, condition, model, temperature, variant, metric
    having count(score) > 0
),

ranked as (
    select
        *,
        rank() over (
            partition by family, condition, temperature, variant, metric
            order by direction * estimate desc
        ) as rank,
        first_value(model) over (
            partition by family, condition, temperature, variant, metric
            order by direction * estimate desc, model
        ) as best_model
    from models
)

select
    ranked.family,
    ranked.condition,
    ranked.temperature,
    ranked.variant,
    ranked.metric,
    ranked.model,
    ranked.direction,
    ranked.n,
    ranked.estimate,
    ranked.rank,
    ranked.best_model,
    if(tests.baseline = ranked.model, 1, -1) * tests.difference as behind_best,
    tests.n as n_shared,
    tests.p,
    tests.p_holm,
    coalesce(tests.p_holm >= 0.05, true) as tied
from ranked
left join contrast.pairs as tests
    on
        tests.axis = 'model'
        and ranked.family = tests.family
        and ranked.condition = tests.condition
        and ranked.temperature is not distinct from tests.temperature
        and ranked.variant = tests.variant
        and ranked.metric = tests.metric
        and least(ranked.model, ranked.best_model) = tests.baseline
        and greatest(ranked.model, ranked.best_model) = tests.value
