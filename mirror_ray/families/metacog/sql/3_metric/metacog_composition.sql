-- grain: one row per episode_id
-- Experiment 3: the distance of a prediction from its outcome. `cce_code` is the published code's
-- term, |confidence - correct|; `cce_printed` is Equation 1's, minus the same term in the primary
-- domain alone: its mean over the questions of experiment 1 there, each with its layer-2 prediction
-- and whether its natural answer was right. Both terms are means over single tasks, so a model that
-- is calibrated on both has 0. [Our reading] The paper does not say which single-domain confidence
-- it uses; NULL without experiment 1's predictions.
with predicted as (
    select model, temperature, setting, domain, scene_seed, run, cluster, self_prediction
    from episode.metacog
    where experiment = 'exp1' and channel = 'prediction' and self_prediction is not null
),

alone as (
    select
        predicted.model,
        predicted.temperature,
        predicted.setting,
        predicted.domain,
        -- Ordered, so that the last digit is reproducible.
        avg(
            abs(predicted.self_prediction / 100 - answered.accuracy)
            order by abs(predicted.self_prediction / 100 - answered.accuracy)
        ) as single_domain
    from predicted
    inner join episode.metacog as answered
        on
            predicted.model = answered.model
            and predicted.temperature is not distinct from answered.temperature
            and predicted.setting = answered.setting
            and predicted.scene_seed = answered.scene_seed
            and predicted.run = answered.run
            and predicted.cluster = answered.cluster
    where
        answered.experiment = 'exp1' and answered.channel = 'natural'
        and answered.accuracy is not null
    group by all
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
    tasks.cluster,
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
        and tasks.known_setting = alone.setting
        and tasks.domain_a = alone.domain
