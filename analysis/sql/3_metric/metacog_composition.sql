-- grain: one row per episode_id
-- Experiment 3: how far a prediction is from what came of it. `cce_code` is the published code's
-- term, |confidence - correct|; `cce_printed` is Equation 1's, less the same distance in the
-- primary domain alone: mean wager against wagering accuracy there (experiment 1). [Our reading]
-- The paper does not say which single-domain confidence it takes; NULL without experiment 1's
-- wagers.
with alone as (
    select
        model,
        temperature,
        setting,
        domain,
        -- In order, so that the last digit is always the same.
        abs(avg(bet_share order by bet_share) - avg(accuracy)) as single_domain
    from episode.metacog
    where
        experiment = 'exp1' and channel = 'wagering'
        and bet_share is not null and accuracy is not null
    group by model, temperature, setting, domain
),

tasks as (
    select *, abs(self_prediction / 100 - accuracy) as cce_code
    from episode.metacog
    where experiment = 'exp3' and not failed
)

select
    tasks.family,
    tasks.model,
    tasks.temperature,
    tasks.setting,
    tasks.episode_id,
    tasks.scene_seed,
    tasks.run,
    tasks.domain_a,
    tasks.domain_b,
    tasks.self_prediction,
    tasks.accuracy,
    tasks.cce_code,
    tasks.cce_code - alone.single_domain as cce_printed
from tasks
left join alone
    on
        tasks.model = alone.model
        and tasks.temperature is not distinct from alone.temperature
        and tasks.setting = alone.setting
        and tasks.domain_a = alone.domain
