-- grain: one row per episode_id
-- The one ask of every episode, of its latest take.
with takes as (
    select * from shard.textmirror_steps
    union all by name
    select null::varchar as parse_problem
    where false
),

latest_takes as (
    select
        episode_id,
        max(take) as take
    from shard.textmirror_episodes
    group by episode_id
)

select takes.*
from takes
semi join latest_takes as latest
    on takes.episode_id = latest.episode_id and takes.take = latest.take
