-- grain: one row per episode_id, part, policy
-- Experiment 9 by part: did the model go ahead by itself, was it right, and was the domain one of
-- its weak ones? A reply that says no decision went ahead. In C4 a routed part did not go ahead.
with parts as (
    select
        family,
        model,
        temperature,
        setting,
        episode_id,
        scene_seed,
        run,
        information,
        paradigm,
        task_set,
        unnest([
            {
                'part': 'a',
                'domain': domain_a,
                'difficulty': difficulty_a,
                'proceeded': coalesce(proceeded_a, 1) = 1 and not coalesce(routed_a, false),
                'correct': accuracy_a
            },
            {
                'part': 'b',
                'domain': domain_b,
                'difficulty': difficulty_b,
                'proceeded': coalesce(proceeded_b, 1) = 1 and not coalesce(routed_b, false),
                'correct': accuracy_b
            }
        ], recursive := true)
    from episode.metacog
    where experiment = 'exp9' and not failed
)

select
    parts.*,
    known.policy,
    known.natural_accuracy,
    known.weak
from parts
left join metric.metacog_domains_weak as known
    on
        parts.model = known.model
        and parts.temperature is not distinct from known.temperature
        and parts.setting = known.setting
        and parts.domain = known.domain
