-- grain: one row per family, condition, model, temperature, variant, metric, arrangement
-- The share of a model's score that a blind replay of its own recorded replies reaches (`mirror-ray
-- replayer`): in the same scene, in the same scene from another start pose (`moved`), and in
-- another scene. `reached` is replay_estimate / estimate, NULL if the model scores 0 or less. In
-- the same scene a replay repeats the model's outcome: the best of k recordings reaches pass@k.
with replays as (
    select
        * exclude (model, variant),
        regexp_replace(variant, '=replayer/(same|moved|other)/', '=', 'g') as variant,
        regexp_extract(model, '^replayer/(same|moved|other)/', 1) as arrangement,
        regexp_replace(model, '^replayer/(same|moved|other)/', '') as model
    from metric.estimates
    where starts_with(model, 'replayer/')
)

select
    replays.family, replays.condition, replays.model, replays.temperature, replays.variant,
    replays.metric, replays.arrangement, recorded.n, recorded.estimate,
    replays.n as n_replay,
    replays.estimate as replay_estimate,
    replays.ci_low as replay_ci_low,
    replays.ci_high as replay_ci_high,
    recorded.n_replies,
    recorded.n_read,
    case when recorded.estimate > 0 then replays.estimate / recorded.estimate end as reached
from replays
inner join metric.estimates as recorded
    on replays.family = recorded.family
    and replays.condition = recorded.condition
    and replays.model = recorded.model
    and replays.temperature is not distinct from recorded.temperature
    and replays.variant = recorded.variant
    and replays.metric = recorded.metric
