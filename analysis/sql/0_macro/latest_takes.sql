-- grain: one row per episode_id
-- table macro: latest_takes(episodes)
-- The latest take of every sealed episode, and whether it has several rows. Only then can its steps
-- be in several shards. As `latest_episodes`, without those that could not be paid for.
select
    episode_id,
    max(take) as take,
    count(*) > 1 as is_repeated
from query_table(episodes)
group by episode_id
having arg_max(error_kind, take) is distinct from 'budget'
