-- grain: one row per episode_id
-- The latest take of every episode.
with takes as (
    select * from shard.metacog_episodes
    union all by name
    select
        null::varchar as experiment,
        null::varchar as channel,
        null::varchar as item_id,
        null::varchar as bank,
        null::varchar as domain,
        null::varchar as subcategory,
        null::varchar as difficulty,
        null::varchar as question,
        null::varchar as truth,
        null::varchar as answer_kind,
        null::varchar as surface_domain,
        null::varchar as hidden_dependency,
        null::varchar as domain_a,
        null::varchar as domain_b,
        null::varchar as subcategory_a,
        null::varchar as subcategory_b,
        null::varchar as difficulty_a,
        null::varchar as difficulty_b,
        null::varchar as truth_a,
        null::varchar as truth_b,
        null::varchar as feedback,
        null::varchar as control_domain,
        null::boolean as feedback_holds,
        null::varchar as attack,
        null::boolean as premise_flawed,
        null::varchar as flaw,
        null::varchar as pressure,
        null::varchar as information,
        null::varchar as paradigm,
        null::varchar as task_set,
        null::double[] as prior_accuracy,
        null::double as prior_accuracy_a,
        null::double as prior_accuracy_b,
        null::boolean as routed_a,
        null::boolean as routed_b
    where false
)

select *
from takes
qualify row_number() over (partition by episode_id order by take desc) = 1
