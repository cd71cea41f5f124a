-- grain: one row per episode_id
-- The one ask of every episode, of its latest take.
with takes as (
    select * from shard.textmirror_steps
    union all by name
    select null::varchar as parse_problem
    where false
)

select steps.*
from takes as steps
semi join stage.textmirror_episodes as latest
    on steps.episode_id = latest.episode_id and steps.take = latest.take
