-- grain: one row per episode_id, part, policy, route
-- Experiment 9 by part: did the model answer it itself, was it right, and is the domain one of its
-- weak ones? A reply without a decision counts as answering itself; a part routed in C4 does not.
-- `decided`: the answer could be judged right or wrong, or there was none. `route` is the rule by
-- which C3 advised and C4 routed; C1 and C2, which have none, appear with each of them.
with routed as (
    select
        *,
        list(distinct route) filter (where route is not null) over (
            partition by model, temperature, setting, task_set
        ) as routes
    from episode.metacog
    where experiment = 'exp9' and not failed
),

tasks as (
    select * replace (
        unnest(case
            when route is not null then [route]
            when len(routes) > 0 then routes
            else ['median']
        end) as route
    )
    from routed
),

parts as (
    select
        {described},
        known_setting,
        route,
        episode_id,
        scene_seed,
        run,
        cluster,
        information,
        paradigm,
        task_set,
        unnest([
            {
                'part': 'a',
                'domain': domain_a,
                'subcategory': subcategory_a,
                'difficulty': difficulty_a,
                'proceeded': coalesce(proceeded_a, 1) = 1 and not coalesce(routed_a, false),
                'correct': accuracy_a,
                'decided': accuracy_a is not null or answer_a is null,
                'answer': answer_a,
                'n_hedges': n_hedges_a
            },
            {
                'part': 'b',
                'domain': domain_b,
                'subcategory': subcategory_b,
                'difficulty': difficulty_b,
                'proceeded': coalesce(proceeded_b, 1) = 1 and not coalesce(routed_b, false),
                'correct': accuracy_b,
                'decided': accuracy_b is not null or answer_b is null,
                'answer': answer_b,
                'n_hedges': n_hedges_b
            }
        ], recursive := true)
    from tasks
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
        and parts.known_setting = known.setting
        and parts.domain = known.domain
